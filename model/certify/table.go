package certify

import (
	"slices"

	"github.com/mortise-io/mortise/model"
)

// table is a dynamic program over one resource or two, in units that divide the
// requests if there is space for that, else in coarser ones:
//
//	layer k (room) = the most that the items from the k-th on are worth in the room
//
// Requests are rounded down to units, and other resources are charged for by
// their prices, so that no content is worth more.
type table struct {
	c      *content
	over   []int   // resources
	unit   []int64 // of each
	row    int     // cells of the last resource
	layers [][]int64
}

// table makes the tables over the resources; nil if they are the same, or the
// machine has no room of one.
func (c *content) table(over []int) *table {
	if len(over) == 2 && over[0] == over[1] || slices.ContainsFunc(over, func(r int) bool { return c.room[r] <= 0 }) {
		return nil
	}
	t := &table{c: c, over: over}
	for _, r := range over {
		t.unit = append(t.unit, c.unit(r))
	}
	for size := t.size(); size[0]*size[1]*int64(len(c.items)+1) > cells; size = t.size() {
		k := 0
		if len(over) == 2 && size[1] > size[0] {
			k = 1
		}
		t.unit[k] *= 2
	}
	size := t.size()
	t.row = int(size[1])
	t.layers = make([][]int64, len(c.items)+1)
	t.layers[len(c.items)] = make([]int64, size[0]*size[1])
	for k := len(c.items) - 1; k >= 0; k-- {
		t.layers[k] = slices.Clone(t.layers[k+1])
		t.enter(k)
	}
	return t
}

// size is how many cells the room takes of each resource, the empty one counted
// in; 1 where there is no such resource.
func (t *table) size() [2]int64 {
	size := [2]int64{1, 1}
	for k, r := range t.over {
		size[k] = t.c.room[r]/t.unit[k] + 1
	}
	return size
}

// cell is where a layer holds the room.
func (t *table) cell(room model.Quantities) int {
	at := 0
	for k, r := range t.over {
		n := int(room[r] / t.unit[k])
		if k == 0 {
			n *= t.row
		}
		at += n
	}
	return at
}

// enter lets the k-th item into its layer, in lots of 1, 2, 4, … that add up to
// its cap, so that a content may hold any number of them.
func (t *table) enter(k int) {
	x := &t.c.items[k]
	value := x.value - t.charge(x.request)
	if value <= 0 {
		return
	}
	for lot, left := int64(1), x.most; left > 0; lot *= 2 {
		n := min(lot, left)
		left -= n
		t.add(t.layers[k], x.request, n, value)
	}
}

// add lets n pods together into every content that has room.
func (t *table) add(layer []int64, request model.Quantities, n, value int64) {
	var need [2]int
	for k, r := range t.over {
		need[k] = int(n * (request[r] / t.unit[k]))
	}
	step := need[0]*t.row + need[1]
	for from := len(layer) - t.row; from >= need[0]*t.row; from -= t.row {
		for at := from + t.row - 1; at >= from+need[1]; at-- {
			layer[at] = max(layer[at], layer[at-step]+n*value)
		}
	}
}

// charge is what a pod is charged for the room of other resources.
func (t *table) charge(request model.Quantities) int64 {
	rest := slices.Clone(request)
	for _, r := range t.over {
		rest[r] = 0
	}
	return t.c.charge(rest)
}

// bound is what no content is worth more than.
func (t *table) bound() int64 { return t.from(0, t.c.room) }

// from is what the items from the k-th on are worth at most in the free room.
func (t *table) from(k int, free model.Quantities) int64 {
	return t.layers[k][t.cell(free)] + t.c.worth(free, t.over)
}

// unit is the greatest common divisor of the items' requests.
func (c *content) unit(r int) int64 {
	var unit int64
	for _, x := range c.items {
		for a, b := unit, x.request[r]; ; a, b = b, a%b {
			if b == 0 {
				unit = a
				break
			}
		}
	}
	return max(unit, 1)
}
