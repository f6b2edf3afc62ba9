package solver

import (
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// most is how many more pods of the group fit into the free room of a machine
// that already holds pods, as far as resources, the cap and conflicts go.
func (w *work) most(g model.GroupIndex, free model.Quantities, pods []model.Count) int {
	group := &w.p.Groups[g]
	n := int64(math.MaxInt32)
	for r, q := range group.Request {
		if q > 0 {
			n = min(n, max(0, free[r]/q))
			if n == 0 {
				return 0
			}
		}
	}
	if group.MaxPerMachine > 0 {
		n = min(n, int64(group.MaxPerMachine-countOf(pods, g)))
	}
	if len(group.Conflicts) > 0 {
		for _, c := range pods {
			if slices.Contains(group.Conflicts, c.Group) {
				return 0
			}
		}
	}
	return int(max(0, n))
}

// countOf is how many pods of the group are among the counts.
func countOf(pods []model.Count, g model.GroupIndex) int {
	for _, c := range pods {
		if c.Group == g {
			return c.N
		}
	}
	return 0
}

// with returns the counts, ascending by group, with n more pods of g. The
// argument is left as it is.
func with(pods []model.Count, g model.GroupIndex, n int) []model.Count {
	out := make([]model.Count, 0, len(pods)+1)
	done := false
	for _, c := range pods {
		switch {
		case c.Group == g:
			c.N += n
			done = true
		case c.Group > g && !done:
			out = append(out, model.Count{Group: g, N: n})
			done = true
		}
		out = append(out, c)
	}
	if !done {
		out = append(out, model.Count{Group: g, N: n})
	}
	return out
}

// take takes q·n off the room.
func take(room, q model.Quantities, n int) {
	for r := range room {
		room[r] -= q[r] * int64(n)
	}
}

// demand is how many pods of each group need a place, for the groups that have any.
type demand struct {
	n      []int              // by model.GroupIndex
	groups []model.GroupIndex // where n may be above zero, in the order in which to place them
}

func (w *work) newDemand() *demand {
	return &demand{n: make([]int, len(w.p.Groups))}
}

func (d *demand) add(g model.GroupIndex, n int) {
	if d.n[g] == 0 && n != 0 && !slices.Contains(d.groups, g) {
		d.groups = append(d.groups, g)
	}
	d.n[g] += n
}

func (d *demand) addAll(pods []model.Count, sign int) {
	for _, c := range pods {
		d.add(c.Group, sign*c.N)
	}
}

func (d *demand) empty() bool {
	return !slices.ContainsFunc(d.groups, func(g model.GroupIndex) bool { return d.n[g] > 0 })
}

func (d *demand) clone() *demand {
	return &demand{n: slices.Clone(d.n), groups: slices.Clone(d.groups)}
}

// part takes as many of the pods off the demand as it holds, and returns them.
func (d *demand) part(pods []model.Count) []model.Count {
	var out []model.Count
	for _, c := range pods {
		if n := min(c.N, d.n[c.Group]); n > 0 {
			out = append(out, model.Count{Group: c.Group, N: n})
			d.n[c.Group] -= n
		}
	}
	return out
}
