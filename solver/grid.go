package solver

import (
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
	items       []gridItem
	best        []float64
	spare       float64 // worth of pods that take no room of either resource
}

type gridItem struct {
	g     model.GroupIndex
	value float64
	cells [2]int
	most  int
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
		if x.cells[0] == 0 && x.cells[1] == 0 {
			t.spare += x.value * float64(x.most)
			continue
		}
		t.items = append(t.items, x)
	}
	t.best = make([]float64, (t.size[0]+1)*(t.size[1]+1))
	for i := range t.items {
		t.enter(&t.items[i])
	}
	return t
}

// unitsFor are the greatest common divisors of the groups' requests, made
// coarser until a room has at most so many cells.
func (w *work) unitsFor(first, last model.ResourceIndex, room model.Quantities, groups []model.GroupIndex, cells int) [2]int64 {
	unit := [2]int64{w.unitOf(first, groups), w.unitOf(last, groups)}
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

// unitOf is the greatest common divisor of the groups' requests.
func (w *work) unitOf(r model.ResourceIndex, groups []model.GroupIndex) int64 {
	var unit int64
	for _, g := range groups {
		for a, b := unit, w.p.Groups[g].Request[r]; ; a, b = b, a%b {
			if b == 0 {
				unit = a
				break
			}
		}
	}
	return max(unit, 1)
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
	t.w.spend((t.size[0] + 1 - cells[0]) * (row - cells[1]) / 3)
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
	n := cellsOf(room, t.first, t.last, t.unit)
	return t.best[n[0]*(t.size[1]+1)+n[1]] + t.spare
}

// content traces a content of the bound's value. It may break a cap or leave a
// resource that the grid does not know short: then it is cut to what fits.
func (t *grid) content(room model.Quantities) []model.Count {
	n := cellsOf(room, t.first, t.last, t.unit)
	row := t.size[1] + 1
	free := slices.Clone(room)
	var pods []model.Count
	for a, b := n[0], n[1]; ; {
		found := false
		for i := range t.items {
			x := &t.items[i]
			if x.cells[0] > a || x.cells[1] > b || countOf(pods, x.g) >= x.most {
				continue
			}
			rest := t.best[(a-x.cells[0])*row+b-x.cells[1]]
			if here := t.best[a*row+b]; rest+x.value < here*(1-1e-12) || t.w.most(x.g, free, pods) == 0 {
				continue
			}
			pods = with(pods, x.g, 1)
			take(free, t.w.p.Groups[x.g].Request, 1)
			a, b, found = a-x.cells[0], b-x.cells[1], true
			break
		}
		if !found {
			return pods
		}
	}
}
