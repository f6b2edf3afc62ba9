package verify

import "github.com/mortise-io/mortise/api/v1alpha1"

// maxAlternatives is how many a launch may list.
const maxAlternatives = 20

// checkAlternatives asks that a launch's alternatives are other offerings for
// sale in its pool that could carry its pods, at the right price, cheapest first.
func checkAlternatives(c *check) {
	for _, m := range c.launches {
		all := m.launch.Alternatives
		if len(all) > maxAlternatives {
			c.report(RuleAlternatives, m.object(), "%d alternatives, %d are the most", len(all), maxAlternatives)
		}
		pods := c.arrivingAt(m)
		seen := map[*offer]bool{}
		for i, a := range all {
			o, why := c.alternative(m, a, pods)
			switch {
			case why != "":
				c.report(RuleAlternatives, m.object(), "alternative %s, %s, %s: %s", a.InstanceType, a.Zone, a.CapacityType, why)
				continue
			case seen[o]:
				c.report(RuleAlternatives, m.object(), "alternative %s, %s, %s is listed twice", a.InstanceType, a.Zone, a.CapacityType)
			}
			seen[o] = true
			c.checkPrice(m.object()+" alternative "+a.InstanceType, a.PricePerHour, o.price)
			if i > 0 && a.PricePerHour < all[i-1].PricePerHour-priceTolerance {
				c.report(RuleAlternatives, m.object(), "alternatives are not listed cheapest first")
			}
		}
	}
}

// alternative is the offering that an alternative names, or why it will not do.
func (c *check) alternative(m *machine, a v1alpha1.Alternative, pods []*pod) (o *offer, why string) {
	if m.pool == nil {
		return nil, "the launch has no pool"
	}
	why = "the catalog has no such offering"
	var fit []*offer
	for _, o := range c.offersOf(identity{a.InstanceType, a.Zone, a.CapacityType, a.Reservation}, m.pool) {
		switch {
		case o == m.offer:
			why = "it is the launch's own offering"
		case !c.available(o.offering):
			why = "it is not available"
		default:
			if why = c.unfit(m.launch, o, pods); why == "" {
				fit = append(fit, o)
			}
		}
	}
	if len(fit) > 0 {
		return atPrice(fit, a.PricePerHour), ""
	}
	return nil, why
}
