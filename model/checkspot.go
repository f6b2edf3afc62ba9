package model

import "slices"

// spotFlexibility asks that enough instance types would do for each spot launch that replaces a spot node.
func (c *checker) spotFlexibility() {
	if c.p.Rules.SpotFlexibility <= 1 {
		return
	}
	for i := range c.s.Launches {
		m := &c.s.Launches[i]
		shape := &c.p.Shapes[m.Shape]
		replaces := slices.ContainsFunc(m.Pods, func(x Count) bool {
			o := c.p.Groups[x.Group].Origin
			return o.Kind == Resident && o.Spot
		})
		if !shape.Spot || !replaces {
			continue
		}
		types := map[TypeIndex]bool{}
		for k := range c.p.Shapes {
			if x := &c.p.Shapes[k]; x.Spot && x.Pool == shape.Pool && c.carries(ShapeIndex(k), m.Pods) {
				types[x.Type] = true
			}
		}
		if len(types) < c.p.Rules.SpotFlexibility {
			c.fail("SpotFlexibility", "launch %d of %s: %d instance types would do, %d are asked for", i, shape.Name, len(types), c.p.Rules.SpotFlexibility)
		}
	}
}

// carries says whether a new machine of the shape could hold the pods, which
// are known to get along with each other.
func (c *checker) carries(k ShapeIndex, pods []Count) bool {
	room := slices.Clone(c.p.Shapes[k].Allocatable)
	for _, x := range pods {
		g := &c.p.Groups[x.Group]
		if !g.Shapes.Has(k) {
			return false
		}
		for r, q := range g.Request {
			room[r] -= q * int64(x.N)
			if q > 0 && room[r] < 0 {
				return false
			}
		}
	}
	return true
}

// spotDiversity asks that no launch gives one instance type in one zone too large a share of its pool's spot nodes.
func (c *checker) spotDiversity() {
	share := c.p.Rules.SpotDiversity
	if share <= 0 {
		return
	}
	type market struct {
		pool PoolIndex
		typ  TypeIndex
		zone ZoneIndex
	}
	total := make([]int64, len(c.p.Pools))
	count := map[market]int64{}
	var launched []market
	for i := range c.p.Nodes {
		if n := &c.p.Nodes[i]; n.Spot && n.Pool != None && !c.s.Nodes[i].Gone() {
			total[n.Pool]++
			count[market{n.Pool, n.Type, n.Zone}]++
		}
	}
	for i := range c.s.Launches {
		if s := &c.p.Shapes[c.s.Launches[i].Shape]; s.Spot {
			m := market{s.Pool, s.Type, s.Zone}
			total[s.Pool]++
			count[m]++
			launched = append(launched, m)
		}
	}
	for _, m := range launched {
		if most := max(1, total[m.pool]*share/1_000_000); count[m] > most {
			c.fail("SpotDiversity", "pool %s: %d of %d spot nodes are of one type in one zone, at most %d may be", c.p.Pools[m.pool].Name, count[m], total[m.pool], most)
		}
	}
}
