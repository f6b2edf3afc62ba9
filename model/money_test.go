package model_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
)

func TestDollars(t *testing.T) {
	t.Parallel()
	for usd, want := range map[float64]model.Money{
		0: 0, 1: model.Dollar, 0.1: 100_000_000, 1e-9: 1, 4e-10: 0, -0.5: -500_000_000,
		1e30: 1e18, -1e30: -1e18, math.Inf(1): 1e18,
	} {
		require.Equal(t, want, model.Dollars(usd), usd)
	}
	require.Zero(t, model.Dollars(math.NaN()))
	require.InDelta(t, 0.3264, model.Dollars(0.3264).USD(), 0)
	require.Equal(t, "0.3264", model.Dollars(0.3264).String())
	require.Equal(t, "2", (2 * model.Dollar).String())
}
