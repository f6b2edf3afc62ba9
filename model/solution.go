package model

import (
	"cmp"
	"slices"
)

// Solution answers a Problem.
type Solution struct {
	Launches []Machine
	// Nodes says what becomes of each node, by NodeIndex.
	Nodes []Fate
	// Unplaced is how many demanded pods of each group are left waiting, by GroupIndex.
	Unplaced []int
}

// Machine is one launch and the pods on it, by ascending group.
type Machine struct {
	Shape ShapeIndex
	Pods  []Count
}

// Fate is what becomes of a node: it stays and receives Pods, or goes.
type Fate struct {
	Removal Removal // Stays unless the node goes
	Pods    []Count // what is added to it, by ascending group
}

// Gone says whether the node is taken away.
func (f *Fate) Gone() bool {
	return f.Removal != Stays
}

// Cost is a solution's objective by part.
type Cost struct {
	Prices    Money
	Fees      Money
	Moves     Money // one-off costs over the horizon: evictions and start-ups
	Penalties Money // policy penalties and the savings hurdle
}

// Total is the sum of the parts.
func (c Cost) Total() Money {
	return c.Prices + c.Fees + c.Moves + c.Penalties
}

// CostOf is what s costs.
func CostOf(p *Problem, s *Solution) Cost {
	var c Cost
	for i := range s.Launches {
		shape := &p.Shapes[s.Launches[i].Shape]
		c.Prices += shape.Price
		c.Fees += shape.Fee
		c.Penalties += shape.Penalty
		c.Moves += shape.Startup
	}
	voluntary := false
	for i := range p.Nodes {
		n, f := &p.Nodes[i], &s.Nodes[i]
		switch {
		case !f.Gone():
			c.Prices += n.Price
			c.Fees += n.Fee
			c.Penalties += n.Penalty
		case f.Removal.Voluntary():
			voluntary = true
			c.Penalties += n.Hurdle
			c.Moves += n.Evict
		case f.Removal == Drifted:
			c.Moves += n.Evict
		}
	}
	if voluntary {
		c.Penalties += p.Rules.SavingsOnce
	}
	return c
}

// Score is how good a solution is, most important goal first. Less is better
// in every field, and the lists compare lexicographically.
type Score struct {
	// Unplaced counts the pods left waiting of each priority, highest first.
	Unplaced []int
	// Drift is 1 for each node that should go as drifted and does not, oldest first.
	Drift []int
	// Weight counts the pods on launches below the highest pool weight, below
	// the next, and so on. Empty unless weights come before cost.
	Weight []int
	Cost   Money
	// Moves counts the running pods that move off nodes that need not go.
	Moves    int
	Launches int
	// Rank sums the weight ranks of the launches' pools: ties go to heavy pools.
	Rank int
}

// ScoreOf judges s by every goal.
func ScoreOf(p *Problem, s *Solution) Score {
	sc := Score{Cost: CostOf(p, s).Total(), Launches: len(s.Launches)}

	priorities := Priorities(p)
	sc.Unplaced = make([]int, len(priorities))
	for g, n := range s.Unplaced {
		i, _ := slices.BinarySearchFunc(priorities, p.Groups[g].Priority, func(a, b int32) int { return cmp.Compare(b, a) })
		sc.Unplaced[i] += n
	}

	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Drift > 0 {
			for len(sc.Drift) < n.Drift {
				sc.Drift = append(sc.Drift, 0)
			}
			if s.Nodes[i].Removal != Drifted {
				sc.Drift[n.Drift-1] = 1
			}
		}
		if s.Nodes[i].Gone() && !n.Goes {
			for _, c := range n.Pods {
				sc.Moves += c.N
			}
		}
	}

	ranks := WeightRanks(p)
	if p.Rules.PoolWeights {
		sc.Weight = make([]int, max(0, slices.Max(append(ranks, 0))))
	}
	for i := range s.Launches {
		m := &s.Launches[i]
		rank := ranks[p.Shapes[m.Shape].Pool]
		sc.Rank += rank
		if p.Rules.PoolWeights {
			for _, c := range m.Pods {
				for r := range rank {
					sc.Weight[r] += c.N
				}
			}
		}
	}
	return sc
}

// Compare orders scores: negative if a is better.
func (a Score) Compare(b Score) int {
	return cmp.Or(
		slices.Compare(a.Unplaced, b.Unplaced),
		slices.Compare(a.Drift, b.Drift),
		slices.Compare(a.Weight, b.Weight),
		cmp.Compare(a.Cost, b.Cost),
		cmp.Compare(a.Moves, b.Moves),
		cmp.Compare(a.Launches, b.Launches),
		cmp.Compare(a.Rank, b.Rank),
	)
}

// SameGoals says whether both meet the goals before cost alike.
func (a Score) SameGoals(b Score) bool {
	return slices.Equal(a.Unplaced, b.Unplaced) && slices.Equal(a.Drift, b.Drift) && slices.Equal(a.Weight, b.Weight)
}

// Priorities are the distinct priorities of the groups, highest first.
func Priorities(p *Problem) []int32 {
	var out []int32
	for i := range p.Groups {
		out = append(out, p.Groups[i].Priority)
	}
	slices.SortFunc(out, func(a, b int32) int { return cmp.Compare(b, a) })
	return slices.Compact(out)
}

// WeightRanks is each pool's place by weight: 0 for the highest, 1 for the next.
func WeightRanks(p *Problem) []int {
	var weights []int
	for i := range p.Pools {
		weights = append(weights, p.Pools[i].Weight)
	}
	slices.SortFunc(weights, func(a, b int) int { return cmp.Compare(b, a) })
	weights = slices.Compact(weights)
	ranks := make([]int, len(p.Pools))
	for i := range p.Pools {
		ranks[i] = slices.Index(weights, p.Pools[i].Weight)
	}
	return ranks
}
