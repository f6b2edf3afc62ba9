package verify

import (
	"cmp"
	"maps"
	"slices"
)

// checkMaxPremium asks that no launch costs more than the policy bears above
// the cheapest offering, for sale or not, that could carry the same pods.
func checkMaxPremium(c *check) {
	if c.policy.MaxPremium == nil || len(c.launches) == 0 {
		return
	}
	factor := 1 + *c.policy.MaxPremium/100
	all := c.cheapestFirst()
	for _, m := range c.launches {
		if m.offer == nil {
			continue
		}
		pods := c.arrivingAt(m)
		for _, o := range all {
			if o.price*factor >= m.price-tolerance {
				break
			}
			if c.unfit(m.launch, o, pods) == "" {
				c.report(RuleMaxPremium, m.object(), "costs %g, more than %g %% above %s in %s at %g, which could carry its pods",
					m.price, *c.policy.MaxPremium, o.kind.Name, o.offering.Zone, o.price)
				break
			}
		}
	}
}

// cheapestFirst lists every offering as every pool buys it.
func (c *cluster) cheapestFirst() []*offer {
	var out []*offer
	for _, name := range slices.Sorted(maps.Keys(c.kinds)) {
		kind := c.kinds[name]
		for i := range kind.Offerings {
			for _, p := range c.pools {
				if o := c.offer(p, kind, &kind.Offerings[i]); o.refused == "" {
					out = append(out, o)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *offer) int { return cmp.Compare(a.price, b.price) })
	return out
}
