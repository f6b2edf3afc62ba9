package verify

import (
	"math"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// proved is the largest difference between total and lower bound of an optimal plan, USD per hour.
const proved = 1e-6

// checkBound asks that lower bound, gap and outcome agree with each other.
// Whether the bound holds is another question, and needs a proof.
func checkBound(c *check) {
	cost, o := c.plan.Cost, c.plan.Cost.Objective
	slack := o.Total - o.LowerBound
	if !(slack >= -proved) {
		c.report(RuleBound, "plan", "objective.lowerBound %g is above the total %g", o.LowerBound, o.Total)
	}
	gap := 0.0
	if o.Total != 0 {
		gap = slack / o.Total
	}
	if !near(cost.Gap, gap) {
		c.report(RuleBound, "plan", "cost.gap is %g, want %g", cost.Gap, gap)
	}
	if want := cost.AfterPerHour - slack; !near(cost.LowerBoundPerHour, want) {
		c.report(RuleBound, "plan", "cost.lowerBoundPerHour is %g, want %g", cost.LowerBoundPerHour, want)
	}
	if c.plan.Outcome != v1alpha1.Optimal {
		return
	}
	if math.Abs(slack) > proved*1.1 {
		c.report(RuleBound, "plan", "outcome is Optimal with %g between total and lower bound", slack)
	}
	if !c.plan.Placement.Proved {
		c.report(RuleBound, "plan", "outcome is Optimal, and its placement is not proved")
	}
}
