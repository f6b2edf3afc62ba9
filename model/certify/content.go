package certify

import (
	"cmp"
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// content asks what the dearest content of one machine is worth:
//
//	max Σ v·z   subject to  Σ request·z ≤ room,  z ≤ most,  no conflicts
//
// Every answer is a bound, and the next one is only asked for where the last
// does not suffice: all pods; Lagrangian relaxation of the room; a short
// search; dynamic programs over one resource or two; a long search led by them.
type content struct {
	p        *model.Problem
	thorough bool // otherwise the last search is short, too
	room     model.Quantities
	items    []item
	// prices of all the room of each resource, a hint; ready makes them fit to use.
	prices []int64
	suffix []int64 // what the items from the k-th on are worth at most beyond the charges for their room
}

// item is a group of which the machine can hold some pods.
type item struct {
	group   model.GroupIndex
	request model.Quantities
	value   int64 // of a pod, above 0
	most    int64 // pods
}

// item is the group as an item of a machine with this room, where each pod is
// charged so much. It says false if there can be none, or they are worth nothing.
func (b *bound) item(g int, charge int64, room model.Quantities) (item, bool) {
	group := &b.p.Groups[g]
	x := item{group: model.GroupIndex(g), request: group.Request, value: b.groups[g] - charge, most: int64(b.need[g])}
	if x.value <= 0 {
		return x, false
	}
	if group.MaxPerMachine > 0 {
		x.most = min(x.most, int64(group.MaxPerMachine))
	}
	x.most = min(x.most, fitting(group.Request, room))
	return x, x.most > 0
}

// fitting is how many pods of the request the room holds.
func fitting(request, room model.Quantities) int64 {
	n := int64(math.MaxInt64)
	for r, q := range request {
		if q > 0 {
			n = min(n, max(0, room[r])/q)
		}
	}
	return n
}

// Bounds on the work for one machine.
const (
	shortSearch = 2_000 // branches
	longSearch  = 400_000
	cells       = 1 << 22 // of a dynamic program's tables, all items together
)

// ceiling is what no content is worth more than; once it is not above enough it
// is not lowered further.
func (c *content) ceiling(enough int64) int64 {
	ceiling := int64(0)
	for _, x := range c.items {
		ceiling += x.most * x.value
	}
	if ceiling <= enough {
		return ceiling
	}
	c.ready()
	if ceiling = min(ceiling, c.lagrangian()); ceiling <= enough {
		return ceiling
	}
	best, done := c.search(nil, enough, shortSearch)
	if done {
		return best
	}
	first, second := c.scarcest()
	for _, over := range [][]int{{first}, {second}, {first, second}} {
		t := c.table(over)
		if t == nil {
			continue
		}
		if ceiling = min(ceiling, t.bound()); ceiling <= enough {
			return ceiling
		}
		branches := shortSearch
		if len(over) == 2 && c.thorough {
			branches = longSearch
		}
		if best, done = c.search(t, enough, branches); done {
			return min(best, ceiling)
		}
	}
	return ceiling
}

// ready takes the hint, or equal prices where there is none, and sorts the
// items by value for what their room is charged.
func (c *content) ready() {
	prices := make([]int64, len(c.room))
	for r := range prices {
		switch {
		case c.room[r] <= 0:
		case len(c.prices) == len(c.room):
			prices[r] = min(max(0, c.prices[r]), largest/16)
		default:
			prices[r] = c.fair(r)
		}
	}
	c.prices = prices
	charge := make(map[model.GroupIndex]float64, len(c.items))
	for _, x := range c.items {
		charge[x.group] = float64(c.charge(x.request)) + 1
	}
	slices.SortStableFunc(c.items, func(a, b item) int {
		return cmp.Compare(float64(b.value)/charge[b.group], float64(a.value)/charge[a.group])
	})
	c.suffix = make([]int64, len(c.items)+1)
	for k := len(c.items) - 1; k >= 0; k-- {
		x := &c.items[k]
		c.suffix[k] = c.suffix[k+1] + x.most*max(0, x.value-c.charge(x.request))
	}
}

// fair is a price of all room of the resource for want of a hint: an equal part
// of what it could hold at the best item's value.
func (c *content) fair(r int) int64 {
	best := int64(0)
	for _, x := range c.items {
		if x.request[r] > 0 {
			best = max(best, share(x.value, c.room[r], x.request[r]))
		}
	}
	return min(best/int64(len(c.room)), largest/16)
}

// charge is the price of the room that a pod takes, rounded down.
func (c *content) charge(request model.Quantities) int64 {
	var sum int64
	for r, q := range request {
		if c.prices[r] > 0 && q > 0 {
			sum = min(largest, sum+share(c.prices[r], q, c.room[r]))
		}
	}
	return sum
}

// worth is the price of so much room but for the resources left out, rounded up.
func (c *content) worth(free model.Quantities, leftOut []int) int64 {
	var sum int64
	for r, price := range c.prices {
		if price > 0 && !slices.Contains(leftOut, r) {
			sum = min(largest, sum+shareUp(price, max(0, free[r]), c.room[r]))
		}
	}
	return sum
}

// lagrangian is the bound that the prices of the room give.
func (c *content) lagrangian() int64 {
	return c.worth(c.room, nil) + c.suffix[0]
}

// scarcest are the two resources with the dearest room.
func (c *content) scarcest() (first, second int) {
	order := make([]int, len(c.room))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.prices[b], c.prices[a]) })
	return order[0], order[min(1, len(order)-1)]
}
