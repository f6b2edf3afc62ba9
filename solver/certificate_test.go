package solver

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/certify"
	"github.com/mortise-io/mortise/model/modeltest"
)

// proof bounds the given solution of p by the relaxation, without trying everything.
func proof(t *testing.T, p *model.Problem, solution model.Solution, score model.Score) *model.Certificate {
	b := &solve{p: p, w: newWork(t.Context(), p, Options{})}
	b.best = Result{Solution: solution, Score: score}
	b.prove(1)
	return b.certificate()
}

func TestCertificatesOfRandomProblemsHold(t *testing.T) {
	priced, tight := 0, 0
	for seed := range uint64(seeds) {
		p := modeltest.Random(seed)
		if modeltest.Pods(p) > 6 {
			continue
		}
		solution, score, ok := modeltest.Best(p, 300_000)
		if !ok {
			continue
		}
		c := proof(t, p, solution, score)
		proved, err := certify.Check(p, c)
		require.NoError(t, err, "seed %d", seed)
		require.LessOrEqual(t, proved, score.Cost, "seed %d: bound above the optimum", seed)
		if len(c.Groups) > 0 {
			priced++
			raised := *c
			raised.Bound = provable(p, c) + certify.Tolerance + 1
			_, err = certify.Check(p, &raised)
			require.Error(t, err, "seed %d", seed)
			r := rand.New(rand.NewPCG(seed, 5))
			for range 5 {
				require.LessOrEqual(t, provable(p, perturbed(r, c)), score.Cost, "seed %d: bound above the optimum", seed)
			}
		}
		if float64(proved) > 0.95*float64(score.Cost) {
			tight++
		}
	}
	t.Logf("%d with prices, %d within 5 %%", priced, tight)
	require.Greater(t, priced, 100)
}

// provable is the highest bound that the certificate's prices prove.
func provable(p *model.Problem, c *model.Certificate) model.Money {
	most := *c
	most.Bound = math.MaxInt64
	proved, _ := certify.Check(p, &most)
	return proved
}

// perturbed is a certificate with other prices near by, where bounds are high.
func perturbed(r *rand.Rand, c *model.Certificate) *model.Certificate {
	some := func(price int64) int64 {
		if r.IntN(3) == 0 {
			return int64(float64(price)*(0.7+0.6*r.Float64())) + r.Int64N(int64(model.Dollar))*model.CertificateUnits/20
		}
		return price
	}
	out := *c
	out.Groups, out.Budgets, out.Limits = slices.Clone(c.Groups), slices.Clone(c.Budgets), slices.Clone(c.Limits)
	out.Weights = slices.Clone(c.Weights)
	for i := range out.Groups {
		out.Groups[i].Price = some(out.Groups[i].Price)
	}
	for i := range out.Budgets {
		out.Budgets[i].Price = some(out.Budgets[i].Price)
	}
	for i := range out.Limits {
		out.Limits[i].Price = some(out.Limits[i].Price)
	}
	for i := range out.Weights {
		out.Weights[i] = some(out.Weights[i])
	}
	return &out
}

func TestCertificatesOfLargerProblemsHold(t *testing.T) {
	for seed := range uint64(12) {
		p := fleet(seed)
		r, err := Solve(t.Context(), p, Options{Seed: seed, WorkLimit: 2_000_000_000, Engine: EngineBuiltin})
		require.NoError(t, err)
		require.NotNil(t, r.Certificate)
		require.GreaterOrEqual(t, r.Certificate.Bound, r.LowerBound)
		require.Greater(t, r.LowerBound, r.Score.Cost/2, "seed %d", seed)

		file, err := json.Marshal(r.Certificate)
		require.NoError(t, err)
		c := &model.Certificate{}
		require.NoError(t, json.Unmarshal(file, c))
		proved, err := certify.Check(p, c)
		require.NoError(t, err, "seed %d", seed)
		require.LessOrEqual(t, proved, r.Score.Cost)

		c.Bound = provable(p, c)
		require.LessOrEqual(t, c.Bound, r.Score.Cost)
		file, err = json.Marshal(c)
		require.NoError(t, err)
		for g := range c.Groups {
			c.Groups[g].Price += c.Groups[g].Price / 50
			_, err := certify.Check(p, c)
			require.Error(t, err, "seed %d: group %d", seed, g)
			require.NoError(t, json.Unmarshal(file, c))
		}
	}
}

// fleet has enough pods that nobody tries everything, with limits, budgets,
// reservations, weights and nodes that may go.
func fleet(seed uint64) *model.Problem {
	r := &fleeting{p: &model.Problem{Resources: []string{"cpu", "memory", "pods"}}, state: seed*2654435761 + 12345}
	pools := 1 + r.below(2)
	for k := range pools {
		r.p.Pools = append(r.p.Pools, model.Pool{Name: string(rune('a' + k)), Weight: 10 * k, Budget: [model.NumBudgets]int{2, 3, model.Unlimited}})
	}
	r.p.Rules.PoolWeights = seed%4 == 3
	r.p.Reservations = []model.Reservation{{Name: "cr", Count: 2}}
	for k := range 3 + r.below(5) {
		size := int64(1 + k)
		s := model.Shape{
			Name: "shape-" + string(rune('a'+k)), Pool: model.PoolIndex(r.below(pools)), Type: model.TypeIndex(k),
			Allocatable: model.Quantities{4000*size - 137, 16 * size << 30, 58}, Capacity: model.Quantities{4000 * size, 16 * size << 30, 58},
			Price: model.Money(190+r.below(20)) * model.Money(size) * model.Dollar / 1000, Reservation: model.None,
		}
		if k == 2 {
			s.Reservation, s.Price = 0, 0
		}
		r.p.Shapes = append(r.p.Shapes, s)
	}
	for k := range 4 {
		s := &r.p.Shapes[k%2]
		r.p.Nodes = append(r.p.Nodes, model.Node{
			Name: "node-" + string(rune('a'+k)), Pool: s.Pool, Type: s.Type, Free: model.Quantities{500, 4 << 30, 40}, Capacity: s.Capacity,
			Price: s.Price, Voluntary: model.Underutilized, Disruption: 1_000_000, Pods: []model.Count{{Group: 0, N: 1}},
		})
	}
	for k := range 4 + r.below(6) {
		g := model.PodGroup{
			Name: "group-" + string(rune('a'+k)), Request: model.Quantities{int64(100 + 50*r.below(40)), int64(1+r.below(24)) << 28, 1},
			Demand: 10 + r.below(40), Origin: model.Origin{Pool: model.None},
		}
		for s := range r.p.Shapes {
			g.Shapes.Add(model.ShapeIndex(s))
		}
		for i := range r.p.Nodes {
			g.Nodes.Add(model.NodeIndex(i))
		}
		if r.below(4) == 0 {
			g.MaxPerMachine = 3
		}
		r.p.Groups = append(r.p.Groups, g)
	}
	if seed%3 == 1 {
		r.p.Limits = append(r.p.Limits, model.Limit{Pool: model.None, Measure: 1, Max: 4 << 40}, model.Limit{Pool: 0, Measure: model.Machines, Max: 9})
	}
	return r.p
}

type fleeting struct {
	p     *model.Problem
	state uint64
}

func (r *fleeting) below(n int) int {
	r.state = r.state*6364136223846793005 + 1442695040888963407
	return int(r.state>>33) % n
}
