package verify

import (
	"slices"
	"strings"
)

// checkRemovals asks that removals name known machines, once each, for a
// reason they have, and that machines that go anyway are among them.
func checkRemovals(c *check) {
	seen := map[*machine]bool{}
	for i := range c.plan.Removals {
		r := &c.plan.Removals[i]
		m := c.removed(r)
		if m == nil {
			c.report(RuleRemoval, "node "+r.Node, "is removed, and there is no such node or claim %q", r.NodeClaim)
			continue
		}
		if seen[m] {
			c.report(RuleRemoval, m.object(), "is removed twice")
		}
		seen[m] = true
		if m.pool != nil && r.NodePool != m.pool.Name {
			c.report(RuleRemoval, m.object(), "is of pool %q, want %q", r.NodePool, m.pool.Name)
		}
		if all := c.reasons(m); !slices.Contains(all, r.Reason) {
			c.report(RuleRemovalReason, m.object(), "is removed as %q, want %s", r.Reason, strings.Join(all, " or "))
		}
	}
	for _, m := range c.machines {
		if why := c.goesAnyway(m); len(why) > 0 && !seen[m] {
			c.report(RuleRemoval, m.object(), "goes anyway (%s), and is not among the removals", why[0])
		}
	}
}
