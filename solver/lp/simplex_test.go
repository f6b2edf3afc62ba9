package lp

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	gonumlp "gonum.org/v1/gonum/optimize/convex/lp"
)

func TestSimplexSolvesABlendingProblem(t *testing.T) {
	// 2x + y ≥ 4, x + 3y ≥ 6, x ≤ 3 at cost 3x + 2y: x = 6/5, y = 8/5.
	s := NewSimplex([]Sense{AtLeast, AtLeast, AtMost}, []float64{4, 6, 3}, 1e6)
	s.AddColumn(3, []Entry{{0, 2}, {1, 1}, {2, 1}})
	s.AddColumn(2, []Entry{{0, 1}, {1, 3}})
	_, err := s.Solve(100)
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{1.2, 1.6}, s.Values(), 1e-6)
	require.InDelta(t, 0, s.Infeasibility(), 1e-6)
}

func TestSimplexMissesWhatCannotBeMet(t *testing.T) {
	s := NewSimplex([]Sense{AtLeast, AtMost}, []float64{5, 2}, 1e3)
	s.AddColumn(1, []Entry{{0, 1}, {1, 1}})
	_, err := s.Solve(100)
	require.NoError(t, err)
	require.InDelta(t, 3, s.Infeasibility(), 1e-6)
}

// Random covering problems: primal and dual agree, duals are feasible, the
// value is that of another solver, and columns added later make no difference.
func TestSimplexAgainstAnotherSolver(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		rows, columns := 1+r.IntN(6), 6+r.IntN(12)
		senses, rhs := make([]Sense, rows), make([]float64, rows)
		for i := range rows {
			rhs[i] = float64(1 + r.IntN(20))
		}
		cost, entries := make([]float64, columns), make([][]Entry, columns)
		for j := range columns {
			cost[j] = float64(1 + r.IntN(30))
			for i := range rows {
				if r.IntN(2) == 0 || i == j%rows {
					entries[j] = append(entries[j], Entry{i, float64(1 + r.IntN(5))})
				}
			}
		}
		s := NewSimplex(senses, rhs, 1e5)
		for j := range columns {
			if j == columns/2 {
				_, err := s.Solve(1000)
				require.NoError(t, err)
			}
			s.AddColumn(cost[j], entries[j])
		}
		_, err := s.Solve(1000)
		require.NoError(t, err)

		primal, dual := 0.0, 0.0
		for j, x := range s.Values() {
			primal += cost[j] * x
		}
		y := s.Duals()
		for i := range rows {
			require.GreaterOrEqual(t, y[i], -1e-6)
			dual += y[i] * rhs[i]
		}
		for j := range columns {
			reduced := cost[j]
			for _, e := range entries[j] {
				reduced -= y[e.Row] * e.Value
			}
			require.GreaterOrEqual(t, reduced, -1e-6, "seed %d column %d", seed, j)
		}
		require.InDelta(t, primal, dual, 1e-4, "seed %d", seed)

		// In gonum's standard form, with a surplus for each row.
		a := mat.NewDense(rows, columns+rows, nil)
		for j := range columns {
			for _, e := range entries[j] {
				a.Set(e.Row, j, e.Value)
			}
		}
		for i := range rows {
			a.Set(i, columns+i, -1)
		}
		want, _, err := gonumlp.Simplex(append(append([]float64{}, cost...), make([]float64, rows)...), a, rhs, 1e-10, nil)
		require.NoError(t, err)
		require.InDelta(t, want, primal, 1e-4, "seed %d", seed)
	}
}
