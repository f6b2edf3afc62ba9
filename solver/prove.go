package solver

import (
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// exhaust betters the result to the optimum. It returns false if the work does not suffice.
func (b *solve) exhaust() bool {
	if !b.w.exhaust(&b.best) {
		return false
	}
	b.best.PlacementProved, b.best.GoalsProved, b.best.LowerBound = true, true, b.best.Score.Cost
	b.report()
	return true
}

// prove says how good the best solution can be shown to be, with a share of
// the work that is left: it bounds the pods that have to wait and the cost from
// below. It returns the relaxation that does; nil if the problem is too large for it.
func (b *solve) prove(share float64) *relaxation {
	w, r := b.w, &b.best
	b.proved, b.relaxed = *r, nil
	var x *relaxation
	w.within(share, func() {
		r.PlacementProved = w.placementProved(r)
		r.GoalsProved = w.driftProved(r) && !slices.ContainsFunc(r.Score.Weight, func(n int) bool { return n > 0 })
		r.LowerBound = w.cheapBound(r)
		if x = w.newRelaxation(r, costLevel); x == nil {
			return
		}
		x.start(r, w.newView(nil).value)
		b.relaxed = x
		x.run(float64(r.Score.Cost) * (1 - b.o.Gap/4))
		r.Iterations += x.rounds
		r.Columns += x.master.Columns()
		if lower := model.Money(math.Floor(max(x.best, -math.MaxInt32))); lower > r.LowerBound {
			r.LowerBound = min(lower, r.Score.Cost)
		}
	})
	b.report()
	return x
}

// cheapBound counts what cannot go away: nodes that stay in any case.
func (w *work) cheapBound(r *Result) model.Money {
	var sum model.Money
	for i := range w.p.Nodes {
		n := &w.p.Nodes[i]
		switch {
		case n.Goes:
		case mayGo(n):
			sum += min(n.KeepCost(), n.Evict)
		default:
			sum += n.KeepCost()
		}
	}
	return min(sum, r.Score.Cost)
}

// waitingAt is how many pods of the level the result leaves waiting.
func (w *work) waitingAt(r *Result, level int) int {
	n := 0
	for g, x := range r.Solution.Unplaced {
		if x > 0 && w.goals.priority[g] == level {
			n += x
		}
	}
	return n
}

// placementProved says whether no solution leaves fewer pods waiting, level by level.
func (w *work) placementProved(r *Result) bool {
	for level := range w.goals.weight {
		waiting := w.waitingAt(r, level)
		if waiting == 0 {
			continue
		}
		if waiting == w.hopeless(r, level) {
			continue
		}
		x := w.newRelaxation(r, level)
		if x == nil {
			return false
		}
		x.start(r, nil)
		x.run(float64(waiting))
		if int(math.Ceil(x.best)) < waiting {
			return false
		}
	}
	return true
}

// hopeless counts the waiting pods of the level that nothing could ever hold.
func (w *work) hopeless(r *Result, level int) int {
	n := 0
	for g, x := range r.Solution.Unplaced {
		group := &w.p.Groups[g]
		if x == 0 || w.goals.priority[g] != level {
			continue
		}
		somewhere := slices.ContainsFunc(w.open, func(i model.NodeIndex) bool {
			return group.Nodes.Has(i) && fits(group.Request, w.p.Nodes[i].Free)
		})
		for _, s := range w.frontier {
			somewhere = somewhere || group.Shapes.Has(s) && fits(group.Request, w.p.Shapes[s].Allocatable)
		}
		if !somewhere {
			n += x
		}
	}
	return n
}

// dive turns the relaxation into a solution: the fates of nodes and the whole
// parts of its launches first, the rest packed by what its duals say pods are
// worth. It betters the state if it can.
func (x *relaxation) dive(s *state, recipes []recipe) bool {
	better := x.land(s, recipes, x.master.Values(), math.Ceil)
	better = x.land(s, recipes, x.master.Values(), math.Round) || better
	if whole := x.integers(float64(s.total.cost)); whole != nil {
		better = x.land(s, recipes, whole, math.Round) || better
	}
	return better
}

// land makes the solution that the columns' values stand for, and betters the
// state if it is better.
func (x *relaxation) land(s *state, recipes []recipe, values []float64, round func(float64) float64) bool {
	r := ruin{launches: slices.Clone(s.launches), nodes: x.fates(s, values, round)}
	for j, v := range values {
		if l := x.columns[j].launch; l != nil {
			for range int(math.Floor(v + 1e-6)) {
				r.seeds = append(r.seeds, l)
			}
		}
	}
	return s.rebuild(r, recipes)
}

// fates keeps as many nodes of each class as the relaxation does, rounded: those
// that are kept now first. Kept nodes get the whole parts of what it puts onto them.
func (x *relaxation) fates(s *state, values []float64, round func(float64) float64) []nodeChange {
	kept := make([]float64, len(x.classes))
	extras := make([][][]model.Count, len(x.classes))
	for j, v := range values {
		c := &x.columns[j]
		if c.launch != nil || c.class < 0 || v == 0 {
			continue
		}
		kept[c.class] += v
		for range int(math.Floor(v + 1e-6)) {
			if len(c.extra) > 0 {
				extras[c.class] = append(extras[c.class], c.extra)
			}
		}
	}
	var out []nodeChange
	for c := range x.classes {
		class := &x.classes[c]
		n := &x.w.p.Nodes[class.nodes[0]]
		keep := len(class.nodes)
		if !class.fixed && n.Voluntary.Voluntary() {
			keep = int(round(kept[c] - 1e-6))
		}
		for _, stays := range []bool{true, false} {
			for _, i := range class.nodes {
				if (s.nodes[i].removal == model.Stays) != stays || s.w.fixed[i] {
					continue
				}
				to := nodeChange{node: i, removal: model.Stays}
				switch {
				case keep <= 0:
					to.removal = n.Voluntary
				case len(extras[c]) > 0:
					to.pods, extras[c] = extras[c][0], extras[c][1:]
				}
				keep--
				if s.nodes[i].removal != to.removal || len(s.nodes[i].pods) > 0 || len(to.pods) > 0 {
					out = append(out, to)
				}
			}
		}
	}
	return out
}

// guide is w's plain view with the worth of pods as the duals have it.
func (x *relaxation) guide(w *work) *view {
	v := w.newView(nil)
	duals := x.duals
	if x.last != nil {
		duals = x.last
	}
	for _, g := range x.groups {
		if y := duals[x.cover[g]]; y > 0 {
			v.value[g] = y
		}
	}
	return v
}
