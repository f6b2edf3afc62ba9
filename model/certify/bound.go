package certify

import (
	"github.com/mortise-io/mortise/model"
)

// bound adds a lower bound up.
type bound struct {
	p        *model.Problem
	thorough bool // a single machine is worth a long search
	total    sum

	need    []int   // by group: pods that find a place if no node is kept
	drifted []bool  // by node: goes as drifted by assumption
	groups  []int64 // by group: what a pod is worth
	ranks   []int   // by pool
	below   []int64 // by weight rank: what a pod on a launch there is charged
	weights []weight
	budgets []budget
	limits  []limit
	shapes  map[string][]int64 // hints by the name of a shape
	rooms   map[string][]int64 // hints by the name of a node
}

// weight is the charge for one goal of pool weights.
type weight struct {
	price int64
	most  int // pods
}

// budget is what is charged for one set of reasons of a pool.
type budget struct {
	pool    model.PoolIndex
	reasons [model.NumBudgets]bool
	price   int64
}

// limit is what is charged for all of a limit.
type limit struct {
	*model.Limit
	price int64
}

// decided says whether the node's fate is not open: it goes in any case, or as drifted by assumption.
func (b *bound) decided(i int) bool { return b.p.Nodes[i].Goes || b.drifted[i] }

// mayGo says whether it is open if the node goes.
func (b *bound) mayGo(i int) bool {
	n := &b.p.Nodes[i]
	return !b.decided(i) && (n.Voluntary.Voluntary() || n.Drift > 0)
}

// leaving is the least that taking the node away costs.
func leaving(n *model.Node) model.Money {
	if n.Drift == 0 {
		return n.Evict + n.Hurdle
	}
	if n.Voluntary.Voluntary() {
		return n.Evict + min(0, n.Hurdle)
	}
	return n.Evict
}

// pods counts in what the pods are worth that find a place.
func (b *bound) pods() {
	for g, price := range b.groups {
		b.total.add(int64(b.need[g]), price)
	}
}

// rules counts in what the rules are charged that look beyond one machine.
func (b *bound) rules() {
	for _, w := range b.weights {
		b.total.add(-int64(w.most), w.price)
	}
	for _, x := range b.budgets {
		b.total.add(int64(b.kept(&x)), x.price)
	}
	for _, l := range b.limits {
		b.total.add(-1, b.rest(&l))
	}
	b.total.addCost(min(0, b.p.Rules.SavingsOnce))
}

// kept is how many of the nodes that the budget counts have to stay. Those that
// may go for several reasons are left out.
func (b *bound) kept(x *budget) int {
	nodes, allowed := 0, 0
	for reason, counts := range x.reasons {
		if counts {
			allowed = max(allowed, b.p.Pools[x.pool].Budget[reason])
		}
	}
	for i := range b.p.Nodes {
		switch {
		case b.counts(x, i):
			nodes++
		case b.drifted[i] && b.p.Nodes[i].Pool == x.pool && x.reasons[model.Drifted]:
			allowed--
		}
	}
	return max(0, nodes-max(0, allowed))
}

// counts says whether the budget counts the node if it goes by choice.
func (b *bound) counts(x *budget, i int) bool {
	n := &b.p.Nodes[i]
	return b.mayGo(i) && n.Pool == x.pool && n.Drift == 0 && x.reasons[n.Voluntary]
}

// use is what a machine of the pool, capacity and price is charged by all limits.
func (b *bound) use(pool model.PoolIndex, capacity model.Quantities, price model.Money) int64 {
	var charge int64
	for _, l := range b.limits {
		if l.Covers(pool) {
			charge = min(largest, charge+share(l.price, max(0, l.Of(capacity, price)), l.whole()))
		}
	}
	return charge
}

// whole is what the limit's price is the price of.
func (l *limit) whole() int64 { return max(1, l.Max) }

// rest is the price of what the limit leaves to launches and to nodes that may
// go, rounded up.
func (b *bound) rest(l *limit) int64 {
	rest := l.Max
	for i := range b.p.Nodes {
		if n := &b.p.Nodes[i]; !b.decided(i) && !b.mayGo(i) && l.Covers(n.Pool) {
			rest -= l.Of(n.Capacity, n.Price)
		}
	}
	if rest < 0 {
		return -share(l.price, -rest, l.whole())
	}
	return shareUp(l.price, rest, l.whole())
}

// binds says whether every solution keeps the limit. One that launches does by
// rule; any other does if the nodes of today do.
func (b *bound) binds(l *model.Limit) bool {
	rest := l.Max
	for i := range b.p.Nodes {
		if n := &b.p.Nodes[i]; !b.decided(i) && l.Covers(n.Pool) {
			rest -= max(0, l.Of(n.Capacity, n.Price))
			if rest < 0 {
				return false
			}
		}
	}
	return rest >= 0
}
