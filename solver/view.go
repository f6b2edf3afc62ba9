package solver

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// view is the frontier seen through prices: what a launch of each shape costs,
// with a charge for what it uses of scarce limits. Without a charge a tight
// limit goes to whoever comes first.
type view struct {
	w      *work
	shapes []model.ShapeIndex // ascending cost
	cost   []float64          // nano-dollars per hour, beside shapes
	// value of one pod of each group: what its share of the best homogeneous launch costs.
	value []float64
	// covers remembers cover, by demand.
	covers map[string]*cover
	// limited remembers this view without the shapes that limits rule out.
	limited map[string]*view
}

// newView sees the frontier with a charge per unit of each limit; nil for none.
func (w *work) newView(charge []float64) *view {
	v := &view{w: w, covers: map[string]*cover{}, limited: map[string]*view{}}
	price := make(map[model.ShapeIndex]float64, len(w.frontier))
	for _, s := range w.frontier {
		price[s] = w.charged(s, charge)
	}
	v.shapes = slices.Clone(w.frontier)
	slices.SortStableFunc(v.shapes, func(a, b model.ShapeIndex) int {
		if w.p.Rules.PoolWeights {
			if c := cmp.Compare(w.ranks[w.p.Shapes[a].Pool], w.ranks[w.p.Shapes[b].Pool]); c != 0 {
				return c
			}
		}
		return cmp.Compare(price[a], price[b])
	})
	v.cost = make([]float64, len(v.shapes))
	for k, s := range v.shapes {
		v.cost[k] = price[s]
	}
	v.value = v.homogeneous()
	return v
}

// charged is the cost of a launch with the charges for the limits that it uses.
func (w *work) charged(s model.ShapeIndex, charge []float64) float64 {
	shape := &w.p.Shapes[s]
	c := float64(shape.Cost())
	for k, x := range charge {
		if l := &w.p.Limits[k]; x > 0 && l.Covers(shape.Pool) {
			c += x * float64(l.Of(shape.Capacity, shape.Price))
		}
	}
	return c
}

// homogeneous values a pod of each group at the least cost per pod of a launch
// full of its group. Reservations count only where nothing else will do.
func (v *view) homogeneous() []float64 {
	value := make([]float64, len(v.w.p.Groups))
	for _, reserved := range []bool{false, true} {
		for k, s := range v.shapes {
			if (v.w.p.Shapes[s].Reservation != model.None) != reserved {
				continue
			}
			for _, g := range v.w.groupsOf[s] {
				n := min(v.w.most(g, v.w.p.Shapes[s].Allocatable, nil), v.w.need[g])
				if n == 0 || reserved && value[g] > 0 {
					continue
				}
				if x := v.cost[k] / float64(n); value[g] == 0 || x < value[g] {
					value[g] = x
				}
			}
		}
	}
	return value
}

// views are the ways to look at the frontier: plainly; for each limit with a
// moderate and a steep charge on it; and where rules hold spot launches back,
// without some of the cheapest spot markets.
func (w *work) views() []*view {
	out := []*view{w.newView(nil)}
	for k := range w.p.Limits {
		l := &w.p.Limits[k]
		var cost, use float64
		for _, s := range w.frontier {
			if shape := &w.p.Shapes[s]; l.Covers(shape.Pool) {
				cost += float64(shape.Cost())
				use += float64(l.Of(shape.Capacity, shape.Price))
			}
		}
		if use == 0 || len(out) > 8 {
			continue
		}
		for _, weight := range []float64{1, 1000} {
			charge := make([]float64, len(w.p.Limits))
			charge[k] = weight * max(cost, 1) / use
			out = append(out, w.newView(charge))
		}
	}
	if w.p.Rules.SpotDiversity > 0 || w.p.Rules.SpotFlexibility > 1 {
		out = append(out, out[0].withoutSpot()...)
	}
	return out
}

// spotMarkets is how many of the cheapest spot shapes are left out in turn.
const spotMarkets = 3

// withoutSpot returns views without the cheapest spot shape, the two cheapest, …, and without any.
func (v *view) withoutSpot() []*view {
	var spot []int
	for k, s := range v.shapes {
		if v.w.p.Shapes[s].Spot {
			spot = append(spot, k)
		}
	}
	if len(spot) == 0 {
		return nil
	}
	var out []*view
	for n := 1; n <= min(spotMarkets, len(spot)-1); n++ {
		out = append(out, v.without(spot[:n]))
	}
	return append(out, v.without(spot))
}

// without is the view without the shapes at these places.
func (v *view) without(places []int) *view {
	out := &view{w: v.w, covers: map[string]*cover{}, limited: map[string]*view{}}
	for k, s := range v.shapes {
		if !slices.Contains(places, k) {
			out.shapes = append(out.shapes, s)
			out.cost = append(out.cost, v.cost[k])
		}
	}
	out.value = out.homogeneous()
	return out
}

// within is the view without the shapes of which not even one more fits into
// what is left of the limits and reservations.
func (v *view) within(t *tally) *view {
	if len(v.w.p.Limits) == 0 && len(v.w.p.Reservations) == 0 {
		return v
	}
	mask := model.NewSet[model.ShapeIndex](len(v.shapes))
	key := make([]byte, (len(v.shapes)+7)/8)
	for k, s := range v.shapes {
		if t.allows(v.w.p, s) {
			mask.Add(model.ShapeIndex(k))
			key[k/8] |= 1 << (k % 8)
		}
	}
	if mask.Len() == len(v.shapes) {
		return v
	}
	if out, ok := v.limited[string(key)]; ok {
		return out
	}
	out := &view{w: v.w, covers: map[string]*cover{}, limited: map[string]*view{}, value: v.value}
	for k := range mask.All() {
		out.shapes = append(out.shapes, v.shapes[k])
		out.cost = append(out.cost, v.cost[k])
	}
	if len(v.limited) > 1<<8 { // keeps memory bounded
		clear(v.limited)
	}
	v.limited[string(key)] = out
	return out
}

// allows says whether limits and reservations have room for one more launch of the shape.
func (t *tally) allows(p *model.Problem, s model.ShapeIndex) bool {
	shape := &p.Shapes[s]
	for k := range p.Limits {
		if l := &p.Limits[k]; l.Covers(shape.Pool) && t.limits[k]+l.Of(shape.Capacity, shape.Price) > l.Max {
			return false
		}
	}
	return shape.Reservation == model.None || t.reserved[shape.Reservation] < p.Reservations[shape.Reservation].Count
}

// weightCharge stands far above any price: it makes a cover put pods on pools
// of lower weight only where nothing else holds them.
const weightCharge = 1e15

// podCharge is what each pod on the view's k-th shape is charged for its pool's weight.
func (v *view) podCharge(k int) float64 {
	if !v.w.p.Rules.PoolWeights {
		return 0
	}
	c, level := 0.0, weightCharge
	for range v.w.ranks[v.w.p.Shapes[v.shapes[k]].Pool] {
		c += level
		level /= 1000
	}
	return c
}
