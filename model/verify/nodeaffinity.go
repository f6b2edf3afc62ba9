package verify

// checkNodeAffinity asks that a pod's node selector and required node affinity match where it goes.
func checkNodeAffinity(c *check) {
	for _, m := range c.receivers() {
		for _, a := range c.arrivals[m] {
			if !a.pod.selects(m.view) {
				c.report(RuleNodeAffinity, a.pod.object(), "its node selector or affinity does not match %s", m.object())
			}
		}
	}
}
