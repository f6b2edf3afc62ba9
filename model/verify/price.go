package verify

import (
	"maps"
	"math"
	"strconv"
	"strings"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

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

// priceTolerance is how far a stated price may be off, USD per hour.
const priceTolerance = 1e-6

// checkPrices asks that launches, removals and alternatives state the right price.
func checkPrices(c *check) {
	for _, m := range c.launches {
		if m.offer != nil {
			c.checkPrice(m.object(), m.launch.PricePerHour, m.price)
		}
	}
	for _, r := range c.removals {
		if r.machine.priced {
			c.checkPrice(r.machine.object(), r.PricePerHour, r.machine.price)
		}
	}
}

// samePrice is never true of what is no number.
func samePrice(a, b float64) bool { return math.Abs(a-b) <= priceTolerance }

func (c *check) checkPrice(object string, stated, want float64) {
	if !samePrice(stated, want) {
		c.report(RulePrice, object, "pricePerHour is %g, want %g", stated, want)
	}
}
