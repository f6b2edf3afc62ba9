package text

import (
	"cmp"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// destinations counts pods by where they go, each name as it is to be printed.
func destinations(ds []v1alpha1.Destination, printed func(string) string) counts {
	c := counts{}
	for _, d := range ds {
		c[printed(cmp.Or(d.Launch, d.Node, d.NodeClaim))]++
	}
	return c
}

// moves sums up which running pods move.
func (p *planPage) moves() {
	var keys []string
	for i := range p.plan.Removals {
		for _, m := range p.plan.Removals[i].Moves {
			keys = append(keys, m.Pod)
		}
	}
	if len(keys) == 0 {
		return
	}
	p.section("Moves", plural(len(keys), "running pod"))
	p.labeled("", p.pods.workloads(keys).list(2*maxNames))
}
