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
// a proof. Running out of work or time is a result, not an error. Solve fails if
// CP-SAT cannot be loaded, if p is too large (see ErrTooLarge), and if ctx is
// canceled; then it returns what it has by then as well.
func Solve(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
	if _, _, err := sat.Version(); err != nil {
		return solver.Result{}, err
	}
	x, err := newProgram(p)
	if err != nil {
		return solver.Result{}, err
	}
	r := &run{program: x, o: o, start: time.Now(), seconds: cmp.Or(float64(o.WorkLimit)*secondsOfWork, defaultSeconds)}
	r.begin()
	for _, s := range x.stages() {
		if err := r.stage(ctx, s); err != nil {
			return r.best, err
		}
	}
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

// begin sets out from the solution that changes nothing, which breaks no rule.
func (r *run) begin() {
	s := model.Solution{Nodes: make([]model.Fate, len(r.p.Nodes)), Unplaced: make([]int, len(r.p.Groups))}
	for i := range s.Nodes {
		s.Nodes[i].Removal = model.Stays
		if r.p.Nodes[i].Goes {
			s.Nodes[i].Removal = model.Forced
		}
	}
	for g := range s.Unplaced {
		s.Unplaced[g] = r.p.Groups[g].Demand
	}
	r.best = solver.Result{Engine: Engine, Solution: s, Score: model.ScoreOf(r.p, &s), PlacementProved: true, GoalsProved: true}
	r.hint(&s)
}

// stage minimizes one more goal, as far as work and time go.
func (r *run) stage(ctx context.Context, s stage) error {
	r.m.Minimize(s.sum)
	answer, err := r.m.Solve(ctx, r.params(s))
	if err != nil {
		return fmt.Errorf("minimize %s: %w", s.goal, err)
	}
	if answer.Status == sat.Infeasible {
		return fmt.Errorf("minimize %s: no solution, though there is one", s.goal)
	}
	r.seconds -= answer.DeterministicTime
	if answer.Solved() {
		if err := r.take(&answer); err != nil {
			return fmt.Errorf("minimize %s: %w", s.goal, err)
		}
	}
	reached := s.of(&r.best)
	r.m.AddLinear(s.sum, sat.Lowest, reached)
	r.judge(s.goal, &answer, reached)
	return nil
}

// params are the limits of a stage: what is left.
func (r *run) params(s stage) sat.Params {
	p := sat.Params{DeterministicTime: max(r.seconds, leastSeconds), Interleave: true, Seed: int64(r.o.Seed)}
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
		bound := min(answer.Bound, reached)
		if !r.exact {
			bound = min(bound, 0)
		}
		r.best.LowerBound = model.Money(bound)
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
