package lp

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var inf = math.Inf(1)

// newModel skips the test where there is no HiGHS.
func newModel(t *testing.T) *Model {
	t.Helper()
	m, err := New()
	if err != nil {
		t.Skipf("HiGHS cannot be loaded, make native fetches it: %v", err)
	}
	t.Cleanup(m.Close)
	return m
}

// blending is 2x + y ≥ 4, x + 3y ≥ 6, x ≤ 3 at cost 3x + 2y.
func blending(t *testing.T) *Model {
	m := newModel(t)
	require.NoError(t, m.AddRows(Row{Lower: 4, Upper: inf}, Row{Lower: 6, Upper: inf}))
	require.NoError(t, m.AddColumns(
		Column{Cost: 3, Upper: 3, Entries: []Entry{{0, 2}, {1, 1}}},
		Column{Cost: 2, Upper: inf, Entries: []Entry{{0, 1}, {1, 3}}},
	))
	return m
}

func solve(t *testing.T, m *Model) float64 {
	t.Helper()
	status, err := m.Solve(Limits{})
	require.NoError(t, err)
	require.Equal(t, Optimal, status)
	value, ok := m.Objective()
	require.True(t, ok)
	return value
}

func TestModelSolvesABlendingProblem(t *testing.T) {
	m := blending(t)
	require.InDelta(t, 6.8, solve(t, m), 1e-9)

	values, err := m.Values()
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{1.2, 1.6}, values, 1e-9)
	duals, err := m.Duals()
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{1.4, 0.2}, duals, 1e-9)
	reduced, err := m.ReducedCosts()
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{0, 0}, reduced, 1e-9)
}

func TestModelFollowsWhatIsChanged(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Model) error
		want   float64
	}{
		{"a cheaper column", func(m *Model) error { return m.SetCost(0, 1) }, 4.4},
		{"a column held at zero", func(m *Model) error { return m.SetColumnBounds(0, 0, 0) }, 8},
		{"a lower demand", func(m *Model) error { return m.SetRowBounds(1, 2, inf) }, 6},
		{"a new row", func(m *Model) error { return m.AddRows(Row{Lower: 2, Upper: inf, Entries: []Entry{{0, 1}}}) }, 6 + 8.0/3},
		{"a new column", func(m *Model) error {
			return m.AddColumns(Column{Cost: 1, Upper: inf, Entries: []Entry{{0, 1}, {1, 1}}})
		}, 5},
		{"a column less", func(m *Model) error { return m.DeleteColumns([]int{0}) }, 8},
		{"whole values", func(m *Model) error { return m.SetInteger(1) }, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := blending(t)
			solve(t, m)
			require.NoError(t, c.change(m))
			require.InDelta(t, c.want, solve(t, m), 1e-5)
		})
	}
}

func TestModelTellsWhyThereIsNoOptimum(t *testing.T) {
	m := blending(t)
	require.NoError(t, m.SetRowBounds(1, 0, 0)) // x + 3y = 0, but 2x + y ≥ 4
	status, err := m.Solve(Limits{})
	require.NoError(t, err)
	require.Equal(t, Infeasible, status)
	_, ok := m.Objective()
	require.False(t, ok)

	m = blending(t)
	require.NoError(t, m.SetCost(1, -1))
	status, err = m.Solve(Limits{})
	require.NoError(t, err)
	require.Contains(t, []Status{Unbounded, UnboundedOrInfeasible}, status)
}

func TestModelRefusesWhatIsNoModel(t *testing.T) {
	m := blending(t)
	for name, err := range map[string]error{
		"a row that is not there":          m.AddColumns(Column{Entries: []Entry{{2, 1}}}),
		"a column that is not there":       m.AddRows(Row{Entries: []Entry{{-1, 1}}}),
		"a cost that is no number":         m.SetCost(0, math.NaN()),
		"an entry that is no number":       m.AddColumns(Column{Entries: []Entry{{0, math.NaN()}}}),
		"a row twice in a column":          m.AddColumns(Column{Entries: []Entry{{0, 1}, {0, 1}}}),
		"an entry so small that it is cut": m.AddColumns(Column{Entries: []Entry{{0, 1e-12}}}),
		"too few values for a start":       m.SetStart([]float64{1}),
		"a basis of another size":          m.SetBasis(Basis{}),
	} {
		require.Error(t, err, name)
	}
}

// A basis taken from one model starts another where it ended.
func TestBasisIsCarriedOver(t *testing.T) {
	a, b := blending(t), blending(t)
	want := solve(t, a)
	require.Positive(t, a.Iterations())
	basis, err := a.Basis()
	require.NoError(t, err)
	require.NoError(t, b.SetBasis(basis))
	require.InDelta(t, want, solve(t, b), 1e-9)
	require.Zero(t, b.Iterations())
}

func TestIterationLimitCanBeGoneOnFrom(t *testing.T) {
	m, _ := randomCover(t, 1, 40, 400)
	status, err := m.Solve(Limits{Iterations: 5})
	require.NoError(t, err)
	require.Equal(t, IterationLimit, status)
	_, ok := m.Objective()
	require.False(t, ok, "no value without a solution that meets the rows")
	solve(t, m)
}

// randomCover is a covering problem, and its columns.
func randomCover(t *testing.T, seed uint64, rows, columns int) (*Model, []Column) {
	m := newModel(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range rows {
		require.NoError(t, m.AddRows(Row{Lower: float64(1 + r.IntN(500)), Upper: inf}))
	}
	list := make([]Column, columns)
	for j := range list {
		list[j] = Column{Cost: 1 + r.Float64(), Upper: inf}
		for i := range rows {
			if r.IntN(8) == 0 || i == j%rows {
				list[j].Entries = append(list[j].Entries, Entry{i, float64(1 + r.IntN(6))})
				list[j].Cost += r.Float64()
			}
		}
	}
	require.NoError(t, m.AddColumns(list...))
	return m, list
}

// HiGHS keeps the number of threads of a process, and returns −1 for another.
func TestChangedThreadsAreAnError(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	solve(t, blending(t))
	m := blending(t)
	require.NoError(t, m.option("threads", threads+1))
	_, err := m.Solve(Limits{})
	var call *CallError
	require.ErrorAs(t, err, &call)
	require.EqualValues(t, -1, call.Code)
	_, ok := m.Objective()
	require.False(t, ok)
}

// marketSplit is an equation system whose least violation takes branch and
// bound ages to prove. Its slacks make it easy to be feasible.
func marketSplit(t *testing.T) *Model {
	const rows, columns = 5, 40
	m := newModel(t)
	r := rand.New(rand.NewPCG(7, 7))
	weights := make([][]float64, rows)
	for i := range weights {
		sum := 0.0
		weights[i] = make([]float64, columns)
		for j := range columns {
			weights[i][j] = float64(r.IntN(100))
			sum += weights[i][j]
		}
		half := math.Floor(sum / 2)
		require.NoError(t, m.AddRows(Row{Lower: half, Upper: half}))
	}
	for j := range columns {
		c := Column{Upper: 1}
		for i := range rows {
			c.Entries = append(c.Entries, Entry{i, weights[i][j]})
		}
		require.NoError(t, m.AddColumns(c))
		require.NoError(t, m.SetInteger(j))
	}
	for i := range rows {
		require.NoError(t, m.AddColumns(
			Column{Cost: 1, Upper: inf, Entries: []Entry{{i, 1}}},
			Column{Cost: 1, Upper: inf, Entries: []Entry{{i, -1}}},
		))
	}
	return m
}

func TestIntegerProgramStopsAtItsLimits(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits Limits
		want   Status
	}{
		{"nodes", Limits{Nodes: 20}, NodeLimit},
		{"time", Limits{Time: 300 * time.Millisecond}, TimeLimit},
		{"gap", Limits{Gap: 2, Nodes: 1000}, Optimal},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := marketSplit(t)
			status, err := m.Solve(c.limits)
			require.NoError(t, err)
			require.Equal(t, c.want, status)
			value, ok := m.Objective()
			require.True(t, ok)
			require.LessOrEqual(t, m.Bound(), value)
		})
	}
}

// A slice begins with the incumbent of the one before it.
func TestIntegerProgramIsSolvedInSlices(t *testing.T) {
	m := marketSplit(t)
	last := inf
	for range 3 {
		status, err := m.Solve(Limits{Nodes: 20})
		require.NoError(t, err)
		require.Equal(t, NodeLimit, status)
		value, ok := m.Objective()
		require.True(t, ok)
		require.LessOrEqual(t, value, last+1e-6)
		last = value
		values, err := m.Values()
		require.NoError(t, err)
		require.NoError(t, m.SetStart(values))
	}
}

// The clock of a time limit begins anew with each solve.
func TestTimeLimitIsForOneSolve(t *testing.T) {
	m := marketSplit(t)
	status, err := m.Solve(Limits{Time: 700 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, TimeLimit, status)
	for j := range m.Columns() {
		require.NoError(t, m.SetColumnBounds(j, 0, inf)) // now easy
		require.NoError(t, m.SetContinuous(j))
	}
	status, err = m.Solve(Limits{Time: 600 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, Optimal, status)
}

// Without an incumbent HiGHS's objective is infinite.
func TestNoIncumbentIsNoObjective(t *testing.T) {
	m := newModel(t)
	require.NoError(t, m.AddRows(Row{Lower: 1, Upper: 1}))
	require.NoError(t, m.AddColumns(Column{Cost: 1, Upper: 5, Entries: []Entry{{0, 2}}}, Column{Cost: 1, Upper: 5, Entries: []Entry{{0, 4}}}))
	require.NoError(t, m.SetInteger(0))
	require.NoError(t, m.SetInteger(1))
	status, err := m.Solve(Limits{})
	require.NoError(t, err)
	require.Equal(t, Infeasible, status)
	require.False(t, m.HasSolution())
	_, ok := m.Objective()
	require.False(t, ok)
}

func TestModelWithoutColumnsIsOptimal(t *testing.T) {
	status, err := newModel(t).Solve(Limits{})
	require.NoError(t, err)
	require.Equal(t, Optimal, status)
}
