package sat

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// needLibrary skips the test where there is no CP-SAT.
func needLibrary(t *testing.T) {
	t.Helper()
	if _, err := open(); err != nil {
		t.Skipf("CP-SAT cannot be loaded, make native fetches it: %v", err)
	}
}

func solve(t *testing.T, m *Model) Response {
	t.Helper()
	r, err := m.Solve(t.Context(), Params{})
	require.NoError(t, err)
	return r
}

func TestSolvesAKnapsack(t *testing.T) {
	needLibrary(t)
	// Weights 3, 4, 5, 6 of worth 4, 5, 6, 8 into 10: the second and the last.
	m := &Model{}
	weight, worth := &Linear{}, (&Linear{}).AddConstant(100)
	var items []Bool
	for i, w := range []int64{3, 4, 5, 6} {
		items = append(items, m.NewBool())
		weight.AddBool(w, items[i])
		worth.AddBool(-[]int64{4, 5, 6, 8}[i], items[i])
	}
	m.AddLinear(weight, 0, 10)
	m.Minimize(worth)
	r := solve(t, m)
	require.Equal(t, Optimal, r.Status)
	require.EqualValues(t, 100-13, r.Objective)
	require.EqualValues(t, 100-13, r.Bound)
	require.Equal(t, []bool{false, true, false, true}, []bool{r.Holds(items[0]), r.Holds(items[1]), r.Holds(items[2]), r.Holds(items[3])})
	require.False(t, r.Holds(items[1].Not()))
	require.Positive(t, r.DeterministicTime+1)
}

func TestConstraintsHoldOnlyWhereEnforced(t *testing.T) {
	needLibrary(t)
	for _, c := range []struct {
		name  string
		build func(m *Model, a, b Bool, x Int)
		want  int64 // least x + 10a + 10b
	}{
		{"nothing asked", func(*Model, Bool, Bool, Int) {}, 0},
		{"a or b", func(m *Model, a, b Bool, _ Int) { m.AddOr([]Bool{a, b}) }, 10},
		{"not a or b", func(m *Model, a, b Bool, _ Int) { m.AddOr([]Bool{a.Not(), b}) }, 0},
		{"exactly one", func(m *Model, a, b Bool, _ Int) { m.AddExactlyOne(a.Not(), b.Not()) }, 10},
		{"at most one false", func(m *Model, a, b Bool, _ Int) { m.AddAtMostOne(a.Not(), b.Not()) }, 10},
		{"a implies b", func(m *Model, a, b Bool, _ Int) { m.AddOr([]Bool{a}); m.AddImplication(a, b) }, 20},
		{"x at least 7", func(m *Model, _, _ Bool, x Int) { m.AddLinear((&Linear{}).Add(1, x), 7, Highest) }, 7},
		{"x at least 7 where not a", func(m *Model, a, _ Bool, x Int) { m.AddLinear((&Linear{}).Add(1, x), 7, Highest, a.Not()) }, 7},
		{"x at least 17 where not a", func(m *Model, a, _ Bool, x Int) { m.AddLinear((&Linear{}).Add(1, x), 17, Highest, a.Not()) }, 10},
		{"x at least 7 where neither", func(m *Model, a, b Bool, x Int) {
			m.AddLinear((&Linear{}).Add(1, x), 7, Highest, a.Not(), b.Not())
		}, 7},
		{"a negation in a sum", func(m *Model, a, _ Bool, x Int) {
			m.AddLinear((&Linear{}).Add(1, x).AddBool(-5, a.Not()).AddConstant(2), 0, Highest)
		}, 3},
		{"a variable twice in a sum", func(m *Model, _, _ Bool, x Int) { m.AddLinear((&Linear{}).Add(3, x).Add(-1, x), 8, Highest) }, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &Model{}
			a, b, x := m.NewBool(), m.NewBool(), m.NewInt(0, 50)
			c.build(m, a, b, x)
			m.Minimize((&Linear{}).Add(1, x).AddBool(10, a).AddBool(10, b))
			r := solve(t, m)
			require.Equal(t, Optimal, r.Status)
			require.Equal(t, c.want, r.Objective)
		})
	}
}

func TestInfeasibleIsAnAnswer(t *testing.T) {
	needLibrary(t)
	m := &Model{}
	a := m.NewBool()
	m.AddOr([]Bool{a})
	m.AddOr([]Bool{a.Not()})
	r := solve(t, m)
	require.Equal(t, Infeasible, r.Status)
	require.False(t, r.Solved())
}

// Money is in nano-dollars: sums beyond what a float holds exactly.
func TestLargeSumsAreExact(t *testing.T) {
	needLibrary(t)
	m := &Model{}
	big := int64(1)<<55 + 1
	a, b := m.NewBool(), m.NewBool()
	m.AddExactlyOne(a, b)
	m.Minimize((&Linear{}).AddBool(big, a).AddBool(big+1, b).AddConstant(3))
	r := solve(t, m)
	require.Equal(t, Optimal, r.Status)
	require.True(t, r.Holds(a))
	require.Equal(t, big+3, r.Objective)
	require.Equal(t, big+3, r.Bound)
}

// What CP-SAT would refuse, or end the process for, never reaches it.
func TestBadModelsAreErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(m *Model, a Bool, x Int)
		want  string
	}{
		{"bounds the wrong way round", func(m *Model, _ Bool, _ Int) { m.NewInt(2, 1) }, "bounds 2 to 1"},
		{"a bound near overflow", func(m *Model, _ Bool, _ Int) { m.NewInt(0, Highest) }, "bounds"},
		{"a variable that is not there", func(m *Model, _ Bool, _ Int) { m.AddLinear((&Linear{}).Add(1, 99), 0, 1) }, "no variable 99"},
		{"a negative variable", func(m *Model, _ Bool, _ Int) { m.AddLinear((&Linear{}).Add(1, -2), 0, 1) }, "no variable -2"},
		{"a literal that is not there", func(m *Model, _ Bool, _ Int) { m.AddOr([]Bool{Bool(99).Not()}) }, "no variable 99"},
		{"a literal that is a number", func(m *Model, _ Bool, x Int) { m.AddOr([]Bool{Bool(x)}) }, "no literal"},
		{"enforcement by a number", func(m *Model, a Bool, x Int) { m.AddOr([]Bool{a}, Bool(x)) }, "no literal"},
		{"a sum between no bounds", func(m *Model, _ Bool, x Int) { m.AddLinear((&Linear{}).Add(1, x), 1, 0) }, "bounds 1 to 0"},
		{"a sum that overflows", func(m *Model, _ Bool, x Int) { m.AddLinear((&Linear{}).Add(math.MaxInt64/20, x), 0, 1) }, "overflow"},
		{"an objective that overflows", func(m *Model, a Bool, _ Int) { m.Minimize((&Linear{}).AddBool(math.MaxInt64/2, a)) }, "overflow"},
		{"a hint for nothing", func(m *Model, _ Bool, _ Int) { m.Hint(99, 1) }, "no variable 99"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &Model{}
			c.build(m, m.NewBool(), m.NewInt(0, 10))
			_, err := m.Solve(t.Context(), Params{})
			require.ErrorContains(t, err, c.want)
		})
	}
}

// packing asks for the fewest bins of random items: long to prove.
func packing(items int) *Model {
	m := &Model{}
	r := rand.New(rand.NewPCG(5, 5))
	bins := items * 2 / 3
	loads, used := make([]*Linear, bins), make([]Bool, bins)
	for b := range bins {
		loads[b], used[b] = &Linear{}, m.NewBool()
	}
	for range items {
		size := int64(20 + r.IntN(60))
		var where []Bool
		for b := range bins {
			in := m.NewBool()
			where = append(where, in)
			loads[b].AddBool(size, in)
		}
		m.AddExactlyOne(where...)
	}
	for b := range bins {
		m.AddLinear(loads[b].AddBool(-100, used[b]), Lowest, 0)
	}
	m.Minimize(Sum(used...))
	return m
}

func TestWorkLimitIsDeterministic(t *testing.T) {
	needLibrary(t)
	var objectives, bounds []int64
	for range 2 {
		r, err := packing(50).Solve(t.Context(), Params{DeterministicTime: 0.3, Seed: 7})
		require.NoError(t, err)
		require.Equal(t, Feasible, r.Status)
		objectives, bounds = append(objectives, r.Objective), append(bounds, r.Bound)
	}
	require.Equal(t, objectives[0], objectives[1])
	require.Equal(t, bounds[0], bounds[1])
}

func TestHintIsTheFirstSolution(t *testing.T) {
	needLibrary(t)
	first, err := packing(40).Solve(t.Context(), Params{DeterministicTime: 0.5})
	require.NoError(t, err)
	require.True(t, first.Solved())
	m := packing(40)
	for v := range m.variables {
		m.Hint(Int(v), first.Value(Int(v)))
	}
	r, err := m.Solve(t.Context(), Params{DeterministicTime: 0.2})
	require.NoError(t, err)
	require.True(t, r.Solved())
	require.LessOrEqual(t, r.Objective, first.Objective)
}

// A canceled solve ends soon, also if it was canceled before it began.
func TestCanceledSolveEnds(t *testing.T) {
	needLibrary(t)
	for _, after := range []time.Duration{0, time.Millisecond, 100 * time.Millisecond} {
		for _, workers := range []int{1, 2} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			defer cancel()
			ended := make(chan Response)
			go func() {
				r, err := packing(120).Solve(ctx, Params{Workers: workers})
				if err != nil {
					t.Error(err)
				}
				ended <- r
			}()
			<-ctx.Done()
			select {
			case r := <-ended:
				require.Contains(t, []Status{Unknown, Feasible}, r.Status)
			case <-time.After(5 * time.Second):
				t.Fatalf("%d workers, canceled after %s: still at work", workers, after)
			}
		}
	}
}
