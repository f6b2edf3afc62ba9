package cpsat

import (
	"fmt"
	"slices"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// goal is a part of a model.Score that a proof is told of.
type goal int

const (
	placement goal = iota // pods that wait, by priority
	goals                 // drift, and pods below the highest pool weights
	cost
	ties // moves, launches, rank
)

func (g goal) String() string {
	return [...]string{"waiting pods", "drift and weights", "cost", "moves and launches"}[g]
}

// stage is what is minimized at once: one number, or several of which each is
// worth more than all that follow can be.
type stage struct {
	goal goal
	sum  *sat.Linear
	// of is the sum's value in a result.
	of func(*solver.Result) int64
}

// part is one number of a score.
type part struct {
	goal goal
	sum  *sat.Linear
	most int64 // how large it can be; it is at least zero
	of   func(*model.Score) int64
}

// mostWeighted is how large the sum of several numbers may become. Smaller
// ones make for better linear relaxations.
const mostWeighted = 1 << 24

// stages puts numbers of one goal together as far as that fits.
func (x *program) stages() []stage {
	var out []stage
	parts := x.parts()
	for len(parts) > 0 {
		n, most := 1, parts[0].most
		for n < len(parts) && parts[n].goal == parts[0].goal && (most+1)*(parts[n].most+1) <= mostWeighted {
			most = (most+1)*(parts[n].most+1) - 1
			n++
		}
		out = append(out, together(parts[:n]))
		parts = parts[n:]
	}
	return out
}

// together weighs each part more than all after it.
func together(parts []part) stage {
	s := stage{goal: parts[0].goal, sum: &sat.Linear{}}
	weights := make([]int64, len(parts))
	for k, weight := len(parts)-1, int64(1); k >= 0; k-- {
		weights[k] = weight
		s.sum.AddTimes(weight, parts[k].sum)
		weight *= parts[k].most + 1
	}
	s.of = func(r *solver.Result) int64 {
		total := int64(0)
		for k := range parts {
			total += weights[k] * parts[k].of(&r.Score)
		}
		return total
	}
	return s
}

// parts are the numbers of a model.Score, most important first.
func (x *program) parts() []part {
	var out []part
	for level, priority := range model.Priorities(x.p) {
		sum, most := &sat.Linear{}, int64(0)
		for g := range x.p.Groups {
			if x.p.Groups[g].Priority == priority {
				sum.Add(1, x.waiting[g])
				most += int64(x.p.Groups[g].Demand)
			}
		}
		out = append(out, part{placement, sum, most, func(s *model.Score) int64 { return int64(s.Unplaced[level]) }})
	}
	for rank := range x.drifted {
		out = append(out, part{goals, sat.Sum(x.drifted[rank]), 1, func(s *model.Score) int64 { return int64(s.Drift[rank]) }})
	}
	if x.p.Rules.PoolWeights {
		out = append(out, x.weightParts()...)
	}
	out = append(out, part{goal: cost, sum: x.cost(), of: func(s *model.Score) int64 { return int64(s.Cost) }})
	return append(out, x.tieParts()...)
}

// weightParts count the pods on launches below the highest pool weight, below
// the next, and so on.
func (x *program) weightParts() []part {
	var out []part
	for rank := 1; ; rank++ {
		sum, most := &sat.Linear{}, int64(0)
		for i := range x.slots {
			if s := &x.slots[i]; x.rankOf(s.shape) >= int64(rank) {
				sum.AddAll(s.pods())
				most += s.mostPods()
			}
		}
		if rank > x.lowestRank() {
			return out
		}
		out = append(out, part{goals, sum, most, func(s *model.Score) int64 { return int64(s.Weight[rank-1]) }})
	}
}

// tieParts count moves, launches, and the weight ranks of launches.
func (x *program) tieParts() []part {
	moves, launches, ranks := &sat.Linear{}, &sat.Linear{}, &sat.Linear{}
	mostMoves, mostRanks := int64(0), int64(0)
	for i := range x.nodes {
		n := int64(0)
		for _, c := range x.p.Nodes[i].Pods {
			n += int64(c.N)
		}
		for _, r := range x.nodes[i].removals {
			moves.AddBool(n, r.chosen)
			mostMoves += n
		}
	}
	for i := range x.slots {
		s := &x.slots[i]
		launches.AddBool(1, s.present)
		ranks.AddBool(x.rankOf(s.shape), s.present)
		mostRanks += x.rankOf(s.shape)
	}
	return []part{
		{ties, moves, mostMoves, func(s *model.Score) int64 { return int64(s.Moves) }},
		{ties, launches, int64(len(x.slots)), func(s *model.Score) int64 { return int64(s.Launches) }},
		{ties, ranks, mostRanks, func(s *model.Score) int64 { return int64(s.Rank) }},
	}
}

// cost is a solution's objective, as model.CostOf has it.
func (x *program) cost() *sat.Linear {
	sum := &sat.Linear{}
	for i := range x.nodes {
		n := &x.p.Nodes[i]
		if n.Goes {
			continue
		}
		sum.AddBool(int64(n.KeepCost()), x.nodes[i].present)
		for _, r := range x.nodes[i].removals {
			price := n.Evict
			if r.reason.Voluntary() {
				price += n.Hurdle
			}
			sum.AddBool(int64(price), r.chosen)
		}
	}
	for i := range x.slots {
		sum.AddBool(int64(x.p.Shapes[x.slots[i].shape].Cost()), x.slots[i].present)
	}
	if x.p.Rules.SavingsOnce != 0 {
		sum.AddBool(int64(x.p.Rules.SavingsOnce), x.voluntary)
	}
	return sum
}

// gainless says that nothing has a negative cost.
func (x *program) gainless() bool {
	for i := range x.p.Nodes {
		if n := &x.p.Nodes[i]; min(n.KeepCost(), n.Evict, n.Evict+n.Hurdle) < 0 {
			return false
		}
	}
	return x.p.Rules.SavingsOnce >= 0 && !slices.ContainsFunc(x.p.Shapes, func(s model.Shape) bool { return s.Cost() < 0 })
}

func (x *program) rankOf(s model.ShapeIndex) int64 { return int64(x.ranks[x.p.Shapes[s].Pool]) }

// lowestRank is the rank of the lightest pool.
func (x *program) lowestRank() int {
	lowest := 0
	for _, r := range x.ranks {
		lowest = max(lowest, r)
	}
	return lowest
}

// take makes the response the best solution, after a doubt.
func (r *run) take(answer *sat.Response) error {
	s := r.solution(answer)
	if faults := model.Check(r.p, &s); len(faults) > 0 {
		return fmt.Errorf("the model lets a rule be broken: %s", faults[0])
	}
	if score := model.ScoreOf(r.p, &s); score.Compare(r.best.Score) < 0 {
		r.best.Solution, r.best.Score = s, score
	}
	r.hint(&r.best.Solution)
	return nil
}
