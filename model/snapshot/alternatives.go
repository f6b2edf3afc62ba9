package snapshot

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// mostAlternatives is how many a launch lists.
const mostAlternatives = 20

// alternatives finds what else could be bought in place of a launch: other
// available offerings of its pool that could carry the same pods, each such
// that the plan with it, and nothing else changed, breaks no limit,
// reservation or share. Cheapest first, then by name.
type alternatives struct {
	c     *Compiled
	usage *usage
	// byPrice are the shapes of each pool, cheapest first.
	byPrice [][]model.ShapeIndex
	// known answers by shape and content: launches are often alike.
	known map[string][]v1alpha1.Alternative
}

func newAlternatives(c *Compiled, s *model.Solution) *alternatives {
	a := &alternatives{
		c:       c,
		usage:   usageOf(&c.Problem, s),
		byPrice: make([][]model.ShapeIndex, len(c.Problem.Pools)),
		known:   map[string][]v1alpha1.Alternative{},
	}
	for i := range c.Problem.Shapes {
		pool := c.Problem.Shapes[i].Pool
		a.byPrice[pool] = append(a.byPrice[pool], model.ShapeIndex(i))
	}
	for _, shapes := range a.byPrice {
		slices.SortFunc(shapes, func(x, y model.ShapeIndex) int {
			return cmp.Or(cmp.Compare(c.shapes[x].price, c.shapes[y].price), compareOfferings(&c.shapes[x], &c.shapes[y]), cmp.Compare(x, y))
		})
	}
	return a
}

// of lists the launch's alternatives; never nil.
func (a *alternatives) of(l *launch) []v1alpha1.Alternative {
	key := contentKey(l)
	if known, ok := a.known[key]; ok {
		return slices.Clone(known)
	}
	found := a.search(l)
	a.known[key] = found
	return slices.Clone(found)
}

func (a *alternatives) search(l *launch) []v1alpha1.Alternative {
	out := []v1alpha1.Alternative{}
	own := &a.c.shapes[l.shape]
	bought := &a.c.Problem.Shapes[l.shape]
	need := a.c.need(l)
	most := a.mostFor(l, need)
	last := own
	for _, i := range a.byPrice[bought.Pool] {
		sh := &a.c.shapes[i]
		if len(out) == mostAlternatives || sh.price > most {
			break
		}
		if compareOfferings(sh, own) == 0 || compareOfferings(sh, last) == 0 ||
			!a.c.carries(i, l, need) || !a.usage.allowsInstead(&a.c.Problem.Shapes[i], bought) {
			continue
		}
		last = sh
		out = append(out, v1alpha1.Alternative{
			InstanceType: sh.instanceType.Name,
			Zone:         sh.offering.Zone,
			CapacityType: sh.offering.CapacityType,
			Reservation:  reservationOf(sh.offering),
			PricePerHour: sh.price.USD(),
		})
	}
	return out
}

// need is what the launch's pods ask for together.
func (c *Compiled) need(l *launch) model.Quantities {
	need := make(model.Quantities, len(c.Problem.Resources))
	for _, k := range l.counts {
		for r, q := range c.Problem.Groups[k.Group].Request {
			need[r] += q * int64(k.N)
		}
	}
	return need
}

// carries says whether a machine of the shape could hold the launch's pods.
// What pods do to each other is the same on every shape, so only what each
// group allows and the sum of requests are looked at.
func (c *Compiled) carries(i model.ShapeIndex, l *launch, need model.Quantities) bool {
	if !within(need, c.Problem.Shapes[i].Allocatable) {
		return false
	}
	for _, k := range l.counts {
		if !c.Problem.Groups[k.Group].Shapes.Has(i) {
			return false
		}
	}
	return true
}

// within says whether there is room for all that is needed.
func within(need, room model.Quantities) bool {
	for r, q := range need {
		if q > 0 && q > room[r] {
			return false
		}
	}
	return true
}

// mostFor is the highest price that the policy's premium allows for the launch's pods.
func (a *alternatives) mostFor(l *launch, need model.Quantities) model.Money {
	const none = model.Money(1<<63 - 1)
	premium := a.c.policy.MaxPremium
	if premium == nil {
		return none
	}
	least := a.c.shapes[l.shape].price
	for i := range a.c.shapes {
		if sh := &a.c.shapes[i]; sh.price < least && a.c.carries(model.ShapeIndex(i), l, need) {
			least = sh.price
		}
	}
	for i := range a.c.soldOut {
		if sh := &a.c.soldOut[i]; sh.price < least && a.c.wouldCarry(sh, l) {
			least = sh.price
		}
	}
	return model.Money(float64(least) * (1 + *premium/100))
}

// wouldCarry says whether a machine of a shape that is sold out could hold the launch's pods.
func (c *Compiled) wouldCarry(sh *shape, l *launch) bool {
	need := corev1.ResourceList{}
	for _, p := range l.pods {
		plus(need, c.requests(p.pod))
	}
	if !sh.holds(need) {
		return false
	}
	for _, k := range l.counts {
		if c.shapeExcludes(c.groups[k.Group].pods[0].pod, sh) != nil {
			return false
		}
	}
	return true
}

// contentKey is equal for launches of the same shape with the same content.
func contentKey(l *launch) string {
	key := strconv.AppendInt(nil, int64(l.shape), 10)
	for _, k := range l.counts {
		key = strconv.AppendInt(append(key, ' '), int64(k.Group), 10)
		key = strconv.AppendInt(append(key, 'x'), int64(k.N), 10)
	}
	return string(key)
}
