package model

import "slices"

// balanced asks that what each Balanced pool saves pays for the disruption (see Pool).
func (c *checker) balanced() {
	for k := range c.p.Pools {
		pool := &c.p.Pools[k]
		if !pool.Balanced {
			continue
		}
		var savings Money
		var disruption int64
		for i := range c.p.Nodes {
			if n := &c.p.Nodes[i]; n.Pool == PoolIndex(k) && c.s.Nodes[i].Removal == Underutilized {
				savings += n.Price
				disruption += n.Disruption
			}
		}
		if disruption == 0 {
			continue
		}
		for i := range c.s.Launches {
			carries := slices.ContainsFunc(c.s.Launches[i].Pods, func(x Count) bool {
				return c.p.Groups[x.Group].Origin.Pool == PoolIndex(k) && c.p.Groups[x.Group].Origin.Kind >= Displaced
			})
			if carries {
				savings -= c.p.Shapes[c.s.Launches[i].Shape].Price
			}
		}
		// In floating point: the products pass 2⁶³, and a rule of thumb needs no more.
		if float64(savings)*float64(pool.Disruption) < 0.5*float64(disruption)*float64(pool.Cost)*(1-1e-12) {
			c.fail("Balanced", "pool %s: a saving of %s does not pay for the disruption", pool.Name, savings)
		}
	}
}
