package verify

import (
	"math"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// tolerance is how far a sum may be off, USD per hour, beside one millionth of it.
const tolerance = 5e-6

// checkCost asks that prices before and after, and each part of the objective, are those of the outcome.
func checkCost(c *check) {
	after := c.after()
	cost, o := c.plan.Cost, c.plan.Cost.Objective
	c.checkFigure("beforePerHour", cost.BeforePerHour, prices(c.machines))
	c.checkFigure("afterPerHour", cost.AfterPerHour, prices(after))
	c.checkFigure("objective.prices", o.Prices, prices(after))
	c.checkFigure("objective.fees", o.Fees, c.fees(after))
	c.checkFigure("objective.moves", o.Moves, c.oneOffCosts())
	c.checkFigure("objective.penalties", o.Penalties, c.penalties(after)+c.hurdle())
	c.checkFigure("objective.total", o.Total, o.Prices+o.Fees+o.Moves+o.Penalties)
}

func (c *check) checkFigure(name string, stated, want float64) {
	if !near(stated, want) {
		c.report(RuleCost, "plan", "cost.%s is %g, want %.9g", name, stated, want)
	}
}

// near says whether two sums are the same; no number is near one that is not finite.
func near(a, b float64) bool {
	return math.Abs(a-b) <= tolerance+1e-6*math.Abs(b)
}

// fees are what the policy adds to the price of nodes, USD per hour.
func (c *check) fees(machines []*machine) float64 {
	sum := *c.policy.NodeFee * float64(len(machines))
	for _, f := range c.policy.NodeFees {
		sum += f.Fee * float64(count(machines, policySelector(f.Selector)))
	}
	return sum
}

// penalties are what the policy charges for nodes of some kinds, USD per hour.
func (c *check) penalties(machines []*machine) float64 {
	sum := 0.0
	for _, m := range machines {
		if m.boughtSpot() {
			sum += *c.policy.SpotRisk
		}
	}
	for _, f := range c.policy.OfferingPenalties {
		sum += f.PerHour * float64(count(machines, policySelector(f.Selector)))
	}
	return sum
}

func count(machines []*machine, s labels.Selector) int {
	n := 0
	for _, m := range machines {
		if s.Matches(labels.Set(m.view.Labels)) {
			n++
		}
	}
	return n
}

// hurdle is what the policy asks voluntary removals to save first, USD per hour.
func (c *check) hurdle() float64 {
	sum, once := 0.0, 0.0
	for _, r := range c.removals {
		if r.voluntary() {
			sum += r.machine.price * c.policy.Savings.Percent / 100
			once = c.policy.Savings.PerHour
		}
	}
	return sum + once
}

// oneOffCosts are those of evictions from nodes that need not have gone, and
// of launches, spread over the horizon: USD per hour.
func (c *check) oneOffCosts() float64 {
	usd := 0.0
	for _, r := range c.removals {
		if r.forced() {
			continue
		}
		for _, p := range r.machine.movable() {
			if !p.deleting() {
				usd += *c.policy.EvictionCost * p.evictionWeight()
			}
		}
	}
	for _, m := range c.launches {
		usd += c.startup(m)
	}
	hours := c.policy.Horizon.Hours()
	if hours <= 0 {
		return 0
	}
	return usd / hours
}

// startup is the one-off cost of a launch, USD: the last that the policy states for it.
func (c *check) startup(m *machine) float64 {
	usd := *c.policy.StartupCost
	for _, s := range c.policy.StartupCosts {
		if policySelector(s.Selector).Matches(labels.Set(m.view.Labels)) {
			usd = s.Cost
		}
	}
	return usd
}

// evictionWeight is how much an eviction of the pod weighs: Karpenter's figure, between 0 and 10.
func (p *pod) evictionWeight() float64 {
	deletion, err := strconv.ParseFloat(p.Annotations[corev1.PodDeletionCost], 64)
	if err != nil {
		deletion = 0
	}
	return min(10, max(0, 1+deletion/(1<<27)+float64(p.priority)/(1<<25)))
}
