package planner

import (
	"fmt"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/certify"
)

// Certify returns the lower bound on the plan's objective that the certificate
// proves. The snapshot is compiled again, and nothing that the plan or the
// certificate says of the bound is believed.
//
// It fails if the certificate is of another snapshot or of plans unlike this
// one, or proves less than it claims or than the plan does.
func Certify(s *v1alpha1.Snapshot, plan *v1alpha1.Plan, certificate *model.Certificate) (model.Money, error) {
	s, _ = expanded(s)
	c, err := compile(s)
	if err != nil {
		return 0, err
	}
	bound, err := certify.Check(&c.Problem, certificate)
	if err != nil {
		return bound, err
	}
	if err := covers(&certificate.Assumed, c.Assumed(plan)); err != nil {
		return bound, fmt.Errorf("the certificate is not of plans like this one: %w", err)
	}
	if claimed := model.Dollars(plan.Cost.Objective.LowerBound); claimed > bound+certify.Tolerance {
		return bound, fmt.Errorf("the plan claims that no plan costs less than %s, and the certificate proves it of %s only", claimed, bound)
	}
	return bound, nil
}

// covers says whether a bound under these assumptions is one for a plan that
// meets the goals before cost so.
func covers(a *model.Assumptions, plan model.Assumptions) error {
	waiting := map[string]int{}
	for _, x := range a.Unplaced {
		waiting[x.Group] += x.Pods
	}
	for _, x := range plan.Unplaced {
		waiting[x.Group] -= x.Pods
	}
	for _, x := range append(plan.Unplaced, a.Unplaced...) {
		if waiting[x.Group] != 0 {
			return fmt.Errorf("other pods of group %s wait", x.Group)
		}
	}
	gone := map[string]bool{}
	for _, name := range plan.Drifted {
		gone[name] = true
	}
	for _, name := range a.Drifted {
		if !gone[name] {
			return fmt.Errorf("node %s does not go as drifted", name)
		}
	}
	for k, most := range a.Weight {
		if k < len(plan.Weight) && plan.Weight[k] > most {
			return fmt.Errorf("%d pods are on launches below a pool weight, and %d were assumed", plan.Weight[k], most)
		}
	}
	return nil
}
