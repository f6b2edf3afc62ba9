package verify

import "github.com/mortise-io/mortise/api/v1alpha1"

// checkDestinations asks that every pod goes to one machine that is there at
// the end and may receive it.
func checkDestinations(c *check) {
	for _, p := range c.pods {
		for _, a := range []*arrival{c.placed[p], c.moved[p]} {
			if a == nil {
				continue
			}
			d := a.dest
			switch {
			case named(d) != 1:
				c.report(RuleDestination, p.object(), "has %d destinations, want one of node, nodeClaim and launch", named(d))
			case a.to == nil:
				c.report(RuleDestination, p.object(), "goes to %q, which is not there at the end or is to be named otherwise", d.Node+d.NodeClaim+d.Launch)
			case a.to != p.nominee:
				if why := c.closed(a); why != "" {
					c.report(RuleDestination, p.object(), "goes to %s, which %s", a.to.object(), why)
				}
			}
		}
	}
}

// closed says why the machine may not receive the pod, whatever room it has; empty if it may.
func (c *check) closed(a *arrival) string {
	m := a.to
	switch {
	case m.launch != nil:
		return ""
	case m.cordoned():
		return "is cordoned"
	case m.deleting():
		return "is being deleted"
	case m.notReady() && !m.onItsWay:
		return "is not ready"
	case len(c.goesAnyway(m)) > 0:
		return "goes anyway"
	case a.from == nil || a.from.forced():
		return ""
	case m.onItsWay:
		return "is on its way, and takes only pending pods and those of nodes that go anyway"
	case c.policy.QuietScope == v1alpha1.QuietScopeSourceAndDestination && c.quiet(m):
		return "gained or lost a pod within the quiet period"
	}
	return ""
}
