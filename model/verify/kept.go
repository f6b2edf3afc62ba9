package verify

import (
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// checkKept asks that every machine is either kept, for a known reason, or removed.
func checkKept(c *check) {
	kept := map[*machine]bool{}
	for _, k := range c.plan.Kept {
		m := c.byName[k.Node]
		if k.Node == "" {
			m = c.byClaim[k.NodeClaim]
		}
		if m == nil || k.NodeClaim != "" && c.byClaim[k.NodeClaim] != m {
			c.report(RuleKept, "node "+k.Node, "is kept, and there is no such node or claim %q", k.NodeClaim)
			continue
		}
		switch {
		case kept[m]:
			c.report(RuleKept, m.object(), "is kept twice")
		case c.gone[m] != nil:
			c.report(RuleKept, m.object(), "is kept and removed")
		}
		kept[m] = true
		if k.NodePool != "" && (m.pool == nil || k.NodePool != m.pool.Name) {
			c.report(RuleKept, m.object(), "is kept in node pool %s, which does not manage it", k.NodePool)
		}
		if !slices.Contains(v1alpha1.KeptReasons, k.Reason) {
			c.report(RuleKept, m.object(), "%q is no reason to keep a node", k.Reason)
		}
	}
	for _, m := range c.machines {
		if !kept[m] && c.gone[m] == nil {
			c.report(RuleKept, m.object(), "is neither kept nor removed")
		}
	}
}
