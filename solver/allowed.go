package solver

import "github.com/mortise-io/mortise/model"

// allowed numbers the sets of groups that shapes and nodes may carry, their
// room apart. What is found out for one machine serves all of the same set.
type allowed struct {
	groups [][]model.GroupIndex // by set, ascending
	shape  []int                // set of each shape
	node   []int                // set of each node
	// units are the greatest common divisors of the requests, by set and resource.
	units [][]int64
}

func (w *work) newAllowed() allowed {
	shapes := make([]model.Set[model.GroupIndex], len(w.p.Shapes))
	nodes := make([]model.Set[model.GroupIndex], len(w.p.Nodes))
	for g := range w.p.Groups {
		if w.need[g] == 0 {
			continue
		}
		for s := range w.p.Groups[g].Shapes.All() {
			shapes[s].Add(model.GroupIndex(g))
		}
		for i := range w.p.Groups[g].Nodes.All() {
			nodes[i].Add(model.GroupIndex(g))
		}
	}
	var a allowed
	index := map[string]int{} // only looked up
	number := func(set model.Set[model.GroupIndex]) int {
		key := set.Key()
		k, ok := index[key]
		if !ok {
			k = len(a.groups)
			index[key] = k
			var groups []model.GroupIndex
			for g := range set.All() {
				groups = append(groups, g)
			}
			a.groups = append(a.groups, groups)
			a.units = append(a.units, w.unitsOf(groups))
		}
		return k
	}
	for s := range shapes {
		a.shape = append(a.shape, number(shapes[s]))
	}
	for i := range nodes {
		a.node = append(a.node, number(nodes[i]))
	}
	return a
}

// unitsOf are the greatest common divisors of the groups' requests, by resource.
func (w *work) unitsOf(groups []model.GroupIndex) []int64 {
	units := make([]int64, len(w.p.Resources))
	for r := range units {
		for _, g := range groups {
			for a, b := units[r], w.p.Groups[g].Request[r]; ; a, b = b, a%b {
				if b == 0 {
					units[r] = a
					break
				}
			}
		}
		units[r] = max(units[r], 1)
	}
	return units
}
