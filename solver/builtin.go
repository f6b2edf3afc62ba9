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
	best := Result{Engine: EngineBuiltin, Stop: StopWorkLimit}
	start := time.Now()
	variants := variantsOf(p)
	w := newWork(ctx, p, o)
	for k, v := range variants {
		x := newWork(ctx, v, o)
		x.meter = w.meter
		x.within(searchShare/float64(len(variants)-k), func() {
			s := x.search(o.Seed)
			solution := s.solution()
			if score := model.ScoreOf(p, &solution); k == 0 || score.Compare(best.Score) < 0 {
				best.Solution, best.Score = solution, score
			}
		})
		w.meter = x.meter
		if o.Progress != nil {
			o.Progress(Progress{Cost: best.Score.Cost, Elapsed: time.Since(start)})
		}
	}
	w.prove(&best)
	best.Stop = w.stop(&best, o)
	if o.Progress != nil {
		o.Progress(Progress{Cost: best.Score.Cost, LowerBound: best.LowerBound, Elapsed: time.Since(start)})
	}
	return best
}

// searchShare is how much of the work the search may use; the rest is for the proof.
const searchShare = 0.7

// search packs everything, takes drifted nodes away, and betters what it has.
func (w *work) search(seed uint64) *state {
	s := newState(w)
	x := newSearch(s, w.views(), seed)
	x.place()
	s.removeDrifted(x.recipes)
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
