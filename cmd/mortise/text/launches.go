package text

import (
	"fmt"
	"strings"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// maxNames is how many names a cell lists before it says "and 3 more".
const maxNames = 12

// launches lists what to buy; launches that are alike share a row.
func (p *planPage) launches() {
	if len(p.plan.Launches) == 0 {
		return
	}
	var total float64
	for i := range p.plan.Launches {
		total += p.plan.Launches[i].PricePerHour
	}
	p.section("Launches", fmt.Sprintf("%s, %s", plural(len(p.plan.Launches), "node"), hourly(total)))
	g := newGrid(column{title: "", right: true}, column{title: "TYPE"}, column{title: "ZONE"}, column{title: "CAPACITY"},
		column{title: "PRICE EACH", right: true}, column{title: "POOL", minor: true}, column{title: "FOR", minor: true}, column{title: "PODS"})
	for _, alike := range groupBy(p.plan.Launches, p.likeness) {
		l := &alike[0]
		capacity := l.CapacityType + prefixed(" ", l.Reservation)
		each := ""
		if len(alike) > 1 {
			each = "each "
		}
		g.row(fmt.Sprintf("%d ×", len(alike)), l.InstanceType, l.Zone, capacity, hourly(l.PricePerHour),
			l.NodePool, l.Reason, each+p.pods.workloads(l.Pods).list(maxNames))
	}
	g.print(p.page)
}

// likeness is equal for launches that share a row.
func (p *planPage) likeness(l *v1alpha1.Launch) string {
	return strings.Join([]string{l.NodePool, l.InstanceType, l.Zone, l.CapacityType, l.Reservation,
		hourly(l.PricePerHour), l.Reason, p.pods.workloads(l.Pods).list(len(l.Pods))}, "\x00")
}

// groupBy splits items by key, in the order of each key's first item.
func groupBy[T any](items []T, key func(*T) string) [][]T {
	at := map[string]int{}
	var out [][]T
	for i := range items {
		k := key(&items[i])
		g, seen := at[k]
		if !seen {
			g = len(out)
			at[k] = g
			out = append(out, nil)
		}
		out[g] = append(out[g], items[i])
	}
	return out
}
