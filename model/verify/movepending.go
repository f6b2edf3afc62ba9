package verify

import "slices"

// checkMovePending asks, where the policy forbids it, that a plan that buys
// for pending pods removes no node voluntarily.
func checkMovePending(c *check) {
	if *c.policy.MovePending || !slices.ContainsFunc(c.removals, (*removal).voluntary) {
		return
	}
	for _, m := range c.launches {
		if slices.ContainsFunc(c.arrivals[m], func(a *arrival) bool { return a.from == nil }) {
			c.report(RuleConsolidationOff, m.object(), "is bought for pending pods by a plan that removes nodes voluntarily, and the policy forbids both at once")
		}
	}
}
