package verify

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
)

// overlay is a NodeOverlay.
type overlay struct {
	*karpv1alpha1.NodeOverlay
	requirements []requirement
}

// addOverlays orders the overlays as they take effect: by weight, heaviest
// first, then by name, last first.
func (c *cluster) addOverlays(list []*karpv1alpha1.NodeOverlay) {
	for _, o := range list {
		c.overlays = append(c.overlays, &overlay{o, fromOverlay(o.Spec.Requirements)})
	}
	slices.SortStableFunc(c.overlays, func(a, b *overlay) int {
		return cmp.Or(
			cmp.Compare(ptr.Deref(b.Spec.Weight, 0), ptr.Deref(a.Spec.Weight, 0)),
			cmp.Compare(b.Name, a.Name))
	})
}

// covers says whether the overlay is about nodes with these labels, or one of
// the values that are still open.
func (x *overlay) covers(labels map[string]string, open map[string][]requirement) bool {
	for _, r := range x.requirements {
		if value, present := labels[r.key]; present {
			if !r.allows(value, true) {
				return false
			}
			continue
		}
		if rs, ok := open[r.key]; ok {
			values, listed := choices(append(slices.Clone(rs), r))
			if listed && len(values) == 0 {
				return false
			}
			continue
		}
		if !r.allows("", false) {
			return false
		}
	}
	return true
}

// priceOf is the price of a node of the offering with these labels, USD per
// hour: the first overlay that speaks of it decides.
func (c *cluster) priceOf(o *offer, labels map[string]string) float64 {
	for _, x := range c.overlays {
		if x.Spec.Price == nil && x.Spec.PriceAdjustment == nil || !x.covers(labels, o.open) {
			continue
		}
		if price, ok := x.adjusted(o.offering.Price); ok {
			return price
		}
	}
	return o.offering.Price
}

// livePrice is the price of a machine that is there, and whether it is known.
func (c *cluster) livePrice(m *machine) (float64, bool) {
	if m.offer == nil {
		return 0, false
	}
	if len(c.overlays) == 0 {
		return m.offer.price, true
	}
	labels := maps.Clone(m.offer.labels)
	maps.Copy(labels, m.view.Labels)
	if m.pool != nil {
		labels[karpv1.NodePoolLabelKey] = m.pool.Name // though the node may still name another
	}
	return c.priceOf(m.offer, labels), true
}

// adjusted is what the overlay makes of a price; never below zero.
func (x *overlay) adjusted(price float64) (float64, bool) {
	if x.Spec.Price != nil {
		usd, err := strconv.ParseFloat(*x.Spec.Price, 64)
		return max(0, usd), err == nil
	}
	text, percent := strings.CutSuffix(*x.Spec.PriceAdjustment, "%")
	by, err := strconv.ParseFloat(text, 64)
	if percent {
		by *= price / 100
	}
	return max(0, price+by), err == nil
}

// overlayCapacity is what overlays add to the capacity of the offering's type
// in its pool: for each resource the first overlay that covers any of the
// type's offerings decides.
func (c *cluster) overlayCapacity(o *offer) resources {
	key := lesson{o.pool, o.kind}
	if known := c.extra[key]; known != nil {
		return known
	}
	out := resources{}
	c.extra[key] = out
	for _, x := range c.overlays {
		if len(x.Spec.Capacity) == 0 || !coversAny(x, o) {
			continue
		}
		for name, n := range resourcesOf(x.Spec.Capacity) {
			if _, decided := out[name]; !decided {
				out[name] = n
			}
		}
	}
	return out
}

// coversAny says whether the overlay covers any offering of the type in its pool.
func coversAny(x *overlay, o *offer) bool {
	for i := range o.kind.Offerings {
		sibling := &offer{pool: o.pool, kind: o.kind, offering: &o.kind.Offerings[i]}
		sibling.settleLabels()
		if x.covers(sibling.labels, sibling.open) {
			return true
		}
	}
	return false
}

// allocatable is what a new node of the offering has for pods and daemons:
// what the catalogue says, or less where live nodes report less.
func (c *cluster) allocatable(o *offer) resources {
	if o.room == nil {
		o.room = maps.Clone(o.kind.allocatable)
		for name, n := range c.learned[lesson{o.pool, o.kind}] {
			if catalogued, ok := o.room[name]; ok {
				o.room[name] = min(catalogued, n)
			}
		}
		maps.Copy(o.room, c.overlayCapacity(o))
	}
	return o.room
}
