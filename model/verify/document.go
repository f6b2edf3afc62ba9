package verify

import "github.com/mortise-io/mortise/api/v1alpha1"

var outcomes = map[v1alpha1.Outcome]bool{v1alpha1.Optimal: true, v1alpha1.Feasible: true, v1alpha1.Fallback: true}

// checkDocument asks that the plan is what it says it is.
func checkDocument(c *check) {
	if c.plan.APIVersion != v1alpha1.APIVersion {
		c.report(RuleDocument, "plan", "apiVersion is %q, want %q", c.plan.APIVersion, v1alpha1.APIVersion)
	}
	if c.plan.Kind != v1alpha1.KindPlan {
		c.report(RuleDocument, "plan", "kind is %q, want %q", c.plan.Kind, v1alpha1.KindPlan)
	}
	if !outcomes[c.plan.Outcome] {
		c.report(RuleDocument, "plan", "outcome is %q, want Optimal, Feasible or Fallback", c.plan.Outcome)
	}
}
