package verify

// mayBePlaced says whether a placement may name the pod: it waits for a node.
func (c *cluster) mayBePlaced(p *pod) bool { return c.pending(p) }

// mustBePlaced says whether the plan has to say what becomes of the waiting
// pod. Nominated pods have a place, and those of DaemonSets are their
// controller's to place.
func (c *cluster) mustBePlaced(p *pod) bool {
	return c.pending(p) && p.nominee == nil && !p.stationary()
}

// checkPlacements asks that every pending pod is placed once or left waiting,
// and that no other pod is placed.
func checkPlacements(c *check) {
	seen := map[string]bool{}
	for _, d := range c.plan.Placements {
		p := c.pod[d.Pod]
		switch {
		case p == nil || !c.mayBePlaced(p):
			c.report(RulePlacement, "pod "+d.Pod, "is placed, and is not pending")
		case seen[d.Pod]:
			c.report(RulePlacement, p.object(), "is placed twice")
		}
		seen[d.Pod] = true
	}
	for _, p := range c.pods {
		if c.mustBePlaced(p) && c.placed[p] == nil && !c.left[p] {
			c.report(RulePlacement, p.object(), "is pending, and neither placed nor left waiting")
		}
		if a := c.placed[p]; a != nil && c.settled(p) && a.to != p.nominee {
			c.report(RulePlacement, p.object(), "is nominated to %s, and placed elsewhere", p.nominee.object())
		}
	}
}

// settled says whether the scheduler has promised the pod a machine that does not go.
func (c *cluster) settled(p *pod) bool {
	return p.nominee != nil && len(c.goesAnyway(p.nominee)) == 0
}
