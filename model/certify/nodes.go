package certify

import (
	"fmt"

	"github.com/mortise-io/mortise/model"
)

// nodes counts in what the nodes cost that are there, and takes off the most
// that keeping each can be worth beyond that.
func (b *bound) nodes() {
	known := map[string]int64{} // only looked up
	for i := range b.p.Nodes {
		n := &b.p.Nodes[i]
		switch {
		case n.Goes:
		case b.drifted[i]:
			b.total.addCost(n.Evict)
		case b.mayGo(i):
			b.total.addCost(leaving(n))
			cost := b.keeping(i)
			b.total.add(-1, max(0, b.extra(i, max(0, cost), known)-cost))
		default:
			b.total.addCost(n.KeepCost())
			b.total.add(-1, b.extra(i, 0, known))
		}
	}
}

// keeping is what keeping the node costs beyond taking it away, charges counted
// in, and taken off what that is worth: its own pods need no other place, and
// the budgets count one removal less.
func (b *bound) keeping(i int) int64 {
	n := &b.p.Nodes[i]
	cost, _ := units(n.KeepCost() - leaving(n))
	cost += b.use(n.Pool, n.Capacity, n.Price)
	for _, own := range n.Pods {
		cost -= int64(own.N) * b.groups[own.Group]
	}
	for k := range b.budgets {
		if b.counts(&b.budgets[k], i) {
			cost -= b.budgets[k].price
		}
	}
	return cost
}

// extra is a bound on what may be put onto the node; it is not looked for
// bounds below enough. Nodes with the same room share what is known.
func (b *bound) extra(i int, enough int64, known map[string]int64) int64 {
	n := &b.p.Nodes[i]
	c := content{p: b.p, thorough: b.thorough, room: n.Free, prices: b.rooms[n.Name]}
	var groups []int
	for g := range b.p.Groups {
		if !b.p.Groups[g].Nodes.Has(model.NodeIndex(i)) {
			continue
		}
		if x, ok := b.item(g, 0, n.Free); ok {
			c.items = append(c.items, x)
			groups = append(groups, g)
		}
	}
	if len(c.items) == 0 {
		return 0
	}
	key := fmt.Sprint(enough, n.Free, groups)
	ceiling, ok := known[key]
	if !ok {
		ceiling = c.ceiling(enough)
		known[key] = ceiling
	}
	return ceiling
}
