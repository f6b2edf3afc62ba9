package model

// form says whether every index of the solution is one of the problem. The
// other rules look nothing up that this has not seen.
func (c *checker) form() bool {
	if len(c.s.Nodes) != len(c.p.Nodes) || len(c.s.Unplaced) != len(c.p.Groups) {
		c.fail("Form", "%d fates for %d nodes, %d unplaced counts for %d groups", len(c.s.Nodes), len(c.p.Nodes), len(c.s.Unplaced), len(c.p.Groups))
	}
	for i := range c.s.Launches {
		m := &c.s.Launches[i]
		if m.Shape < 0 || int(m.Shape) >= len(c.p.Shapes) {
			c.fail("Form", "launch %d: there is no shape %d", i, m.Shape)
		}
		c.groupsExist(m.Pods)
	}
	for i := range c.s.Nodes {
		f := &c.s.Nodes[i]
		if f.Removal > Stays || f.Removal == NumBudgets {
			c.fail("Form", "node %d: there is no removal %d", i, f.Removal)
		}
		c.groupsExist(f.Pods)
	}
	return len(c.found) == 0
}

func (c *checker) groupsExist(pods []Count) {
	for _, x := range pods {
		if x.Group < 0 || int(x.Group) >= len(c.p.Groups) {
			c.fail("Form", "there is no group %d", x.Group)
		}
	}
}
