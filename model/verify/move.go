package verify

// checkMoves asks that every pod that needs another place because its node
// goes has one, once, and that no other pod moves.
func checkMoves(c *check) {
	seen := map[string]bool{}
	for _, r := range c.plan.Removals {
		m := c.removed(&r)
		for _, d := range r.Moves {
			p := c.pod[d.Pod]
			switch {
			case p == nil || m == nil || p.on != m || !p.movable():
				c.report(RuleMove, "pod "+d.Pod, "moves, and is no movable pod of removed node %q", r.Node)
			case seen[d.Pod]:
				c.report(RuleMove, p.object(), "moves twice")
			}
			seen[d.Pod] = true
		}
	}
	for _, r := range c.removals {
		for _, p := range r.machine.movable() {
			if c.moved[p] != nil || p.bare() || r.forced() && c.left[p] {
				continue // a bare pod is lost with its node
			}
			c.report(RuleMove, p.object(), "has no destination, though %s is removed", r.machine.object())
		}
	}
}
