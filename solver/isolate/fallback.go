package isolate

import (
	"context"
	"fmt"
	"time"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

// fallBack answers without the child, which was lost for the given reason.
func (e *errand) fallBack(ctx context.Context, lost error) solver.Result {
	if r, ok := e.incumbent(); ok {
		r.Fallback = fmt.Sprintf("solver process: %s; this is the best solution that it had found", lost)
		return r
	}
	r, err := e.standIn(ctx)
	if err == nil {
		r.Fallback = fmt.Sprintf("solver process: %s; the built-in engine stood in", lost)
		return r
	}
	r = e.unchanged()
	r.Fallback = fmt.Sprintf("solver process: %s; built-in engine: %s; nothing is changed", lost, err)
	return r
}

// incumbent is the best solution heard of, if it is worth the name.
func (e *errand) incumbent() (solver.Result, bool) {
	if e.heard == nil || len(model.Check(e.problem, &e.heard.Solution)) > 0 {
		return solver.Result{}, false
	}
	r := solver.Result{Solution: e.heard.Solution, Score: model.ScoreOf(e.problem, &e.heard.Solution), Engine: e.heard.Engine, Stop: solver.StopFailed}
	r.LowerBound = min(e.heard.LowerBound, r.Score.Cost)
	return r, true
}

// standIn is the built-in engine's answer, found in this process. It fails if
// even that engine does.
func (e *errand) standIn(ctx context.Context) (r solver.Result, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	o := e.options
	o.Engine = solver.EngineBuiltin
	if o.TimeLimit > 0 {
		o.TimeLimit = max(o.TimeLimit-time.Since(e.start), e.limits.Grace)
	}
	if r, err = solver.Solve(ctx, e.problem, o); err != nil {
		return r, err
	}
	return r, e.vet(&r)
}

// unchanged is the solution that launches, moves and removes nothing.
func (e *errand) unchanged() solver.Result {
	s := model.Solution{Nodes: make([]model.Fate, len(e.problem.Nodes)), Unplaced: make([]int, len(e.problem.Groups))}
	for i := range s.Nodes {
		s.Nodes[i].Removal = model.Stays
		if e.problem.Nodes[i].Goes {
			s.Nodes[i].Removal = model.Forced
		}
	}
	for g := range s.Unplaced {
		s.Unplaced[g] = e.problem.Groups[g].Demand
	}
	r := solver.Result{Solution: s, Score: model.ScoreOf(e.problem, &s), Engine: solver.EngineBuiltin, Stop: solver.StopFailed}
	r.LowerBound = min(0, r.Score.Cost)
	return r
}
