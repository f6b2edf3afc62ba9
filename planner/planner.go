// Package planner makes one plan of one snapshot: Compile, Solve, Assemble,
// Verify, and the questions that are answered by solving again (why a node is
// kept, what the rules hold back).
package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/engine"
)

// Options of one Plan, beside the snapshot's policy.
type Options struct {
	// Engine is one of engine.Names; empty means solver.EngineAuto.
	Engine string
	// Solver solves; nil means this process.
	Solver solver.Solver
	// Potential asks what the rules hold back, too.
	Potential bool
	// Warnings are what there was to say of the snapshot before; the plan repeats them.
	Warnings []string
	// Progress, if set, is told how the search goes.
	Progress func(solver.Progress)
	// Certificate, if set, is told why the plan's lower bound holds. It is told
	// nil where no certificate says so: every plan was tried, or the plan is a
	// fallback without a bound of its own.
	Certificate func(*model.Certificate)
}

// Errors of Plan.
var (
	// ErrSnapshot is returned when a snapshot cannot be made a problem of.
	ErrSnapshot = errors.New("compile snapshot")
	// ErrInvalid is returned when no plan could be found that keeps every rule.
	ErrInvalid = errors.New("no valid plan")
)

// Plan answers a snapshot whose catalog is resolved (see catalog.Resolve).
//
// Every plan is held against the snapshot before it is returned. One that
// breaks a rule, or a solver that fails, gives way to the built-in engine, and
// to a plan that removes nothing by choice, with a warning. Plan fails if the
// engine is unknown, ctx is canceled, with ErrSnapshot, or with ErrInvalid.
func Plan(ctx context.Context, s *v1alpha1.Snapshot, o Options) (*v1alpha1.Plan, error) {
	start := time.Now()
	if o.Engine != "" && !slices.Contains(engine.Names, o.Engine) {
		return nil, fmt.Errorf("engine %q: expected one of %s", o.Engine, strings.Join(engine.Names, ", "))
	}
	if o.Solver == nil {
		o.Solver = solver.Func(engine.Solve)
	}
	s, warnings := expanded(s)
	c, err := compile(s)
	if err != nil {
		return nil, err
	}
	c.Warnings = distinct(slices.Concat(c.Warnings, warnings, o.Warnings))
	x := &planning{ctx: ctx, s: s, c: c, o: o, settings: settings(s, o)}
	plan, certificate, err := x.plan()
	if err != nil {
		return nil, err
	}
	if o.Certificate != nil {
		o.Certificate(certificate)
	}
	plan.Solver.Seconds = time.Since(start).Seconds()
	return plan, nil
}

// expanded is the snapshot with the pods that workloads are missing, if its
// policy asks for them.
func expanded(s *v1alpha1.Snapshot) (*v1alpha1.Snapshot, []string) {
	if *s.Policy.Default().ExpandWorkloads {
		return snapshot.Expand(s)
	}
	return s, nil
}

// compile makes the problem of an expanded snapshot.
func compile(s *v1alpha1.Snapshot) (*snapshot.Compiled, error) {
	c, err := snapshot.Compile(s, snapshot.Options{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	return c, nil
}

// settings are the solver's options by the snapshot's policy.
func settings(s *v1alpha1.Snapshot, o Options) solver.Options {
	p := s.Policy.Default()
	return solver.Options{
		WorkLimit: *p.WorkLimit,
		TimeLimit: p.TimeLimit.Duration,
		Gap:       *p.Gap,
		Seed:      *p.Seed,
		Engine:    o.Engine,
		Progress:  o.Progress,
	}
}

// planning is one Plan in progress.
type planning struct {
	ctx      context.Context
	s        *v1alpha1.Snapshot
	c        *snapshot.Compiled
	o        Options
	settings solver.Options
}

// solve solves the problem, which is x.c's or a restriction of it, and
// assembles the plan.
func (x *planning) solve(p *model.Problem) (*v1alpha1.Plan, solver.Result, error) {
	result, err := x.o.Solver.Solve(x.ctx, p, x.settings)
	if err != nil {
		return nil, result, fmt.Errorf("solve: %w", err)
	}
	if broken := model.Check(&x.c.Problem, &result.Solution); len(broken) > 0 {
		return nil, result, fmt.Errorf("solve: %w: %s", ErrInvalid, broken[0])
	}
	plan := snapshot.Assemble(x.c, &result.Solution)
	report(plan, p, &result)
	return plan, result, nil
}

// report fills in what only the search knows.
func report(plan *v1alpha1.Plan, p *model.Problem, r *solver.Result) {
	plan.Outcome = v1alpha1.Feasible
	lower := min(r.LowerBound, r.Score.Cost)
	if r.Optimal() {
		plan.Outcome = v1alpha1.Optimal
	}
	if r.Fallback != "" {
		plan.Outcome = v1alpha1.Fallback
		plan.Warnings = distinct(append(plan.Warnings, r.Fallback))
	}
	slack := r.Score.Cost - lower
	plan.Placement.Proved = r.PlacementProved
	plan.Cost.Objective.LowerBound = lower.USD()
	plan.Cost.LowerBoundPerHour = (model.Dollars(plan.Cost.AfterPerHour) - slack).USD()
	if r.Score.Cost != 0 {
		plan.Cost.Gap = float64(slack) / float64(r.Score.Cost)
	}
	plan.Solver = v1alpha1.SolverReport{
		Engine:     r.Engine,
		Iterations: r.Iterations,
		Columns:    r.Columns,
		Groups:     len(p.Groups),
		Shapes:     len(p.Shapes),
		Stop:       string(r.Stop),
	}
}

// distinct sorts the warnings and leaves each only once.
func distinct(warnings []string) []string {
	slices.Sort(warnings)
	return slices.Compact(warnings)
}
