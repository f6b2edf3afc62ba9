package solver

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/mortise-io/mortise/model"
)

// EngineBuiltin is the engine of this package: greedy packing, local search,
// and a bound by linear programming. It is there on every platform.
const EngineBuiltin = "builtin"

// builtin solves p with what this package has of its own.
func builtin(ctx context.Context, p *model.Problem, o Options) Result {
	b := &run{p: p, o: o, start: time.Now(), w: newWork(ctx, p, o)}
	b.best = Result{Engine: EngineBuiltin}
	b.w.within(searchShare, func() { b.search(nil) })
	b.prove()
	b.best.Stop = b.w.stop(&b.best, o)
	b.report()
	return b.best
}

// run is one solve in progress.
type run struct {
	p     *model.Problem
	o     Options
	start time.Time
	w     *work
	best  Result
}

func (b *run) report() {
	if b.o.Progress != nil {
		b.o.Progress(Progress{Cost: b.best.Score.Cost, LowerBound: b.best.LowerBound, Elapsed: time.Since(b.start)})
	}
}

// search searches every variant of the problem, led by a relaxation if there is one.
func (b *run) search(lead *relaxation) (better bool) {
	variants := variantsOf(b.p)
	for k, v := range variants {
		x := b.w
		if v != b.p {
			x = newWork(b.w.ctx, v, b.o)
			x.meter = b.w.meter
		}
		x.within(1/float64(len(variants)-k), func() {
			s := x.search(b.o.Seed, lead)
			solution := s.solution()
			score := model.ScoreOf(b.p, &solution)
			if b.best.Solution.Nodes == nil || score.Compare(b.best.Score) < 0 {
				b.best.Solution, b.best.Score, better = solution, score, true
			}
		})
		b.w.meter = x.meter
	}
	b.report()
	return better
}

// prove bounds the result, and lets the relaxation that did lead another search.
func (b *run) prove() {
	lead := b.w.prove(&b.best)
	b.report()
	if lead == nil || b.best.Optimal() || b.enough() {
		return
	}
	before := b.best
	improved := false
	b.w.within(searchShare, func() { improved = b.search(lead) })
	// The bound holds for solutions that meet the goals before cost as the old result did.
	same := slices.Equal(before.Solution.Unplaced, b.best.Solution.Unplaced) && slices.Equal(before.Score.Drift, b.best.Score.Drift) && slices.Equal(before.Score.Weight, b.best.Score.Weight)
	if improved && !same {
		b.w.prove(&b.best)
	}
	b.best.LowerBound = min(b.best.LowerBound, b.best.Score.Cost)
}

// enough says whether the gap is as small as asked for.
func (b *run) enough() bool {
	return b.best.PlacementProved && float64(b.best.Score.Cost-b.best.LowerBound) <= b.o.Gap*math.Abs(float64(b.best.Score.Cost))
}

// searchShare is how much of the work the search may use; the rest is for the proof.
const searchShare = 0.5

// search packs everything, takes drifted nodes away, and betters what it has.
func (w *work) search(seed uint64, lead *relaxation) *state {
	s := newState(w)
	clear(w.fixed)
	views := w.views()
	if lead != nil {
		views = append([]*view{lead.guided()}, views...)
	}
	x := newSearch(s, views, seed)
	x.place()
	s.removeDrifted(x.recipes)
	if lead != nil && lead.w == w {
		lead.round(s, x.recipes)
	}
	x.run()
	s.removeDrifted(x.recipes)
	x.run()
	return s
}

// stop says why the search ended.
func (w *work) stop(r *Result, o Options) StopReason {
	switch gap := r.Score.Cost - r.LowerBound; {
	case r.Optimal():
		return StopOptimal
	case r.PlacementProved && float64(gap) <= o.Gap*math.Abs(float64(r.Score.Cost)):
		return StopGap
	case w.timedOut:
		return StopTimeLimit
	}
	return StopWorkLimit
}

// variantsOf are restrictions of p that together hold an optimum of it, each
// without the rules that a step-by-step search cannot cross.
func variantsOf(p *model.Problem) []*model.Problem {
	if p.Rules.PendingApart {
		open := *p
		open.Rules.PendingApart = false
		return append(variantsOf(withoutBuying(&open)), withoutRemovals(&open))
	}
	if p.Rules.SavingsOnce > 0 {
		free := *p
		free.Rules.SavingsOnce = 0
		return []*model.Problem{&free, withoutRemovals(p)}
	}
	return []*model.Problem{p}
}

// withoutRemovals removes no node voluntarily.
func withoutRemovals(p *model.Problem) *model.Problem {
	q := *p
	q.Nodes = slices.Clone(p.Nodes)
	for i := range q.Nodes {
		q.Nodes[i].Voluntary = model.Stays
	}
	return &q
}

// withoutBuying launches nothing for pending pods.
func withoutBuying(p *model.Problem) *model.Problem {
	q := *p
	q.Groups = slices.Clone(p.Groups)
	for g := range q.Groups {
		if q.Groups[g].Origin.Kind == model.Pending {
			q.Groups[g].Shapes = model.Set[model.ShapeIndex]{}
		}
	}
	return &q
}
