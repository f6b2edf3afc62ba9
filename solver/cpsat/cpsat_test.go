package cpsat

import (
	"context"
	"math"
	"math/big"
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

// unchanged is the solution that changes nothing, which breaks no rule.
func unchanged(_ context.Context, p *model.Problem, _ solver.Options) (solver.Result, error) {
	s := model.Solution{Nodes: make([]model.Fate, len(p.Nodes)), Unplaced: make([]int, len(p.Groups))}
	for i := range s.Nodes {
		s.Nodes[i].Removal = model.Stays
		if p.Nodes[i].Goes {
			s.Nodes[i].Removal = model.Forced
		}
	}
	for g := range s.Unplaced {
		s.Unplaced[g] = p.Groups[g].Demand
	}
	return solver.Result{Solution: s, Score: model.ScoreOf(p, &s), LowerBound: math.MinInt64}, nil
}

// All engines and exhaustion agree about the best score, to the last goal.
func TestAgreesWithExhaustionAndTheOtherEngines(t *testing.T) {
	needLibrary(t)
	tried, exhausted := 0, 0
	for seed := range seeds(t, 150) {
		p := modeltest.Random(seed)
		got, err := solve(t.Context(), p, solver.Options{}, unchanged)
		require.NoError(t, err, "seed %d", seed)
		require.Empty(t, model.Check(p, &got.Solution), "seed %d", seed)
		require.True(t, got.Optimal(), "seed %d: %+v", seed, got)
		tried++
		if _, want, ok := modeltest.Best(p, 200_000); ok {
			require.Equal(t, want, got.Score, "seed %d: exhaustion", seed)
			exhausted++
		}
		for _, engine := range []string{solver.EngineBuiltin, solver.EngineHiGHS} {
			other, err := solver.Solve(t.Context(), p, solver.Options{Engine: engine})
			require.NoError(t, err)
			require.GreaterOrEqual(t, other.Score.Compare(got.Score), 0, "seed %d: %s is better: %+v, not %+v", seed, engine, other.Score, got.Score)
			require.LessOrEqual(t, other.LowerBound, other.Score.Cost, "seed %d: %s", seed, engine)
			if other.Optimal() {
				require.Zero(t, other.Score.Compare(got.Score), "seed %d: %s is sure of %+v, not %+v", seed, engine, other.Score, got.Score)
			}
		}
	}
	t.Logf("%d problems, %d of them exhausted", tried, exhausted)
	require.Greater(t, 2*exhausted, tried)
}

// formal gives a random problem the rules that ask where pods come from,
// whether or not they could come from there.
func formal(seed uint64) *model.Problem {
	p := modeltest.Random(seed)
	for g := range p.Groups {
		o := &p.Groups[g].Origin
		*o = model.Origin{Kind: model.Resident, Pool: model.PoolIndex((uint64(g) + seed) % uint64(len(p.Pools))), Spot: g%2 == 0}
		if seed%5 == 0 {
			o.Kind = model.OriginKind(1 + (uint64(g)+seed/5)%3)
		}
	}
	for k := range p.Pools {
		p.Pools[k].Balanced = seed%3 != 0
	}
	p.Rules.SpotFlexibility = 1 + int(seed%4)
	if seed%2 == 0 {
		for s := range p.Shapes {
			p.Shapes[s].Spot = true
			p.Shapes[s].Type = model.TypeIndex(s / 2)
		}
	}
	if seed%7 == 0 {
		p.Rules.SpotDiversity = 400_000
	}
	return p
}

func TestAgreesWithExhaustionAboutOrigins(t *testing.T) {
	needLibrary(t)
	for seed := range seeds(t, 150) {
		p := formal(seed)
		got, err := solve(t.Context(), p, solver.Options{}, unchanged)
		require.NoError(t, err, "seed %d", seed)
		require.True(t, got.Optimal(), "seed %d: %+v", seed, got)
		if _, want, ok := modeltest.Best(p, 200_000); ok {
			require.Equal(t, want, got.Score, "seed %d", seed)
		}
	}
}

// crowd is a problem that takes a while to prove.
func crowd() *model.Problem {
	p := &model.Problem{Resources: []string{"cpu", "memory"}, Pools: []model.Pool{{Name: "default", Budget: [model.NumBudgets]int{model.Unlimited, model.Unlimited, model.Unlimited}}}}
	for k := range 6 {
		size := int64(16 + 7*k)
		p.Shapes = append(p.Shapes, model.Shape{
			Name: strconv.Itoa(k), Type: model.TypeIndex(k), Reservation: model.None, Price: model.Money(size*size+97*size) * model.Dollar / 10_000,
			Allocatable: model.Quantities{size, 2*size - 3}, Capacity: model.Quantities{size, 2 * size},
		})
	}
	for g := range 12 {
		group := model.PodGroup{
			Name: strconv.Itoa(g), Request: model.Quantities{int64(3 + g%7), int64(4 + (g*5)%11)}, Demand: 4 + g%5, Origin: model.Origin{Pool: model.None},
		}
		for s := range p.Shapes {
			group.Shapes.Add(model.ShapeIndex(s))
		}
		p.Groups = append(p.Groups, group)
	}
	return p
}

// Out of work there is a valid result, and it is the same again.
func TestWorkLimitLeavesAResult(t *testing.T) {
	needLibrary(t)
	p := crowd()
	var results []solver.Result
	for range 2 {
		r, err := Solve(t.Context(), p, solver.Options{WorkLimit: 20_000_000})
		require.NoError(t, err)
		require.Empty(t, model.Check(p, &r.Solution))
		require.LessOrEqual(t, r.LowerBound, r.Score.Cost)
		require.Positive(t, r.LowerBound)
		results = append(results, r)
	}
	require.Equal(t, solver.StopWorkLimit, results[0].Stop)
	require.Equal(t, results[0], results[1])
}

func TestNothingIsWorseThanTheFirstSolution(t *testing.T) {
	needLibrary(t)
	p := crowd()
	first, err := builtIn(t.Context(), p, solver.Options{WorkLimit: 500_000_000})
	require.NoError(t, err)
	r, err := Solve(t.Context(), p, solver.Options{WorkLimit: 500_000_000})
	require.NoError(t, err)
	require.LessOrEqual(t, r.Score.Compare(first.Score), 0)
	require.GreaterOrEqual(t, r.LowerBound, first.LowerBound)
}

func TestCanceledSolveSaysSo(t *testing.T) {
	needLibrary(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Solve(ctx, crowd(), solver.Options{WorkLimit: 1_000_000_000_000, Progress: func(solver.Progress) { cancel() }})
	require.ErrorIs(t, err, context.Canceled)
}

func TestTooLargeIsSaidAtOnce(t *testing.T) {
	needLibrary(t)
	p := crowd()
	for g := range p.Groups {
		p.Groups[g].Demand = 100_000
	}
	_, err := solve(t.Context(), p, solver.Options{}, unchanged)
	require.ErrorIs(t, err, ErrTooLarge)
}

// Rounding is admitted: a number that had to be cut proves nothing.
func TestBalanceIsExactWhereItFits(t *testing.T) {
	m := &sat.Model{}
	a, b := m.NewBool(), m.NewBool()
	large := new(big.Int).Lsh(big.NewInt(3), 80)
	for _, c := range []struct {
		name  string
		x, y  *big.Int
		want  *sat.Linear
		exact bool
	}{
		{"what they have in common is taken out", big.NewInt(12), big.NewInt(-8), (&sat.Linear{}).AddBool(3, a).AddBool(-2, b), true},
		{"so that large ones fit", large, new(big.Int).Mul(large, big.NewInt(-7)), (&sat.Linear{}).AddBool(1, a).AddBool(-7, b), true},
		{"nothing stays nothing", new(big.Int), new(big.Int), &sat.Linear{}, true},
		{"large ones with nothing in common are cut", large, new(big.Int).Add(large, big.NewInt(1)), nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sum, exact := whole([]term{{c.x, a}, {c.y, b}})
			require.Equal(t, c.exact, exact)
			if c.want != nil {
				require.Equal(t, c.want, sum)
			}
		})
	}
}
