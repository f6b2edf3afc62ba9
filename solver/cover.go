package solver

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// Bounds on an exact cover: how many different demands below the given one it
// may tabulate, and how many pairs of them it may compare.
const (
	maxCoverStates = 1 << 12
	maxCoverPairs  = 1 << 17
)

// cover is a cheapest set of launches for a small demand, as far as a view and
// the rules of single machines go.
type cover struct {
	launches []*launch
	left     []model.Count // what no launch can carry
	exact    bool          // false: the demand was too large to tabulate
}

// cover finds the cheapest launches for d by dynamic programming over all
// demands below it:
//
//	best(v) = min over contents u ≤ v that hold the first pod of v:  cheapest(u) + best(v − u)
//
// Reservations are left out: each of them can be used only so often.
func (v *view) cover(d *demand) *cover {
	groups := make([]model.GroupIndex, 0, len(d.groups))
	for _, g := range d.groups {
		if d.n[g] > 0 {
			groups = append(groups, g)
		}
	}
	slices.Sort(groups)
	states, pairs := 1, 1
	for _, g := range groups {
		n := d.n[g]
		if n > maxCoverStates {
			return &cover{}
		}
		states *= n + 1
		pairs *= (n + 1) * (n + 2) / 2
		if states > maxCoverStates || pairs > maxCoverPairs {
			return &cover{}
		}
	}
	key := coverKey(groups, d)
	if c, ok := v.covers[key]; ok {
		v.w.spend(100)
		return c
	}
	c := newTable(v, groups, d, states).solve()
	if len(v.covers) > 1<<16 { // keeps memory bounded; what is dropped can be found again
		clear(v.covers)
	}
	v.covers[key] = c
	return c
}

func coverKey(groups []model.GroupIndex, d *demand) string {
	b := make([]byte, 0, 6*len(groups))
	for _, g := range groups {
		b = binary.AppendUvarint(b, uint64(g))
		b = binary.AppendUvarint(b, uint64(d.n[g]))
	}
	return string(b)
}

// table is the dynamic program of a cover. A demand below the given one is
// the number whose digits, in mixed radix, are its counts.
type table struct {
	v      *view
	groups []model.GroupIndex
	radix  []int // count + 1
	stride []int
	// cheapest is the place in view.shapes of the cheapest shape that holds a
	// content; len(shapes) if there is none.
	cheapest []int32
	best     []tableEntry
}

type tableEntry struct {
	left int32   // pods that no launch can carry
	cost float64 // of the launches
	n    int32   // launches
	last int32   // the content of one of them; 0: one pod of the first group is left
}

func newTable(v *view, groups []model.GroupIndex, d *demand, states int) *table {
	t := &table{v: v, groups: groups, radix: make([]int, len(groups)), stride: make([]int, len(groups))}
	stride := 1
	for i, g := range groups {
		t.radix[i] = d.n[g] + 1
		t.stride[i] = stride
		stride *= t.radix[i]
	}
	t.cheapest = make([]int32, states)
	t.best = make([]tableEntry, states)
	return t
}

func (t *table) solve() *cover {
	digits := make([]int, len(t.groups))
	for u := 1; u < len(t.best); u++ {
		t.increment(digits)
		t.cheapest[u] = t.findCheapest(u, digits)
	}
	clear(digits)
	for u := 1; u < len(t.best); u++ {
		t.increment(digits)
		t.best[u] = t.findBest(u, digits)
	}
	return t.trace()
}

func (t *table) increment(digits []int) {
	for i := range digits {
		if digits[i]++; digits[i] < t.radix[i] {
			return
		}
		digits[i] = 0
	}
}

// findCheapest looks at no shape that cannot hold one pod less.
func (t *table) findCheapest(u int, digits []int) int32 {
	from := int32(0)
	for i, n := range digits {
		if n > 0 {
			from = max(from, t.cheapest[u-t.stride[i]])
		}
	}
	pods := t.counts(digits)
	if !t.v.w.compatible(pods) {
		return int32(len(t.v.shapes))
	}
	for k := from; int(k) < len(t.v.shapes); k++ {
		s := t.v.shapes[k]
		t.v.w.spend(8)
		if t.v.w.p.Shapes[s].Reservation == model.None && t.v.w.holds(s, pods) {
			return k
		}
	}
	return int32(len(t.v.shapes))
}

// compatible says whether the pods may share a machine, its room apart.
func (w *work) compatible(pods []model.Count) bool {
	for i, c := range pods {
		g := &w.p.Groups[c.Group]
		if g.MaxPerMachine > 0 && c.N > g.MaxPerMachine {
			return false
		}
		for _, o := range pods[i+1:] {
			if slices.Contains(g.Conflicts, o.Group) {
				return false
			}
		}
	}
	return true
}

func (t *table) counts(digits []int) []model.Count {
	pods := make([]model.Count, 0, len(digits))
	for i, n := range digits {
		if n > 0 {
			pods = append(pods, model.Count{Group: t.groups[i], N: n})
		}
	}
	return pods
}

// findBest tries every content that holds a pod of the first group of u.
func (t *table) findBest(u int, digits []int) tableEntry {
	first := slices.IndexFunc(digits, func(n int) bool { return n > 0 })
	rest := t.best[u-t.stride[first]]
	best := tableEntry{left: rest.left + 1, cost: rest.cost, n: rest.n}
	content := make([]int, len(digits))
	content[first] = 1
	for x := t.stride[first]; ; {
		if k := t.cheapest[x]; int(k) < len(t.v.shapes) {
			rest := &t.best[u-x]
			e := tableEntry{left: rest.left, cost: rest.cost + t.v.cost[k] + t.v.podCharge(int(k))*float64(sum(content)), n: rest.n + 1, last: int32(x)}
			if e.left < best.left || e.left == best.left && (e.cost < best.cost-1e-3 || math.Abs(e.cost-best.cost) <= 1e-3 && e.n < best.n) {
				best = e
			}
		}
		t.v.w.spend(8)
		// The next content below digits, the first group's count at least 1.
		i := first
		for ; i < len(content); i++ {
			if content[i] < digits[i] {
				content[i]++
				x += t.stride[i]
				break
			}
			low := 0
			if i == first {
				low = 1
			}
			x -= t.stride[i] * (content[i] - low)
			content[i] = low
		}
		if i == len(content) {
			return best
		}
	}
}

// trace reads the launches of the whole demand off the table.
func (t *table) trace() *cover {
	c := &cover{exact: true}
	for u := len(t.best) - 1; u > 0; {
		e := t.best[u]
		if e.last == 0 {
			first := t.first(u)
			c.left = with(c.left, t.groups[first], 1)
			u -= t.stride[first]
			continue
		}
		c.launches = append(c.launches, &launch{shape: t.v.shapes[t.cheapest[e.last]], pods: t.counts(t.digits(int(e.last)))})
		u -= int(e.last)
	}
	return c
}

func (t *table) digits(u int) []int {
	out := make([]int, len(t.radix))
	for i, r := range t.radix {
		out[i] = u % r
		u /= r
	}
	return out
}

func (t *table) first(u int) int {
	return slices.IndexFunc(t.digits(u), func(n int) bool { return n > 0 })
}

func sum(digits []int) int {
	n := 0
	for _, x := range digits {
		n += x
	}
	return n
}
