package solver

import (
	"context"

	"github.com/mortise-io/mortise/model"
)

// Solver is who solves: this process, or another one. It keeps the promises of Solve.
type Solver interface {
	Solve(ctx context.Context, p *model.Problem, o Options) (Result, error)
}

// Func makes a Solver of a function.
type Func func(ctx context.Context, p *model.Problem, o Options) (Result, error)

// Solve calls f.
func (f Func) Solve(ctx context.Context, p *model.Problem, o Options) (Result, error) {
	return f(ctx, p, o)
}
