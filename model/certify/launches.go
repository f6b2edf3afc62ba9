package certify

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// launches takes off the most that launches can be worth beyond their cost and
// charges. Each holds a pod at least, so there are no more than pods; and of a
// reservation no more than it has.
func (b *bound) launches() {
	var open int64
	reserved := make([]int64, len(b.p.Reservations))
	for _, l := range b.priced() {
		if r := l.shape.Reservation; r != model.None {
			reserved[r] = max(reserved[r], l.gain)
		} else {
			open = max(open, l.gain)
		}
	}
	pods := 0
	for _, n := range b.need {
		pods += n
	}
	b.total.add(-int64(pods), open)
	for r, gain := range reserved {
		b.total.add(-int64(min(pods, b.p.Reservations[r].Count)), gain)
	}
}

// launch is a shape with what it costs and is worth.
type launch struct {
	shape *model.Shape
	price int64 // cost and charges of a launch
	pod   int64 // charge for each of its pods
	items []item
	key   string // of the set of groups that it may hold
	gain  int64  // what a launch is worth at most beyond all of that; not below 0
}

// priced finds each shape's gain. A shape that holds no more than another one,
// and is no cheaper, gains no more; the cheapest are looked at first.
func (b *bound) priced() []*launch {
	var out []*launch
	for s := range b.p.Shapes {
		if l := b.launch(model.ShapeIndex(s)); len(l.items) > 0 || l.price < 0 {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(x, y *launch) int { return cmp.Compare(x.price, y.price) })
	first := map[string][]*launch{} // only looked up
	for _, l := range out {
		alike := first[l.key]
		k := slices.IndexFunc(alike, func(t *launch) bool { return t.pod <= l.pod && holds(t, l) })
		if k >= 0 && alike[k].gain == 0 {
			continue
		}
		c := content{p: b.p, thorough: b.thorough, room: l.shape.Allocatable, items: l.items, prices: b.shapes[l.shape.Name]}
		l.gain = max(0, c.ceiling(max(0, l.price))-l.price)
		if k >= 0 {
			l.gain = min(l.gain, alike[k].gain)
			continue
		}
		first[l.key] = append(alike, l)
	}
	return out
}

// launch prices one shape.
func (b *bound) launch(s model.ShapeIndex) *launch {
	shape := &b.p.Shapes[s]
	cost, _ := units(shape.Cost())
	l := &launch{shape: shape, price: cost + b.use(shape.Pool, shape.Capacity, shape.Price), pod: b.perPod(shape.Pool)}
	groups := model.NewSet[model.GroupIndex](len(b.p.Groups))
	for g := range b.p.Groups {
		if !b.p.Groups[g].Shapes.Has(s) {
			continue
		}
		if x, ok := b.item(g, l.pod, shape.Allocatable); ok {
			l.items = append(l.items, x)
		}
		if b.groups[g] > l.pod {
			groups.Add(model.GroupIndex(g))
		}
	}
	l.key = groups.Key()
	return l
}

// holds says whether t has all the room that l has and its pods ask for.
func holds(t, l *launch) bool {
	for r, room := range l.shape.Allocatable {
		if t.shape.Allocatable[r] < room && slices.ContainsFunc(l.items, func(x item) bool { return x.request[r] > 0 }) {
			return false
		}
	}
	return true
}
