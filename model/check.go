package model

import (
	"fmt"
	"slices"
)

// Violation is one rule of the problem that a solution breaks.
type Violation struct {
	Rule    string
	Message string
}

func (v Violation) String() string { return v.Rule + ": " + v.Message }

// Check lists every rule of p that s breaks. It shares no code with a solver.
func Check(p *Problem, s *Solution) []Violation {
	c := &checker{p: p, s: s}
	if !c.form() {
		return c.found
	}
	c.machines()
	c.fates()
	c.demand()
	c.budgets()
	c.limits()
	c.reservations()
	c.pendingApart()
	c.balanced()
	c.spotFlexibility()
	c.spotDiversity()
	return c.found
}

type checker struct {
	p     *Problem
	s     *Solution
	found []Violation
}

func (c *checker) fail(rule, format string, args ...any) {
	c.found = append(c.found, Violation{rule, fmt.Sprintf(format, args...)})
}

// machines holds every machine's content against its own room and rules.
func (c *checker) machines() {
	for i := range c.s.Launches {
		m := &c.s.Launches[i]
		shape := &c.p.Shapes[m.Shape]
		name := fmt.Sprintf("launch %d of %s", i, shape.Name)
		if len(m.Pods) == 0 {
			c.fail("Launch", "%s carries no pod", name)
		}
		c.content(name, m.Pods, shape.Allocatable, func(g *PodGroup) bool { return g.Shapes.Has(m.Shape) })
	}
	for i := range c.s.Nodes {
		f, n := &c.s.Nodes[i], &c.p.Nodes[i]
		if len(f.Pods) == 0 {
			continue
		}
		if f.Gone() {
			c.fail("Fate", "node %s goes and receives pods", n.Name)
			continue
		}
		c.content("node "+n.Name, f.Pods, n.Free, func(g *PodGroup) bool { return g.Nodes.Has(NodeIndex(i)) })
	}
}

func (c *checker) content(name string, pods []Count, room Quantities, allowed func(*PodGroup) bool) {
	sum := make(Quantities, len(room))
	for i, x := range pods {
		g := &c.p.Groups[x.Group]
		if x.N <= 0 || i > 0 && pods[i-1].Group >= x.Group {
			c.fail("Form", "%s: counts are not positive and ascending", name)
		}
		if !allowed(g) {
			c.fail("Placement", "%s does not take group %s", name, g.Name)
		}
		if g.MaxPerMachine > 0 && x.N > g.MaxPerMachine {
			c.fail("MaxPerMachine", "%s holds %d pods of group %s, at most %d may share a machine", name, x.N, g.Name, g.MaxPerMachine)
		}
		for _, y := range pods[i+1:] {
			if slices.Contains(g.Conflicts, y.Group) {
				c.fail("Conflict", "%s holds groups %s and %s", name, g.Name, c.p.Groups[y.Group].Name)
			}
		}
		for r, q := range g.Request {
			sum[r] += q * int64(x.N)
		}
	}
	for r, q := range sum {
		if q > 0 && q > room[r] {
			c.fail("Room", "%s: %s %d of %d", name, c.p.Resources[r], q, room[r])
		}
	}
}

// fates holds what becomes of each node against what may.
func (c *checker) fates() {
	for i := range c.p.Nodes {
		n, f := &c.p.Nodes[i], &c.s.Nodes[i]
		ok := false
		switch f.Removal {
		case Stays:
			ok = !n.Goes
		case Forced:
			ok = n.Goes
		case Drifted:
			ok = !n.Goes && n.Drift > 0
		default:
			ok = !n.Goes && n.Voluntary == f.Removal
		}
		if !ok {
			c.fail("Fate", "node %s: %s", n.Name, f.Removal)
		}
	}
}

// demand holds what is placed against what needs a place.
func (c *checker) demand() {
	need := make([]int, len(c.p.Groups))
	for g := range c.p.Groups {
		need[g] = c.p.Groups[g].Demand - c.s.Unplaced[g]
		if c.s.Unplaced[g] < 0 || c.s.Unplaced[g] > c.p.Groups[g].Demand {
			c.fail("Demand", "group %s: %d unplaced of %d", c.p.Groups[g].Name, c.s.Unplaced[g], c.p.Groups[g].Demand)
		}
	}
	for i := range c.s.Nodes {
		if c.s.Nodes[i].Gone() {
			for _, x := range c.p.Nodes[i].Pods {
				need[x.Group] += x.N
			}
		}
		for _, x := range c.s.Nodes[i].Pods {
			need[x.Group] -= x.N
		}
	}
	for i := range c.s.Launches {
		for _, x := range c.s.Launches[i].Pods {
			need[x.Group] -= x.N
		}
	}
	for g, n := range need {
		switch {
		case n > 0:
			c.fail("Demand", "group %s: %d pods too few placed", c.p.Groups[g].Name, n)
		case n < 0:
			c.fail("Demand", "group %s: %d pods too many placed", c.p.Groups[g].Name, -n)
		}
	}
}
