package solver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/modeltest"
)

// Random problems against exhaustion: no rule broken, the bound below the
// optimum, the optimum not above the cost.
const seeds = 600

func TestSolveAgainstExhaustion(t *testing.T) {
	missed, solved, proved := 0, 0, 0
	for seed := range uint64(seeds) {
		p := modeltest.Random(seed)
		if modeltest.Pods(p) > 6 {
			continue
		}
		_, best, ok := modeltest.Best(p, 3_000_000)
		if !ok {
			continue
		}
		solved++
		got, err := Solve(t.Context(), p, Options{Seed: seed})
		require.NoError(t, err)
		for _, v := range model.Check(p, &got.Solution) {
			t.Errorf("seed %d: solution breaks %v", seed, v)
		}
		if got.GoalsProved && got.LowerBound > best.Cost {
			t.Errorf("seed %d: bound %s above the optimum %s", seed, got.LowerBound, best.Cost)
		}
		if got.Optimal() {
			proved++
		}
		switch c := got.Score.Compare(best); {
		case c < 0:
			t.Errorf("seed %d: score %+v is better than the best %+v", seed, got.Score, best)
		case c > 0:
			missed++
			t.Logf("seed %d: score %+v, the best is %+v", seed, got.Score, best)
		}
	}
	t.Logf("%d of %d problems not solved to the optimum, %d proved", missed, solved, proved)
}
