package model

// pendingApart asks that a solution does not both launch for pending pods and remove nodes voluntarily.
func (c *checker) pendingApart() {
	if !c.p.Rules.PendingApart {
		return
	}
	bought, removed := false, false
	for i := range c.s.Launches {
		for _, x := range c.s.Launches[i].Pods {
			bought = bought || c.p.Groups[x.Group].Origin.Kind == Pending
		}
	}
	for i := range c.s.Nodes {
		removed = removed || c.s.Nodes[i].Removal.Voluntary()
	}
	if bought && removed {
		c.fail("PendingApart", "launches for pending pods and removes nodes voluntarily")
	}
}
