package text

import (
	"cmp"
	"fmt"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// kept sums up which nodes stay, by reason, with one message as an example.
func (p *planPage) kept() {
	if len(p.plan.Kept) == 0 {
		return
	}
	p.section("Kept", plural(len(p.plan.Kept), "node"))
	g := newGrid(column{title: "", right: true}, column{title: "REASON"}, column{title: "FOR EXAMPLE"})
	byReason := map[string][]v1alpha1.Kept{}
	for _, k := range p.plan.Kept {
		byReason[k.Reason] = append(byReason[k.Reason], k)
	}
	for _, reason := range v1alpha1.KeptReasons {
		if ks := byReason[reason]; len(ks) > 0 {
			g.row(fmt.Sprintf("%d ×", len(ks)), reason, p.fleet.short(cmp.Or(ks[0].Node, ks[0].NodeClaim))+prefixed(": ", ks[0].Message))
		}
	}
	g.print(p.page)
}
