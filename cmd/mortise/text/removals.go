package text

import (
	"cmp"
	"fmt"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// maxRows is how many nodes are listed one by one; more are summed up by pool and instance type.
const maxRows = 40

// removals lists what to take away, and where its pods go.
func (p *planPage) removals() {
	if len(p.plan.Removals) == 0 {
		return
	}
	var total float64
	for i := range p.plan.Removals {
		total += p.plan.Removals[i].PricePerHour
	}
	p.section("Removals", fmt.Sprintf("%s, %s", plural(len(p.plan.Removals), "node"), hourly(total)))
	if len(p.plan.Removals) > maxRows {
		p.removalsByType()
		return
	}
	g := newGrid(column{title: "NODE"}, column{title: "TYPE"}, column{title: "PRICE", right: true}, column{title: "POOL", minor: true},
		column{title: "REASON"}, column{title: "STEP", right: true, minor: true}, column{title: "PODS GO TO"})
	for i := range p.plan.Removals {
		r := &p.plan.Removals[i]
		g.row(p.fleet.short(cmp.Or(r.Node, r.NodeClaim)), p.typeOf(r), hourly(r.PricePerHour), r.NodePool,
			r.Reason, fmt.Sprint(r.Step), cmp.Or(destinations(r.Moves, p.fleet.short).list(maxNames), "no pods to move"))
	}
	g.print(p.page)
}

func (p *planPage) removalsByType() {
	g := newGrid(column{title: "", right: true}, column{title: "TYPE"}, column{title: "POOL"}, column{title: "REASON"},
		column{title: "PRICE", right: true}, column{title: "PODS THAT MOVE"})
	for _, alike := range groupBy(p.plan.Removals, func(r *v1alpha1.Removal) string {
		return r.NodePool + "\x00" + p.typeOf(r) + "\x00" + r.Reason
	}) {
		var price float64
		moves := 0
		for i := range alike {
			price += alike[i].PricePerHour
			moves += len(alike[i].Moves)
		}
		g.row(fmt.Sprintf("%d ×", len(alike)), p.typeOf(&alike[0]), alike[0].NodePool, alike[0].Reason, hourly(price), fmt.Sprint(moves))
	}
	g.print(p.page)
}

func (p *planPage) typeOf(r *v1alpha1.Removal) string {
	if m := p.fleet.removed(r); m != nil {
		return m.instanceType
	}
	return ""
}
