package cpsat

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/modeltest"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// needLibrary skips the test where there is no CP-SAT.
func needLibrary(t *testing.T) {
	t.Helper()
	if _, _, err := sat.Version(); err != nil {
		t.Skipf("CP-SAT cannot be loaded, make native fetches it: %v", err)
	}
}

// seeds is how many random problems are tried: MORTISE_SEEDS, or some.
func seeds(t *testing.T, some uint64) uint64 {
	text := os.Getenv("MORTISE_SEEDS")
	if text == "" {
		return some
	}
	n, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err)
	return n
}

// Two engines and exhaustion agree about the best score, to the last goal.
func TestAgreesWithExhaustionAndTheBuiltInEngine(t *testing.T) {
	needLibrary(t)
	tried, exhausted := 0, 0
	for seed := range seeds(t, 150) {
		p := modeltest.Random(seed)
		got, err := Solve(t.Context(), p, solver.Options{})
		require.NoError(t, err, "seed %d", seed)
		require.Empty(t, model.Check(p, &got.Solution), "seed %d", seed)
		require.True(t, got.Optimal(), "seed %d: %+v", seed, got)
		tried++
		if _, want, ok := modeltest.Best(p, 200_000); ok {
			require.Equal(t, want, got.Score, "seed %d: exhaustion", seed)
			exhausted++
		}
		built, err := solver.Solve(t.Context(), p, solver.Options{})
		require.NoError(t, err)
		require.GreaterOrEqual(t, built.Score.Compare(got.Score), 0, "seed %d: the built-in engine is better: %+v, %+v", seed, built.Score, got.Score)
		if built.Optimal() {
			require.Zero(t, built.Score.Compare(got.Score), "seed %d: the built-in engine is sure of %+v, not %+v", seed, built.Score, got.Score)
		}
	}
	t.Logf("%d problems, %d of them exhausted", tried, exhausted)
	require.Greater(t, 2*exhausted, tried)
}
