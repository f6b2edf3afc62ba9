package isolate

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/modeltest"
	"github.com/mortise-io/mortise/solver"
)

func TestChangingNothingIsAlwaysValid(t *testing.T) {
	for seed := range uint64(500) {
		e := &errand{problem: modeltest.Random(seed)}
		r := e.unchanged()
		requireValid(t, e.problem, &r)
		require.Empty(t, r.Solution.Launches)
		require.Zero(t, r.Score.Moves)
	}
}

func TestNothingIsChangedIfTheBuiltinEngineFailsToo(t *testing.T) {
	p := buying()
	e := &errand{problem: p, options: solver.Options{Progress: func(solver.Progress) { panic("out of luck") }}}
	r := e.fallBack(t.Context(), errors.New("it is lost"))
	require.Contains(t, r.Fallback, "it is lost")
	require.Contains(t, r.Fallback, "out of luck")
	require.Contains(t, r.Fallback, "nothing is changed")
	require.Equal(t, []int{7}, r.Solution.Unplaced)
}

func TestTheStandInHasSomeTimeInAnyCase(t *testing.T) {
	p := buying()
	e := &errand{problem: p, options: solver.Options{TimeLimit: time.Second}, limits: Options{}.withDefaults(), start: time.Now().Add(-time.Hour)}
	r := e.fallBack(t.Context(), errors.New("it hung"))
	requireValid(t, p, &r)
	require.Equal(t, 2*model.Dollar, r.Score.Cost)
	require.Contains(t, r.Fallback, "stood in")
}
