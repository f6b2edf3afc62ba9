// Package solver finds good solutions of a model.Problem, and says how good
// they can be proved to be.
package solver

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp"
)

// Options tune one Solve. The zero value is ready to use.
type Options struct {
	// WorkLimit bounds the search in deterministic units; zero means about ten seconds of one core.
	WorkLimit uint64
	// TimeLimit is the safety stop by the clock; zero means none.
	TimeLimit time.Duration
	// Gap is enough once the relative gap is this small; zero means prove optimality.
	Gap float64
	// Seed makes equal runs equal, unless TimeLimit cut the search.
	Seed uint64
	// Engine is the engine asked for, by name; empty means the best there is.
	Engine string
	// Progress, if set, is told of better incumbents and bounds; of several in
	// quick succession perhaps only of the last.
	Progress func(Progress)
}

// Progress is how far a running Solve has come.
type Progress struct {
	Cost model.Money
	// LowerBound on the cost of solutions that leave the pods waiting that
	// Solution does, and meet the goals before cost as well.
	LowerBound model.Money
	Elapsed    time.Duration
	Engine     string
	// Solution is the incumbent. Nobody may change it any more.
	Solution model.Solution
}

// StopReason says why a Solve ended.
type StopReason string

const (
	StopOptimal   StopReason = "optimal"
	StopGap       StopReason = "gap"
	StopWorkLimit StopReason = "work limit"
	StopTimeLimit StopReason = "time limit"
	// StopFailed: the engine was lost, and left the solution that it had by then.
	StopFailed StopReason = "engine failed"
	// StopStalled: nothing that the engine knows betters the solution or the bound.
	StopStalled StopReason = "stalled"
)

// Result is the best solution found and how good it is known to be.
type Result struct {
	Solution model.Solution
	Score    model.Score
	// LowerBound on the cost: no solution that leaves the same pods waiting
	// and meets the goals before cost as well costs less.
	LowerBound model.Money
	// Certificate says why; nil if every solution was tried, or nothing is known.
	Certificate *model.Certificate
	// PlacementProved says that no solution leaves fewer pods waiting.
	PlacementProved bool
	// GoalsProved says that no solution does better by drift and pool weights.
	GoalsProved bool
	Stop        StopReason
	Engine      string
	Iterations  int
	Columns     int
	// Fallback says why the engine asked for is not the one that answered, or
	// answered only in part. Empty if all went well.
	Fallback string
}

// Tolerance is how far the cost of an optimum may be above its lower bound: a
// millionth of a dollar per hour.
const Tolerance = model.Dollar / 1_000_000

// Optimal says whether the solution is proved to be the best.
func (r *Result) Optimal() bool {
	return r.PlacementProved && r.GoalsProved && r.Score.Cost <= r.LowerBound+Tolerance
}

// Engines that a caller can ask for.
const (
	// EngineAuto is the best that can be had here.
	EngineAuto = "auto"
	// EngineHiGHS solves linear programs by HiGHS.
	EngineHiGHS = "highs"
	// EngineBuiltin needs no library: it is there on every platform.
	EngineBuiltin = "builtin"
)

// Engines lists the engines by name.
var Engines = []string{EngineAuto, EngineHiGHS, EngineBuiltin}

// Solve returns the best solution of p that it can find within o.
//
// Running out of work or time is a result, not an error; so is a pod that fits
// nowhere, or a library that is missing: then the built-in engine answers, and
// the result says so. Solve fails only if the engine is unknown or ctx is canceled.
func Solve(ctx context.Context, p *model.Problem, o Options) (Result, error) {
	engine, fallback := EngineHiGHS, ""
	switch o.Engine {
	case EngineBuiltin:
		engine = EngineBuiltin
	case "", EngineAuto, EngineHiGHS:
		if err := lp.Available(); err != nil {
			engine = EngineBuiltin
			if o.Engine == EngineHiGHS || lp.Supported {
				fallback = fmt.Sprintf("engine %s cannot be used (%s): the built-in engine answered", EngineHiGHS, err)
			}
		}
	default:
		return Result{}, fmt.Errorf("engine %q: expected one of %s", o.Engine, strings.Join(Engines, ", "))
	}
	r := run(ctx, p, o, engine)
	r.Fallback = fallback
	return r, ctx.Err()
}
