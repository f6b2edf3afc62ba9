package certify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/certify"
	"github.com/mortise-io/mortise/model/modeltest"
)

// random is a certificate with any prices at all, for solutions like s.
func random(r *rand.Rand, p *model.Problem, s *model.Solution, score *model.Score) *model.Certificate {
	price := func() int64 {
		if r.IntN(4) == 0 {
			return r.Int64N(1000) - 500
		}
		return int64(r.Float64() * 0.3 * float64(model.Dollar) * model.CertificateUnits)
	}
	c := &model.Certificate{Problem: p.Digest()}
	for g := range p.Groups {
		if n := s.Unplaced[g]; n > 0 {
			c.Assumed.Unplaced = append(c.Assumed.Unplaced, model.GroupCount{Group: p.Groups[g].Name, Pods: n})
		}
		c.Groups = append(c.Groups, model.GroupPrice{Group: p.Groups[g].Name, Price: price()})
	}
	for i := range p.Nodes {
		if s.Nodes[i].Removal == model.Drifted && r.IntN(2) == 0 {
			c.Assumed.Drifted = append(c.Assumed.Drifted, p.Nodes[i].Name)
		}
	}
	if r.IntN(2) == 0 {
		c.Assumed.Weight = score.Weight
		for range score.Weight {
			c.Weights = append(c.Weights, price())
		}
	}
	for k := range p.Pools {
		for _, reasons := range [][]string{{"Empty"}, {"Underutilized"}, {"Drifted", "Empty"}, {"Empty", "Underutilized", "Drifted"}} {
			if r.IntN(3) == 0 {
				c.Budgets = append(c.Budgets, model.BudgetPrice{Pool: p.Pools[k].Name, Reasons: reasons, Price: price()})
			}
		}
	}
	for k := range p.Limits {
		l := &p.Limits[k]
		c.Limits = append(c.Limits, model.LimitPrice{Pool: p.PoolName(l.Pool), Measure: p.MeasureName(l.Measure), Max: l.Max, Price: price()})
	}
	hint := func(name string) model.RoomPrice {
		x := model.RoomPrice{Name: name}
		for range p.Resources[:len(p.Resources)-r.IntN(4)/3] {
			x.Prices = append(x.Prices, price())
		}
		return x
	}
	for s := range p.Shapes {
		c.Shapes = append(c.Shapes, hint(p.Shapes[s].Name))
	}
	for i := range p.Nodes {
		if r.IntN(2) == 0 {
			c.Nodes = append(c.Nodes, hint(p.Nodes[i].Name))
		}
	}
	return c
}

func TestWhateverThePricesTheBoundHolds(t *testing.T) {
	t.Parallel()
	checked, above, problems := 0, 0, 0
	for seed := uint64(0); seed < 1200; seed++ {
		p := modeltest.Random(seed)
		if modeltest.Pods(p) > 6 {
			continue
		}
		s, score, ok := modeltest.Best(p, 300_000)
		if !ok {
			continue
		}
		problems++
		r := rand.New(rand.NewPCG(seed, 7))
		for range 5 {
			c := random(r, p, &s, &score)
			quick, err := certify.Check(p, c)
			if err == nil {
				require.LessOrEqual(t, quick, score.Cost, "seed %d: bound above the optimum", seed)
			}
			c.Bound = math.MaxInt64
			proved, err := certify.Check(p, c)
			require.ErrorContains(t, err, "proves it of", "seed %d", seed)
			require.LessOrEqual(t, proved, score.Cost, "seed %d: bound above the optimum", seed)
			checked++
			if proved > score.Cost/2 {
				above++
			}
		}
	}
	require.Greater(t, problems, 300)
	require.Greater(t, checked, 1000)
	require.Greater(t, above, 10, "the prices are hardly ever any good")
	t.Logf("%d certificates, %d prove more than half of the cost", checked, above)
}

// twoPods is a problem whose best solution is one large machine, and prices
// that prove it: an obvious case to tamper with.
func twoPods() (*model.Problem, *model.Certificate) {
	shapes := model.NewSet[model.ShapeIndex](2)
	shapes.Add(0)
	shapes.Add(1)
	p := &model.Problem{
		Resources: []string{"cpu"},
		Pools:     []model.Pool{{Name: "default"}},
		Groups:    []model.PodGroup{{Name: "web", Request: model.Quantities{2}, Demand: 2, Shapes: shapes, Origin: model.Origin{Pool: model.None}}},
		Shapes: []model.Shape{
			{Name: "small", Allocatable: model.Quantities{3}, Capacity: model.Quantities{3}, Price: 6 * model.Dollar, Reservation: model.None},
			{Name: "large", Allocatable: model.Quantities{4}, Capacity: model.Quantities{4}, Price: 10 * model.Dollar, Reservation: model.None},
		},
	}
	return p, &model.Certificate{
		Problem: p.Digest(),
		Bound:   10 * model.Dollar,
		Groups:  []model.GroupPrice{{Group: "web", Price: int64(5*model.Dollar) * model.CertificateUnits}},
	}
}

func TestPricesThatAreRightProveTheOptimum(t *testing.T) {
	p, c := twoPods()
	proved, err := certify.Check(p, c)
	require.NoError(t, err)
	require.Equal(t, 10*model.Dollar, proved)
}

// Pods below the highest weight are charged for it, which makes a launch there
// worth less: that says nothing of one at the top.
func TestALaunchIsNotExcusedByOneWhosePodsAreChargedMore(t *testing.T) {
	p, c := twoPods()
	p.Rules.PoolWeights = true
	p.Pools = append(p.Pools, model.Pool{Name: "preferred", Weight: 10})
	p.Shapes[1].Pool = 1
	p.Shapes[0].Allocatable = model.Quantities{4}
	c.Problem = p.Digest()
	c.Assumed.Weight = []int{2}
	c.Weights = []int64{int64(3*model.Dollar) * model.CertificateUnits}
	c.Groups[0].Price = int64(5*model.Dollar+model.Dollar/2) * model.CertificateUnits
	c.Bound = 0
	proved, err := certify.Check(p, c)
	require.NoError(t, err)
	// Two pods earn 11, less 6 for the charges, less 1 twice: so much is the large machine worth beyond its cost.
	require.Equal(t, 11*model.Dollar-6*model.Dollar-2*model.Dollar, proved)
}

func TestATamperedCertificateFails(t *testing.T) {
	for name, tamper := range map[string]struct {
		with func(*model.Problem, *model.Certificate)
		want string
	}{
		"a claim that is too high": {func(_ *model.Problem, c *model.Certificate) { c.Bound += certify.Tolerance + 1 }, "proves it of 10 only"},
		"a price that is too high": {func(_ *model.Problem, c *model.Certificate) { c.Groups[0].Price *= 2 }, "proves it of 0 only"},
		"a price that is too low":  {func(_ *model.Problem, c *model.Certificate) { c.Groups[0].Price /= 2 }, "proves it of 5 only"},
		"a negative price":         {func(_ *model.Problem, c *model.Certificate) { c.Groups[0].Price *= -1 }, "proves it of 0 only"},
		"another problem":          {func(p *model.Problem, _ *model.Certificate) { p.Groups[0].Demand++ }, "another problem"},
		"a pod that waits": {func(_ *model.Problem, c *model.Certificate) {
			c.Assumed.Unplaced = []model.GroupCount{{Group: "web", Pods: 1}}
		}, "proves it of 5 only"},
		"more pods that wait than there are": {func(_ *model.Problem, c *model.Certificate) {
			c.Assumed.Unplaced = []model.GroupCount{{Group: "web", Pods: 3}}
		}, "3 pods cannot wait"},
		"fewer pods that wait than none": {func(_ *model.Problem, c *model.Certificate) {
			c.Assumed.Unplaced = []model.GroupCount{{Group: "web", Pods: -1}}
		}, "-1 pods cannot wait"},
		"a group that is not there": {func(_ *model.Problem, c *model.Certificate) {
			c.Assumed.Unplaced = []model.GroupCount{{Group: "db", Pods: 1}}
		}, `no group "db"`},
		"a node that is not there": {func(_ *model.Problem, c *model.Certificate) { c.Assumed.Drifted = []string{"a"} }, `node "a"`},
		"a pool that is not there": {func(_ *model.Problem, c *model.Certificate) {
			c.Budgets = []model.BudgetPrice{{Pool: "x"}}
		}, `no pool "x"`},
		"a limit that is not there": {func(_ *model.Problem, c *model.Certificate) {
			c.Limits = []model.LimitPrice{{Measure: "cpu", Max: 7}}
		}, "no limit of 7 on cpu"},
		"a price beyond all bounds": {func(_ *model.Problem, c *model.Certificate) { c.Groups[0].Price = 1 << 62 }, "too large"},
	} {
		p, c := twoPods()
		tamper.with(p, c)
		_, err := certify.Check(p, c)
		require.ErrorContains(t, err, tamper.want, name)
	}
}
