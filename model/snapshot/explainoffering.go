package snapshot

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model"
)

// offer is a shape and whether it can be launched now.
type offer struct {
	*shape
	index model.ShapeIndex // None if it is sold out
}

// everyOffering lists all that pools could buy, were it for sale, cheapest
// first, then by pool and name. Each comes in one variant or more, which differ
// in labels that the pool leaves open.
func (c *Compiled) everyOffering() [][]offer {
	var all []offer
	for i := range c.shapes {
		all = append(all, offer{&c.shapes[i], model.ShapeIndex(i)})
	}
	for i := range c.soldOut {
		all = append(all, offer{&c.soldOut[i], model.None})
	}
	compare := func(a, b offer) int {
		return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(c.poolName(a.pool), c.poolName(b.pool)), compareOfferings(a.shape, b.shape))
	}
	slices.SortStableFunc(all, compare)
	var out [][]offer
	for _, o := range all {
		if n := len(out); n > 0 && compare(out[n-1][0], o) == 0 {
			out[n-1] = append(out[n-1], o)
		} else {
			out = append(out, []offer{o})
		}
	}
	return out
}

func (c *Compiled) choice(o offer) OfferingChoice {
	return OfferingChoice{
		NodePool:     c.poolName(o.pool),
		InstanceType: o.instanceType.Name,
		Zone:         o.offering.Zone,
		CapacityType: o.offering.CapacityType,
		Reservation:  reservationOf(o.offering),
		PricePerHour: o.price.USD(),
	}
}

// offeringExcludes is what keeps the pod off all variants of an offering: the
// first rule that the best of them breaks; nil if one breaks none.
func (c *Compiled) offeringExcludes(p *corev1.Pod, variants []offer, standing *usage) *exclusion {
	var best *exclusion
	for _, o := range variants {
		why := c.variantExcludes(p, o, standing)
		if why == nil {
			return nil
		}
		if best == nil || stage(why.reason) > stage(best.reason) {
			best = why
		}
	}
	return best
}

// variantExcludes is the first rule that keeps a launch of the shape from
// carrying the pod: a rule of the pod, its size, what is for sale, a limit.
func (c *Compiled) variantExcludes(p *corev1.Pod, o offer, standing *usage) *exclusion {
	if why := c.shapeExcludes(p, o.shape); why != nil {
		return why
	}
	if o.index == model.None {
		why := notForSale(o.shape)
		return &why
	}
	if exceeded := standing.exceeded(&c.Problem.Shapes[o.index]); len(exceeded) > 0 {
		return &exclusion{limitReason(&c.Problem.Limits[exceeded[0]]), c.limitMessage(exceeded[0], []model.ShapeIndex{o.index}, standing)}
	}
	return nil
}

// stage is how far the pod came; limits are met last.
func stage(reason string) int {
	if at := progress(reason); at >= 0 {
		return at
	}
	return len(obstacles)
}
