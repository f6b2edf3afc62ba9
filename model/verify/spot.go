package verify

import (
	"maps"
	"math"
	"slices"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// checkSpotDiversity asks of each pool, type and zone that spot nodes are
// launched in: they are no more than the policy's share of the pool's spot
// nodes, rounded down, at least one.
func checkSpotDiversity(c *check) {
	type market struct {
		pool       *pool
		kind, zone string
	}
	count := map[market]int{}
	total := map[*pool]int{}
	for _, m := range c.after() {
		if m.pool == nil || !m.boughtSpot() {
			continue
		}
		id := m.identity()
		count[market{m.pool, id.instanceType, id.zone}]++
		total[m.pool]++
	}
	seen := map[market]bool{}
	for _, m := range c.launches {
		if m.pool == nil || !m.boughtSpot() {
			continue
		}
		k := market{m.pool, m.launch.InstanceType, m.launch.Zone}
		most := max(1, int(math.Floor(float64(total[m.pool])**c.policy.SpotDiversity+1e-9)))
		if count[k] > most && !seen[k] {
			c.report(RuleSpotDiversity, m.pool.object(), "%d of %d spot nodes are %s in %s, %d are the most", count[k], total[m.pool], k.kind, k.zone, most)
		}
		seen[k] = true
	}
}

// identity is what the machine was, or is to be, bought as.
func (m *machine) identity() identity {
	if l := m.launch; l != nil {
		return identity{l.InstanceType, l.Zone, l.CapacityType, l.Reservation}
	}
	return identify(m.view.Labels)
}

func (m *machine) boughtSpot() bool { return m.identity().capacityType == karpv1.CapacityTypeSpot }

// checkSpotFlexibility asks that a spot launch that replaces a spot node could
// as well be of enough other instance types.
func checkSpotFlexibility(c *check) {
	want := int(*c.policy.SpotFlexibility)
	for _, m := range c.launches {
		if want <= 1 || m.pool == nil || !m.boughtSpot() || !c.replacesSpot(m) {
			continue
		}
		if have := c.spotTypes(m, want); have < want {
			c.report(RuleSpotFlexibility, m.object(), "replaces a spot node, and %d instance types would do, want %d", have, want)
		}
	}
}

// replacesSpot says whether the launch carries pods of a spot node that need not have gone.
func (c *check) replacesSpot(m *machine) bool {
	return slices.ContainsFunc(c.arrivals[m], func(a *arrival) bool {
		return a.from != nil && !a.from.forced() && a.from.machine.boughtSpot()
	})
}

// spotTypes counts the instance types with a spot offering for sale in the
// launch's pool that could carry its pods, up to enough.
func (c *check) spotTypes(m *machine, enough int) int {
	pods := c.arrivingAt(m)
	n := 0
	for _, name := range slices.Sorted(maps.Keys(c.kinds)) {
		kind := c.kinds[name]
		for i := range kind.Offerings {
			o := &kind.Offerings[i]
			if o.CapacityType == karpv1.CapacityTypeSpot && c.available(o) && c.unfit(m.launch, c.offer(m.pool, kind, o), pods) == "" {
				n++
				break
			}
		}
		if n == enough {
			break
		}
	}
	return n
}
