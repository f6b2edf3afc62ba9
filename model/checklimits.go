package model

// limits holds what the machines at the end amount to against each limit within whose scope something is launched.
func (c *checker) limits() {
	for _, l := range c.p.Limits {
		launched := false
		var sum int64
		for i := range c.s.Launches {
			shape := &c.p.Shapes[c.s.Launches[i].Shape]
			if l.Covers(shape.Pool) {
				launched = true
				sum += l.Of(shape.Capacity, shape.Price)
			}
		}
		for i := range c.p.Nodes {
			n := &c.p.Nodes[i]
			if l.Covers(n.Pool) && !c.s.Nodes[i].Gone() {
				sum += l.Of(n.Capacity, n.Price)
			}
		}
		if launched && sum > l.Max {
			c.fail("Limit", "measure %d of pool %d: %d over the limit %d", l.Measure, l.Pool, sum, l.Max)
		}
	}
}

// reservations holds the launches from each reservation against what is left of it.
func (c *checker) reservations() {
	used := make([]int, len(c.p.Reservations))
	for i := range c.s.Launches {
		if r := c.p.Shapes[c.s.Launches[i].Shape].Reservation; r != None {
			used[r]++
		}
	}
	for r, n := range used {
		if n > c.p.Reservations[r].Count {
			c.fail("Reservation", "%s: %d launched, %d free", c.p.Reservations[r].Name, n, c.p.Reservations[r].Count)
		}
	}
}
