package solver

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/mortise-io/mortise/model"
)

// run solves p: it packs, bounds what it has by a relaxation, lets that lead a
// search, and tries small problems out completely. The engine says who solves
// the linear programs.
func run(ctx context.Context, p *model.Problem, o Options, engine string) Result {
	b := &solve{p: p, o: o, start: time.Now(), w: newWork(ctx, p, o)}
	b.w.highs = engine == EngineHiGHS
	b.best = Result{Engine: engine}
	b.pack()
	if b.w.small() && b.exhaust() {
		b.best.Stop = StopOptimal
		return b.best
	}
	lead := b.prove(proofShare)
	b.search(lead)
	if !b.stillProved() {
		b.prove(1)
	}
	b.best.LowerBound = min(b.best.LowerBound, b.best.Score.Cost)
	b.best.Stop = b.stop()
	b.best.Certificate = b.certificate()
	b.report()
	return b.best
}

// Shares of the work that is left: for the first proof, and for the search
// that it leads. What remains is for the last proof.
const (
	proofShare  = 0.4
	searchShare = 0.8
)

// solve is one Solve in progress.
type solve struct {
	p      *model.Problem
	o      Options
	start  time.Time
	w      *work // of p
	states []*state
	best   Result
	proved Result // the best solution when it was last bounded
	// relaxed is the relaxation that bounded it; nil if the problem is too large for it.
	relaxed *relaxation
}

// stillProved says whether the last proof holds for the best solution, too:
// it leaves the same pods waiting and meets the goals before cost alike.
func (b *solve) stillProved() bool {
	return slices.Equal(b.proved.Solution.Unplaced, b.best.Solution.Unplaced) && b.proved.Score.SameGoals(b.best.Score)
}

// report tells of the incumbent, and of its bound if there is one.
func (b *solve) report() {
	if b.o.Progress == nil {
		return
	}
	p := Progress{Cost: b.best.Score.Cost, Elapsed: time.Since(b.start), Engine: b.best.Engine, Solution: b.best.Solution}
	if b.stillProved() {
		p.LowerBound = b.best.LowerBound
	}
	b.o.Progress(p)
}

// offer keeps the state's solution if it is the best.
func (b *solve) offer(s *state) {
	solution := s.solution()
	score := model.ScoreOf(b.p, &solution)
	if b.best.Solution.Nodes == nil || score.Compare(b.best.Score) < 0 {
		b.best.Solution, b.best.Score = solution, score
		b.report()
	}
}

// each runs f on the state of every variant, on the same meter.
func (b *solve) each(f func(*state)) {
	for k, s := range b.states {
		s.w.meter = b.w.meter
		s.w.within(1/float64(len(b.states)-k), func() { f(s) })
		b.w.meter = s.w.meter
		b.offer(s)
	}
}

// pack makes a first solution of every variant.
func (b *solve) pack() {
	b.states = nil
	for _, v := range variantsOf(b.p) {
		w := b.w
		if v != b.p {
			w = newWork(b.w.ctx, v, b.o)
		}
		clear(w.fixed)
		b.states = append(b.states, newState(w))
	}
	b.each(func(s *state) {
		x := newSearch(s, s.w.views(), b.o.Seed)
		x.place()
		s.removeDrifted(x.recipes)
	})
}

// search betters every variant, led by the relaxation of the problem if there
// is one, and where there is work left once more without it.
func (b *solve) search(lead *relaxation) {
	if b.enough() {
		return
	}
	b.w.within(searchShare, func() {
		b.each(func(s *state) { s.better(b.o.Seed, lead) })
		if lead != nil && !b.enough() && len(b.best.Solution.Launches)+len(b.best.Solution.Nodes) <= twiceUpTo {
			b.pack()
			b.each(func(s *state) { s.better(b.o.Seed, nil) })
		}
	})
}

// twiceUpTo is how many machines are few enough for a second search: another
// start finds another end.
const twiceUpTo = 400

// better searches from the state on, led by the relaxation if there is one.
func (s *state) better(seed uint64, lead *relaxation) {
	views := s.w.views()
	if lead != nil && lead.duals != nil {
		views = append([]*view{lead.guide(s.w)}, views...)
	}
	x := newSearch(s, views, seed)
	if lead != nil && lead.w == s.w {
		lead.dive(s, x.recipes)
		x.worthwhile = (float64(s.total.cost) - lead.best) / (4 * float64(1+len(s.launches)+len(s.nodes)))
	}
	x.run()
	s.removeDrifted(x.recipes)
	x.run()
}

// enough says whether the gap is as small as asked for.
func (b *solve) enough() bool {
	return b.best.PlacementProved && b.best.GoalsProved && float64(b.best.Score.Cost-b.best.LowerBound) <= b.o.Gap*math.Abs(float64(b.best.Score.Cost))
}

// stop says why the search ended.
func (b *solve) stop() StopReason {
	switch {
	case b.best.Optimal():
		return StopOptimal
	case b.enough():
		return StopGap
	case b.w.timedOut:
		return StopTimeLimit
	case b.w.exhausted():
		return StopWorkLimit
	}
	return StopStalled
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
