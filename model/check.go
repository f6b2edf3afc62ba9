package model

import (
	"cmp"
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
		if n != 0 {
			c.fail("Demand", "group %s: %d pods too few placed", c.p.Groups[g].Name, n)
		}
	}
}

// budgets takes the reasons from the tightest budget up: each has to cover all
// removals so far.
func (c *checker) budgets() {
	for k := range c.p.Pools {
		var used [NumBudgets]int
		for i := range c.p.Nodes {
			if r := c.s.Nodes[i].Removal; c.p.Nodes[i].Pool == PoolIndex(k) && r < NumBudgets {
				used[r]++
			}
		}
		pool := &c.p.Pools[k]
		reasons := []Removal{Empty, Underutilized, Drifted}
		slices.SortStableFunc(reasons, func(a, b Removal) int { return cmp.Compare(pool.Budget[a], pool.Budget[b]) })
		total := 0
		for _, r := range reasons {
			total += used[r]
			if used[r] > 0 && total > pool.Budget[r] {
				c.fail("Budget", "pool %s: %d removals up to reason %s, the budget allows %d", pool.Name, total, r, pool.Budget[r])
			}
		}
	}
}

func (c *checker) limits() {
	for _, l := range c.p.Limits {
		launched := false
		var sum int64
		for i := range c.s.Launches {
			shape := &c.p.Shapes[c.s.Launches[i].Shape]
			if l.Covers(shape.Pool) {
				launched = true
				sum += l.Of(shape.Capacity, shape.Price)
			}
		}
		for i := range c.p.Nodes {
			n := &c.p.Nodes[i]
			if l.Covers(n.Pool) && !c.s.Nodes[i].Gone() {
				sum += l.Of(n.Capacity, n.Price)
			}
		}
		if launched && sum > l.Max {
			c.fail("Limit", "measure %d of pool %d: %d over the limit %d", l.Measure, l.Pool, sum, l.Max)
		}
	}
}

func (c *checker) reservations() {
	used := make([]int, len(c.p.Reservations))
	for i := range c.s.Launches {
		if r := c.p.Shapes[c.s.Launches[i].Shape].Reservation; r != None {
			used[r]++
		}
	}
	for r, n := range used {
		if n > c.p.Reservations[r].Count {
			c.fail("Reservation", "%s: %d launched, %d free", c.p.Reservations[r].Name, n, c.p.Reservations[r].Count)
		}
	}
}

func (c *checker) pendingApart() {
	if !c.p.Rules.PendingApart {
		return
	}
	bought, removed := false, false
	for i := range c.s.Launches {
		for _, x := range c.s.Launches[i].Pods {
			bought = bought || c.p.Groups[x.Group].Origin.Kind == Pending
		}
	}
	for i := range c.s.Nodes {
		removed = removed || c.s.Nodes[i].Removal.Voluntary()
	}
	if bought && removed {
		c.fail("PendingApart", "launches for pending pods and removes nodes voluntarily")
	}
}

func (c *checker) balanced() {
	for k := range c.p.Pools {
		pool := &c.p.Pools[k]
		if !pool.Balanced {
			continue
		}
		var savings Money
		var disruption int64
		for i := range c.p.Nodes {
			if n := &c.p.Nodes[i]; n.Pool == PoolIndex(k) && c.s.Nodes[i].Removal == Underutilized {
				savings += n.Price
				disruption += n.Disruption
			}
		}
		if disruption == 0 {
			continue
		}
		for i := range c.s.Launches {
			carries := slices.ContainsFunc(c.s.Launches[i].Pods, func(x Count) bool {
				return c.p.Groups[x.Group].Origin.Pool == PoolIndex(k) && c.p.Groups[x.Group].Origin.Kind >= Displaced
			})
			if carries {
				savings -= c.p.Shapes[c.s.Launches[i].Shape].Price
			}
		}
		// In floating point: the products pass 2⁶³, and a rule of thumb needs no more.
		if float64(savings)*float64(pool.Disruption) < 0.5*float64(disruption)*float64(pool.Cost)*(1-1e-12) {
			c.fail("Balanced", "pool %s: a saving of %s does not pay for the disruption", pool.Name, savings)
		}
	}
}

func (c *checker) spotFlexibility() {
	if c.p.Rules.SpotFlexibility <= 1 {
		return
	}
	for i := range c.s.Launches {
		m := &c.s.Launches[i]
		shape := &c.p.Shapes[m.Shape]
		replaces := slices.ContainsFunc(m.Pods, func(x Count) bool {
			o := c.p.Groups[x.Group].Origin
			return o.Kind == Resident && o.Spot
		})
		if !shape.Spot || !replaces {
			continue
		}
		types := map[TypeIndex]bool{}
		for k := range c.p.Shapes {
			if x := &c.p.Shapes[k]; x.Spot && x.Pool == shape.Pool && c.carries(ShapeIndex(k), m.Pods) {
				types[x.Type] = true
			}
		}
		if len(types) < c.p.Rules.SpotFlexibility {
			c.fail("SpotFlexibility", "launch %d of %s: %d instance types would do, %d are asked for", i, shape.Name, len(types), c.p.Rules.SpotFlexibility)
		}
	}
}

// carries says whether a new machine of the shape could hold the pods, which
// are known to get along with each other.
func (c *checker) carries(k ShapeIndex, pods []Count) bool {
	room := slices.Clone(c.p.Shapes[k].Allocatable)
	for _, x := range pods {
		g := &c.p.Groups[x.Group]
		if !g.Shapes.Has(k) {
			return false
		}
		for r, q := range g.Request {
			room[r] -= q * int64(x.N)
			if q > 0 && room[r] < 0 {
				return false
			}
		}
	}
	return true
}

func (c *checker) spotDiversity() {
	share := c.p.Rules.SpotDiversity
	if share <= 0 {
		return
	}
	type market struct {
		pool PoolIndex
		typ  TypeIndex
		zone ZoneIndex
	}
	total := make([]int64, len(c.p.Pools))
	count := map[market]int64{}
	var launched []market
	for i := range c.p.Nodes {
		if n := &c.p.Nodes[i]; n.Spot && n.Pool != None && !c.s.Nodes[i].Gone() {
			total[n.Pool]++
			count[market{n.Pool, n.Type, n.Zone}]++
		}
	}
	for i := range c.s.Launches {
		if s := &c.p.Shapes[c.s.Launches[i].Shape]; s.Spot {
			m := market{s.Pool, s.Type, s.Zone}
			total[s.Pool]++
			count[m]++
			launched = append(launched, m)
		}
	}
	for _, m := range launched {
		if most := max(1, total[m.pool]*share/1_000_000); count[m] > most {
			c.fail("SpotDiversity", "pool %s: %d of %d spot nodes are of one type in one zone, at most %d may be", c.p.Pools[m.pool].Name, count[m], total[m.pool], most)
		}
	}
}
