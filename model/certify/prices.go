package certify

import (
	"fmt"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// newBound reads the certificate. It fails if c names what p does not have,
// assumes what cannot be, or its prices are too large.
func newBound(p *model.Problem, c *model.Certificate) (*bound, error) {
	b := &bound{p: p, ranks: model.WeightRanks(p)}
	if err := b.assume(&c.Assumed); err != nil {
		return nil, fmt.Errorf("assumed: %w", err)
	}
	b.groups = make([]int64, len(p.Groups))
	for _, x := range c.Groups {
		for g := range p.Groups {
			if p.Groups[g].Name == x.Group {
				b.groups[g] = max(0, x.Price)
			}
		}
	}
	b.readWeights(c)
	if err := b.readBudgets(c.Budgets); err != nil {
		return nil, fmt.Errorf("budgets: %w", err)
	}
	if err := b.readLimits(c.Limits); err != nil {
		return nil, fmt.Errorf("limits: %w", err)
	}
	b.shapes, b.rooms = byName(c.Shapes), byName(c.Nodes)
	return b, b.small()
}

func byName(prices []model.RoomPrice) map[string][]int64 {
	out := make(map[string][]int64, len(prices)) // only looked up
	for _, x := range prices {
		out[x.Name] = x.Prices
	}
	return out
}

// assume reads the assumptions and what then has to be placed.
func (b *bound) assume(a *model.Assumptions) error {
	b.need = make([]int, len(b.p.Groups))
	for g := range b.p.Groups {
		b.need[g] = b.p.Groups[g].Demand
	}
	for _, x := range a.Unplaced {
		g := slices.IndexFunc(b.p.Groups, func(g model.PodGroup) bool { return g.Name == x.Group })
		if g < 0 {
			return fmt.Errorf("there is no group %q", x.Group)
		}
		if x.Pods < 0 || x.Pods > b.need[g] {
			return fmt.Errorf("group %s: %d pods cannot wait", x.Group, x.Pods)
		}
		b.need[g] -= x.Pods
	}
	b.drifted = make([]bool, len(b.p.Nodes))
	for _, name := range a.Drifted {
		i := slices.IndexFunc(b.p.Nodes, func(n model.Node) bool { return n.Name == name })
		if i < 0 || b.p.Nodes[i].Goes || b.p.Nodes[i].Drift == 0 {
			return fmt.Errorf("node %q does not go as drifted", name)
		}
		b.drifted[i] = true
	}
	for i := range b.p.Nodes {
		if b.mayGo(i) || b.drifted[i] {
			for _, c := range b.p.Nodes[i].Pods {
				b.need[c.Group] += c.N
			}
		}
	}
	for _, n := range a.Weight {
		if n < 0 {
			return fmt.Errorf("%d pods cannot be below a weight", n)
		}
	}
	return nil
}

// readWeights pairs the charges for pool weights with the pods assumed there.
// Those without an assumption charge nothing.
func (b *bound) readWeights(c *model.Certificate) {
	b.below = make([]int64, 1+len(c.Assumed.Weight))
	for k, most := range c.Assumed.Weight {
		w := weight{most: most}
		if k < len(c.Weights) {
			w.price = min(max(0, c.Weights[k]), largest)
		}
		b.weights = append(b.weights, w)
		b.below[k+1] = min(b.below[k]+w.price, largest)
	}
}

// perPod is what a pod on a launch from the pool is charged for its weight.
func (b *bound) perPod(k model.PoolIndex) int64 {
	if !b.p.Rules.PoolWeights {
		return 0
	}
	return b.below[min(b.ranks[k], len(b.below)-1)]
}

func (b *bound) readBudgets(prices []model.BudgetPrice) error {
	for _, x := range prices {
		k := slices.IndexFunc(b.p.Pools, func(p model.Pool) bool { return p.Name == x.Pool })
		if k < 0 {
			return fmt.Errorf("there is no pool %q", x.Pool)
		}
		row := budget{pool: model.PoolIndex(k), price: max(0, x.Price)}
		for _, name := range x.Reasons {
			reason := slices.IndexFunc(reasons, func(r model.Removal) bool { return r.String() == name })
			if reason < 0 {
				return fmt.Errorf("pool %s: there is no reason %q", x.Pool, name)
			}
			row.reasons[reason] = true
		}
		b.budgets = append(b.budgets, row)
	}
	return nil
}

var reasons = []model.Removal{model.Empty, model.Underutilized, model.Drifted}

// readLimits leaves out the limits that some solution may exceed.
func (b *bound) readLimits(prices []model.LimitPrice) error {
	for _, x := range prices {
		k := slices.IndexFunc(b.p.Limits, func(l model.Limit) bool {
			return l.Max == x.Max && b.p.PoolName(l.Pool) == x.Pool && (l.Pool == model.None) == (x.Pool == "") && b.p.MeasureName(l.Measure) == x.Measure
		})
		if k < 0 {
			return fmt.Errorf("there is no limit of %d on %s of pool %q", x.Max, x.Measure, x.Pool)
		}
		if l := &b.p.Limits[k]; b.binds(l) {
			b.limits = append(b.limits, limit{l, max(0, x.Price)})
		}
	}
	return nil
}

// small fails if the prices are so large that sums of them could overflow.
func (b *bound) small() error {
	var all sum
	for g, price := range b.groups {
		all.add(int64(b.need[g]), price)
	}
	for _, x := range b.budgets {
		all.add(1, x.price)
	}
	for _, l := range b.limits {
		all.add(1, l.price)
	}
	if !all.of.IsInt64() || all.of.Int64() > largest {
		return errTooLarge
	}
	for s := range b.p.Shapes {
		if _, err := units(b.p.Shapes[s].Cost()); err != nil {
			return fmt.Errorf("shape %s: %w", b.p.Shapes[s].Name, err)
		}
	}
	for i := range b.p.Nodes {
		n := &b.p.Nodes[i]
		if _, err := units(n.KeepCost() - leaving(n)); err != nil {
			return fmt.Errorf("node %s: %w", n.Name, err)
		}
	}
	return nil
}
