package solver

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model/modeltest"
)

// The relaxation of a problem is never above its optimum, and often close.
func TestRelaxationIsALowerBound(t *testing.T) {
	tight, all := 0, 0
	for seed := range uint64(seeds) {
		p := modeltest.Random(seed)
		if modeltest.Pods(p) > 6 {
			continue
		}
		solution, score, ok := modeltest.Best(p, 3_000_000)
		if !ok {
			continue
		}
		w := newWork(t.Context(), p, Options{})
		r := &Result{Solution: solution, Score: score}
		x := w.newRelaxation(r, costLevel)
		x.start(r, w.newView(nil).value)
		x.run(math.Inf(1))
		require.LessOrEqual(t, x.best, float64(score.Cost), "seed %d: bound above the optimum", seed)
		all++
		if x.best > 0.95*float64(score.Cost)-100 {
			tight++
		}
		for level := range w.goals.weight {
			if waiting := w.waitingAt(r, level); waiting > 0 {
				x := w.newRelaxation(r, level)
				x.start(r, nil)
				x.run(math.Inf(1))
				require.LessOrEqual(t, x.best, float64(waiting), "seed %d level %d: more pods must wait than need to", seed, level)
			}
		}
	}
	require.Greater(t, tight, all/2, "of %d bounds only %d are within 5 %%", all, tight)
	t.Logf("%d of %d bounds within 5 %%", tight, all)
}

func TestKnapsackBoundIsNeverBelowTheBestContent(t *testing.T) {
	for seed := range uint64(300) {
		p := modeltest.Random(seed)
		w := newWork(t.Context(), p, Options{})
		k := &knapsack{w: w}
		value, most := make([]float64, len(p.Groups)), make([]int, len(p.Groups))
		for g := range value {
			value[g], most[g] = float64(1+(seed+uint64(g))%7), 5
		}
		for s := range p.Shapes {
			room := p.Shapes[s].Allocatable
			k.load(room, w.groupsOf[s], value, most)
			mu := make([]float64, len(room))
			first := k.bound(room, mu)
			better := k.improve(room, mu, 0)
			require.LessOrEqual(t, better, first+1e-9)
			best, bound := k.search(room, mu, 1_000_000)
			require.True(t, k.completed)
			require.InDelta(t, best, bound, 1e-9)
			require.LessOrEqual(t, best, better+1e-6, "seed %d shape %d", seed, s)
			worth := 0.0
			for _, c := range k.content() {
				worth += value[c.Group] * float64(c.N)
			}
			require.InDelta(t, best, worth, 1e-9)
		}
	}
}
