// Package cpsat solves small problems to proven optimality, with every rule
// written out as a constraint program: the judge of the other engines.
//
// The model assigns pods to machines. For each node i that does not go anyway,
//
//	keep(i), gone(i, reason)      exactly one holds
//	x(i, g)                       how many pods of group g are added
//
// and for each shape s a bounded number of slots k, which are alike,
//
//	used(s, k)                    a machine is launched
//	y(s, k, g)                    its pods, at least one if used, else none
//
// with w(g) pods left waiting, so that for each group
//
//	Σ x + Σ y + w(g) = demand(g) + Σ pods of group g on nodes that are gone.
//
// The goals of a model.Score are minimized one after the other; the optimum of
// each is a constraint of the next. All numbers are whole, so that a proof is one.
package cpsat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// Engine is the name of this engine.
const Engine = "cpsat"

// ErrTooLarge is returned for problems that would take too many variables.
var ErrTooLarge = errors.New("too large for the assignment model")

// defaultSeconds is how much work a solve may take if nothing is said, about
// seconds of one core; secondsOfWork are those of a unit of work.
const (
	defaultSeconds = 10
	secondsOfWork  = 1e-9
)

// Solve returns the best solution of p that it can find within o, mostly with
// a proof. It sets out from the built-in engine's. Running out of work or time is
// a result, not an error. Solve fails if CP-SAT cannot be loaded, if p is too
// large (see ErrTooLarge), and if ctx is canceled; then it returns what it has by
// then as well.
func Solve(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
	return solve(ctx, p, o, builtIn)
}

// startShare is how much of the work may go into the first solution.
const startShare = 0.2

// builtIn is the built-in engine's result.
func builtIn(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
	work := cmp.Or(float64(o.WorkLimit), defaultSeconds/secondsOfWork)
	return solver.Solve(ctx, p, solver.Options{Engine: solver.EngineBuiltin, WorkLimit: uint64(startShare * work), TimeLimit: o.TimeLimit, Seed: o.Seed})
}

// solve sets out from what start returns.
func solve(ctx context.Context, p *model.Problem, o solver.Options, start solver.Func) (solver.Result, error) {
	if _, _, err := sat.Version(); err != nil {
		return solver.Result{}, err
	}
	r := &run{o: o, start: time.Now(), seconds: (1 - startShare) * cmp.Or(float64(o.WorkLimit)*secondsOfWork, defaultSeconds)}
	var err error
	if r.program, err = newProgram(p); err != nil {
		return solver.Result{}, err
	}
	first, err := start(ctx, p, o)
	if err != nil {
		return solver.Result{}, err
	}
	r.begin(&first)
	for _, s := range r.stages() {
		if err := r.stage(ctx, s); err != nil {
			return r.best, err
		}
	}
	r.inherit(&first)
	r.end()
	return r.best, ctx.Err()
}

// run is one solve in progress.
type run struct {
	*program
	o       solver.Options
	start   time.Time
	seconds float64 // of work that are left
	best    solver.Result
	// failed says that a stage was not proved: later ones prove no more than
	// what is best among solutions that do as well before.
	failed   bool
	timedOut bool
}

// begin takes up a first solution, and proves anew.
func (r *run) begin(first *solver.Result) {
	r.best = solver.Result{Engine: Engine, Solution: first.Solution, Score: first.Score, PlacementProved: true, GoalsProved: true, LowerBound: math.MinInt64}
	if r.gainless() {
		r.best.LowerBound = 0
	}
	r.hint(&r.best.Solution)
	r.report()
}

// inherit takes what was proved of the first solution, where that holds still.
func (r *run) inherit(first *solver.Result) {
	if !slices.Equal(first.Solution.Unplaced, r.best.Solution.Unplaced) {
		return
	}
	r.best.PlacementProved = r.best.PlacementProved || first.PlacementProved
	if slices.Equal(first.Score.Drift, r.best.Score.Drift) && slices.Equal(first.Score.Weight, r.best.Score.Weight) {
		r.best.GoalsProved = r.best.GoalsProved || first.GoalsProved
		r.best.LowerBound = max(r.best.LowerBound, min(first.LowerBound, r.best.Score.Cost))
	}
}

// stage minimizes one more goal, as far as work and time go.
func (r *run) stage(ctx context.Context, s stage) error {
	answer := sat.Response{Status: sat.Optimal} // nothing is below zero
	if s.goal == cost || s.of(&r.best) > 0 {
		var err error
		if answer, err = r.minimize(ctx, s); err != nil {
			return fmt.Errorf("minimize %s: %w", s.goal, err)
		}
	}
	reached := s.of(&r.best)
	r.m.AddLinear(s.sum, sat.Lowest, reached)
	r.judge(s.goal, &answer, reached)
	return nil
}

// minimize solves the stage, and keeps a better solution.
func (r *run) minimize(ctx context.Context, s stage) (sat.Response, error) {
	if s.goal == cost {
		r.cutSlots()
	}
	r.m.Minimize(s.sum)
	answer, err := r.m.Solve(ctx, r.params(s))
	if err != nil {
		return answer, err
	}
	r.seconds -= answer.DeterministicTime
	known := s.of(&r.best)
	if answer.Solved() {
		if err := r.take(&answer); err != nil {
			return answer, err
		}
	}
	if r.exact && (answer.Status == sat.Infeasible || answer.Status != sat.Unknown && answer.Bound > known) {
		return answer, fmt.Errorf("%s with bound %d, though there is a solution with %d", answer.Status, answer.Bound, known)
	}
	return answer, nil
}

// cutSlots takes away launches that alone would cost more than the best solution.
func (r *run) cutSlots() {
	if !r.gainless() {
		return
	}
	for i := range r.slots {
		s := &r.slots[i]
		if each := r.p.Shapes[s.shape].Cost(); model.Money(s.place+1)*each > r.best.Score.Cost {
			r.m.AddOr([]sat.Bool{s.present.Not()})
		}
	}
}

// params are the limits of a stage: what is left.
func (r *run) params(s stage) sat.Params {
	p := sat.Params{DeterministicTime: max(r.seconds, leastSeconds), Seed: int64(r.o.Seed)}
	if s.goal == cost {
		p.Gap = r.o.Gap
	}
	if r.o.TimeLimit > 0 {
		p.Time = max(r.o.TimeLimit-time.Since(r.start), time.Millisecond)
	}
	return p
}

// leastSeconds of work are left to a stage in any case.
const leastSeconds = 1e-3

// judge notes what a stage has proved.
func (r *run) judge(g goal, answer *sat.Response, reached int64) {
	proved := answer.Status == sat.Optimal && r.exact && !r.failed
	switch g {
	case placement:
		r.best.PlacementProved = r.best.PlacementProved && proved
	case goals:
		r.best.GoalsProved = r.best.GoalsProved && proved
	case cost:
		if r.exact {
			r.best.LowerBound = max(r.best.LowerBound, model.Money(min(answer.Bound, reached)))
		}
		r.report()
	case ties:
	}
	r.failed = r.failed || g != cost && answer.Status != sat.Optimal
	r.timedOut = r.timedOut || r.o.TimeLimit > 0 && time.Since(r.start) >= r.o.TimeLimit
}

func (r *run) report() {
	if r.o.Progress != nil {
		r.o.Progress(solver.Progress{
			Cost: r.best.Score.Cost, LowerBound: r.best.LowerBound, Elapsed: time.Since(r.start), Engine: Engine, Solution: r.best.Solution,
		})
	}
}

// end says why the solve ended.
func (r *run) end() {
	switch gap := float64(r.best.Score.Cost - r.best.LowerBound); {
	case r.best.Optimal():
		r.best.Stop = solver.StopOptimal
	case r.best.PlacementProved && gap <= r.o.Gap*max(float64(r.best.Score.Cost), 0):
		r.best.Stop = solver.StopGap
	case r.timedOut:
		r.best.Stop = solver.StopTimeLimit
	default:
		r.best.Stop = solver.StopWorkLimit
	}
}
