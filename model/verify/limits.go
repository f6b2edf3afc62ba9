package verify

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// checkPoolLimits asks that a pool in which the plan launches keeps to its
// limits at the end: of resources, nodes and money.
func checkPoolLimits(c *check) {
	for _, p := range c.pools {
		mine := slices.DeleteFunc(c.after(), func(m *machine) bool { return m.pool != p })
		if !slices.ContainsFunc(mine, func(m *machine) bool { return m.launch != nil }) {
			continue
		}
		limits := corev1.ResourceList(p.Spec.Limits)
		for _, name := range slices.Sorted(maps.Keys(limits)) {
			rule := RulePoolLimit
			if name == v1alpha1.LimitNodes {
				rule = RuleNodeLimit
			}
			c.checkLimit(rule, p.object(), name, limits[name], mine)
		}
		if most, ok := p.priceLimit(); ok {
			c.checkSpending(RuleMoneyLimit, p.object(), most, mine)
		}
	}
}

// checkClusterLimits asks that a plan that launches keeps to the policy's limits at the end.
func checkClusterLimits(c *check) {
	if len(c.launches) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(c.policy.Limits)) {
		limit := c.policy.Limits[name]
		if name == v1alpha1.LimitPerHour {
			c.checkSpending(RuleClusterLimit, "plan", limit.AsApproximateFloat64(), c.after())
			continue
		}
		c.checkLimit(RuleClusterLimit, "plan", corev1.ResourceName(name), limit, c.after())
	}
}

func (c *check) checkLimit(rule, object string, name corev1.ResourceName, limit resource.Quantity, machines []*machine) {
	var sum int64
	for _, m := range machines {
		n := m.capacity[name]
		if name == v1alpha1.LimitNodes {
			n = 1
		}
		sum = saturating(sum, n)
	}
	if most := amount(name, limit); sum > most {
		c.report(rule, object, "%s of %s at the end, the limit is %s", show(name, sum), name, show(name, most))
	}
}

func (c *check) checkSpending(rule, object string, most float64, machines []*machine) {
	if sum := prices(machines); sum > most+priceTolerance {
		c.report(rule, object, "costs %.6f an hour at the end, the limit is %g", sum, most)
	}
}

// prices is the sum of the prices that are known, USD per hour.
func prices(machines []*machine) float64 {
	sum := 0.0
	for _, m := range machines {
		sum += m.price
	}
	return sum
}
