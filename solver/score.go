package solver

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// maxGoals is how many goals before cost a score tells apart. More priorities
// than that are rare; the lowest of them then share one.
const maxGoals = 12

// score is a model.Score that adds up over machines. It lacks the drift goal,
// which is decided before the search, and the rules that look at the whole
// solution.
type score struct {
	goals    [maxGoals]int64 // unplaced pods by priority, then pods below each pool weight
	cost     int64           // nano-dollars per hour
	moves    int64
	launches int64
	rank     int64
}

func (a *score) add(b *score) {
	for i := range a.goals {
		a.goals[i] += b.goals[i]
	}
	a.cost += b.cost
	a.moves += b.moves
	a.launches += b.launches
	a.rank += b.rank
}

func (a *score) sub(b *score) {
	for i := range a.goals {
		a.goals[i] -= b.goals[i]
	}
	a.cost -= b.cost
	a.moves -= b.moves
	a.launches -= b.launches
	a.rank -= b.rank
}

// compare is negative if a is better.
func (a *score) compare(b *score) int {
	return cmp.Or(
		slices.Compare(a.goals[:], b.goals[:]),
		cmp.Compare(a.cost, b.cost),
		cmp.Compare(a.moves, b.moves),
		cmp.Compare(a.launches, b.launches),
		cmp.Compare(a.rank, b.rank),
	)
}

// goalIndex assigns the goals before cost: one for each priority that has a
// demand, then one for each pool weight below the highest.
type goalIndex struct {
	priority []int // by group
	weight   int   // first of the weights
}

func newGoalIndex(p *model.Problem) goalIndex {
	var demanded []int32
	for i := range p.Groups {
		if p.Groups[i].Demand > 0 {
			demanded = append(demanded, p.Groups[i].Priority)
		}
	}
	slices.SortFunc(demanded, func(a, b int32) int { return cmp.Compare(b, a) })
	demanded = slices.Compact(demanded)

	weights := 0
	if p.Rules.PoolWeights {
		weights = min(slices.Max(append([]int{0}, model.WeightRanks(p)...)), maxGoals/2)
	}
	room := maxGoals - weights
	x := goalIndex{priority: make([]int, len(p.Groups)), weight: min(len(demanded), room)}
	for i := range p.Groups {
		level, _ := slices.BinarySearchFunc(demanded, p.Groups[i].Priority, func(a, b int32) int { return cmp.Compare(b, a) })
		x.priority[i] = min(level, room-1)
	}
	return x
}
