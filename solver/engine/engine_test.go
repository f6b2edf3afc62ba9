package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/modeltest"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/cpsat"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

func TestEveryEngineAnswers(t *testing.T) {
	p := modeltest.Random(1)
	for _, name := range append(Names, "") {
		r, err := Solve(t.Context(), p, solver.Options{Engine: name})
		require.NoError(t, err, name)
		require.Empty(t, model.Check(p, &r.Solution), name)
	}
}

func TestCPSATAnswersWhereItIsAskedFor(t *testing.T) {
	if _, _, err := sat.Version(); err != nil {
		t.Skipf("CP-SAT cannot be loaded, make native fetches it: %v", err)
	}
	r, err := Solve(t.Context(), modeltest.Random(1), solver.Options{Engine: cpsat.Engine})
	require.NoError(t, err)
	require.Equal(t, cpsat.Engine, r.Engine)
	require.Empty(t, r.Fallback)
}

// large has more places for pods than CP-SAT's model may have variables.
func large() *model.Problem {
	p := modeltest.Random(1)
	p.Rules.SpotDiversity = 500_000
	for g := range p.Groups {
		p.Groups[g].Demand = 1_000_000
		for s := range p.Shapes {
			p.Groups[g].Shapes.Add(model.ShapeIndex(s))
			p.Shapes[s].Spot = true
			p.Shapes[s].Allocatable = model.Quantities{1 << 40, 1 << 40, 1 << 40}
		}
	}
	return p
}

func TestAnotherEngineAnswersWhatIsTooLarge(t *testing.T) {
	p := large()
	r, err := Solve(t.Context(), p, solver.Options{Engine: cpsat.Engine, WorkLimit: 100_000_000})
	require.NoError(t, err)
	require.Empty(t, model.Check(p, &r.Solution))
	require.NotEqual(t, cpsat.Engine, r.Engine)
	require.Contains(t, r.Fallback, "engine cpsat cannot be used")
}

func TestUnknownEngineIsAnError(t *testing.T) {
	_, err := Solve(t.Context(), modeltest.Random(1), solver.Options{Engine: "steam"})
	require.EqualError(t, err, `engine "steam": expected one of auto, highs, cpsat, builtin`)
}

func TestCanceledSolveDoesNotFallBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Solve(ctx, modeltest.Random(1), solver.Options{Engine: cpsat.Engine})
	require.Error(t, err)
	require.Empty(t, r.Fallback)
}
