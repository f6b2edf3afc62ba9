// Package engine knows the engines by name, and picks who solves.
package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/cpsat"
)

// Names lists the engines that can be asked for.
var Names = []string{solver.EngineAuto, solver.EngineHiGHS, cpsat.Engine, solver.EngineBuiltin}

// Solve has p solved by the engine of o, and keeps the promises of
// solver.Solve. Where that engine cannot solve p, the best other one does, and
// the result says so.
func Solve(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
	if o.Engine != "" && !slices.Contains(Names, o.Engine) {
		return solver.Result{}, fmt.Errorf("engine %q: expected one of %s", o.Engine, strings.Join(Names, ", "))
	}
	if o.Engine != cpsat.Engine {
		return solver.Solve(ctx, p, o)
	}
	r, err := cpsat.Solve(ctx, p, o)
	if err == nil || ctx.Err() != nil {
		return r, err
	}
	o.Engine = solver.EngineAuto
	r, other := solver.Solve(ctx, p, o)
	r.Fallback = fmt.Sprintf("engine %s cannot be used (%s): engine %s answered", cpsat.Engine, err, r.Engine)
	return r, other
}
