package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// grid is the pricing problem of all machines up to a size at once, by dynamic
// programming over two resources, in units that divide the requests:
//
//	best(a, b) = max over groups g:  v_g + best(a − a_g, b − b_g)
//
// Other resources are left out, requests are rounded down to units, and so are
// rooms, so that best is never below the value of a content that fits. Where a
// machine's own rules cap a group, so does the grid.
type grid struct {
	w           *work
	first, last model.ResourceIndex
	unit        [2]int64
	size        [2]int // cells of each resource
	coarse      bool   // the units do not divide all requests
	items       []gridItem
	best        []float64
	// layers are best for the items from the k-th on, rounded up to half the bytes.
	layers [][]float32
}

type gridItem struct {
	g     model.GroupIndex
	value float64
	cells [2]int
	most  int
	rest  float64 // worth of the items from this one on that take no room of either resource
}

// newGrid covers rooms of up to so many cells of the units.
func (w *work) newGrid(first, last model.ResourceIndex, unit [2]int64, size [2]int, groups []model.GroupIndex, value []float64, most []int) *grid {
	t := &grid{w: w, first: first, last: last, unit: unit, size: size}
	for _, g := range groups {
		if value[g] <= 0 || most[g] == 0 {
			continue
		}
		group := &w.p.Groups[g]
		x := gridItem{g: g, value: value[g], most: most[g]}
		x.cells[0], x.cells[1] = int(group.Request[first]/t.unit[0]), int(group.Request[last]/t.unit[1])
		if group.MaxPerMachine > 0 {
			x.most = min(x.most, group.MaxPerMachine)
		}
		if x.cells[0] > t.size[0] || x.cells[1] > t.size[1] {
			continue
		}
		t.items = append(t.items, x)
	}
	slices.SortFunc(t.items, func(a, b gridItem) int { return cmp.Or(cmp.Compare(t.density(b), t.density(a)), cmp.Compare(a.g, b.g)) })
	t.best = make([]float64, (t.size[0]+1)*(t.size[1]+1))
	t.layers = make([][]float32, len(t.items))
	rest := 0.0
	for i := len(t.items) - 1; i >= 0; i-- {
		x := &t.items[i]
		if x.cells == [2]int{} {
			rest += x.value * float64(x.most)
		} else {
			t.enter(x)
		}
		x.rest = rest
		t.layers[i] = roundedUp(t.best)
	}
	w.spend(2 * len(t.layers) * len(t.best))
	return t
}

func roundedUp(list []float64) []float32 {
	out := make([]float32, len(list))
	for i, x := range list {
		out[i] = float32(x * (1 + 1e-7)) // half a unit in the last place of a float32 is 6·10⁻⁸
	}
	return out
}

// density is an item's value for the share of the grid that it takes.
func (t *grid) density(x gridItem) float64 {
	return x.value / (float64(x.cells[0])/float64(t.size[0]+1) + float64(x.cells[1])/float64(t.size[1]+1) + 1e-9)
}

// coarsen makes units coarser until the room has at most so many cells.
func coarsen(unit [2]int64, first, last model.ResourceIndex, room model.Quantities, cells int) [2]int64 {
	for {
		n := cellsOf(room, first, last, unit)
		if (n[0]+1)*(n[1]+1) <= cells {
			return unit
		}
		if n[0] > n[1] {
			unit[0] *= 2
		} else {
			unit[1] *= 2
		}
	}
}

func cellsOf(room model.Quantities, first, last model.ResourceIndex, unit [2]int64) [2]int {
	return [2]int{int(max(0, room[first]) / unit[0]), int(max(0, room[last]) / unit[1])}
}

// enter lets the item into the contents: any number of times if its cap cannot
// bind, else in lots of 1, 2, 4, … that add up to the cap.
func (t *grid) enter(x *gridItem) {
	fit := math.MaxInt
	for k, c := range x.cells {
		if c > 0 {
			fit = min(fit, t.size[k]/c)
		}
	}
	if x.most >= fit {
		t.pass(x.cells, x.value, true)
		return
	}
	for lot, left := 1, x.most; left > 0; lot *= 2 {
		n := min(lot, left)
		left -= n
		t.pass([2]int{n * x.cells[0], n * x.cells[1]}, float64(n)*x.value, false)
	}
}

// pass adds the lot to every content that has room, again and again or once.
func (t *grid) pass(cells [2]int, value float64, again bool) {
	if cells[0] > t.size[0] || cells[1] > t.size[1] {
		return
	}
	row := t.size[1] + 1
	t.w.spend((t.size[0] + 1 - cells[0]) * (row - cells[1]))
	if again && cells[0] == 0 {
		for a := 0; a <= t.size[0]; a++ {
			line := t.best[a*row : a*row+row]
			for b := cells[1]; b < row; b++ {
				line[b] = max(line[b], line[b-cells[1]]+value)
			}
		}
		return
	}
	lines := func(a int) {
		to, from := t.best[a*row+cells[1]:a*row+row], t.best[(a-cells[0])*row:(a-cells[0])*row+row-cells[1]]
		if !again && cells[0] == 0 {
			for b := len(to) - 1; b >= 0; b-- {
				to[b] = max(to[b], from[b]+value)
			}
			return
		}
		for b, x := range from {
			to[b] = max(to[b], x+value)
		}
	}
	if again {
		for a := cells[0]; a <= t.size[0]; a++ {
			lines(a)
		}
		return
	}
	for a := t.size[0]; a >= cells[0]; a-- {
		lines(a)
	}
}

// bound is a value that no content of the room exceeds.
func (t *grid) bound(room model.Quantities) float64 {
	return t.from(0, room)
}

// from bounds what the items from the k-th on are worth in the room.
func (t *grid) from(k int, room model.Quantities) float64 {
	if k == len(t.items) {
		return 0
	}
	n := cellsOf(room, t.first, t.last, t.unit)
	return float64(t.layers[k][n[0]*(t.size[1]+1)+n[1]]) + t.items[k].rest
}

// search finds a content worth more than the price, the best within so many
// branches, and returns it with a bound on any content's value. It is a
// depth-first search that the layers lead: where units divide all requests it
// walks straight to the best.
func (t *grid) search(room model.Quantities, price float64, branches int) ([]model.Count, float64) {
	d := &gridSearch{t: t, free: slices.Clone(room), best: price, left: branches}
	d.branch(0, 0)
	t.w.spend(60 * (branches - max(0, d.left)))
	bound := max(price, d.best)
	if d.left < 0 {
		bound = t.bound(room)
	}
	slices.SortFunc(d.bestPods, func(a, b model.Count) int { return cmp.Compare(a.Group, b.Group) })
	return d.bestPods, bound
}

// near lists contents worth at least the threshold, at most so many, found
// within so many branches.
func (t *grid) near(room model.Quantities, threshold float64, most, branches int) [][]model.Count {
	d := &gridSearch{t: t, free: slices.Clone(room), best: threshold, left: branches, most: most}
	d.branch(0, 0)
	t.w.spend(60 * (branches - max(0, d.left)))
	for _, pods := range d.listed {
		slices.SortFunc(pods, func(a, b model.Count) int { return cmp.Compare(a.Group, b.Group) })
	}
	return d.listed
}

type gridSearch struct {
	t *grid
	// most is how many contents to list; zero: find the best.
	most     int
	listed   [][]model.Count
	free     model.Quantities
	pods     []model.Count
	best     float64
	bestPods []model.Count
	left     int
}

// branch extends the content by every count of every item from the k-th on.
func (d *gridSearch) branch(k int, value float64) {
	switch {
	case value <= d.best:
	case d.most == 0:
		d.best, d.bestPods = value, append(d.bestPods[:0], d.pods...)
	default:
		d.listed = append(d.listed, slices.Clone(d.pods))
		if len(d.listed) == d.most {
			d.left = 0
		}
	}
	if d.left--; d.left < 0 {
		return
	}
	for ; k < len(d.t.items); k++ {
		if value+d.t.from(k, d.free) <= d.best*(1+1e-12)+1e-9 {
			return
		}
		x := &d.t.items[k]
		request := d.t.w.p.Groups[x.g].Request
		for n := min(x.most, d.t.w.most(x.g, d.free, d.pods)); n > 0; n-- {
			take(d.free, request, n)
			worth := value + float64(n)*x.value
			if worth+d.t.from(k+1, d.free) > d.best*(1+1e-12)+1e-9 {
				d.pods = append(d.pods, model.Count{Group: x.g, N: n})
				d.branch(k+1, worth)
				d.pods = d.pods[:len(d.pods)-1]
			}
			take(d.free, request, -n)
			if d.left < 0 {
				return
			}
		}
	}
}
