package planner

import (
	"fmt"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/solver"
)

// fallBack plans without removals by choice: the simplest plan, where the one
// that was found broke rules.
func (x *planning) fallBack(faults []verify.Violation) (*v1alpha1.Plan, error) {
	simple := x.c.Problem
	simple.Nodes = slices.Clone(simple.Nodes)
	for i := range simple.Nodes {
		simple.Nodes[i].Voluntary, simple.Nodes[i].Drift = model.Stays, 0
	}
	plan, result, err := x.solve(&simple)
	if err != nil {
		return nil, err
	}
	// Its bound is one of plans that remove nothing by choice: no bound of all plans.
	report(plan, &simple, &solver.Result{Score: result.Score, Stop: result.Stop, Engine: result.Engine})
	x.nameRoom(plan, &result, nil)
	plan.Outcome = v1alpha1.Fallback
	plan.Warnings = distinct(append(plan.Warnings, fmt.Sprintf("the plan that was found first breaks a rule (%s); this one removes no node that need not go", faults[0])))
	if still := verify.Plan(x.s, plan); len(still) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrInvalid, still[0])
	}
	return plan, nil
}
