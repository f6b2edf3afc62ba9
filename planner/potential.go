package planner

import (
	"fmt"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/solver"
)

// protections are the rules that potential leaves out all at once: budgets,
// PDBs, and what protects pods.
var protections = []string{
	v1alpha1.KeptBudget, v1alpha1.KeptPodDisruptionBudget, v1alpha1.KeptDoNotDisrupt, v1alpha1.KeptProtectedJob, v1alpha1.KeptUnmovablePod,
}

// relaxable are the rules that potential leaves out one at a time.
var relaxable = append([]string{
	v1alpha1.KeptHold, v1alpha1.KeptConsolidationOff, v1alpha1.KeptNotConsolidatable, v1alpha1.KeptQuietPeriod, v1alpha1.KeptWindow, v1alpha1.KeptDriftReported,
}, protections...)

// addPotential says what the rules that keep nodes hold back, and what pool
// weights cost.
func (x *planning) addPotential(plan *v1alpha1.Plan, r *solver.Result) error {
	keeps := map[string]bool{}
	for i := range plan.Kept {
		keeps[plan.Kept[i].Reason] = true
	}
	all := map[string]bool{}
	for _, rule := range protections {
		all[rule] = true
	}
	best, err := x.relaxed(all, r, plan)
	if err != nil {
		return err
	}
	plan.Potential = &v1alpha1.Potential{AfterPerHour: min(best.after, plan.Cost.AfterPerHour), HeldBackBy: map[string]float64{}}
	for _, rule := range relaxable {
		if !keeps[rule] {
			continue
		}
		other, err := x.relaxed(map[string]bool{rule: true}, r, plan)
		if err != nil {
			return err
		}
		// Less than what either plan may be off by says nothing.
		if saving := plan.Cost.AfterPerHour - other.after; saving > max(other.slack, slackOf(r))+solver.Tolerance.USD() {
			plan.Potential.HeldBackBy[rule] = model.Dollars(saving).USD()
		}
	}
	return x.addPremiums(plan, r)
}

// outlook is what a plan under other rules comes to, USD per hour.
type outlook struct{ after, slack float64 }

// relaxed plans without the rules.
func (x *planning) relaxed(rules map[string]bool, r *solver.Result, plan *v1alpha1.Plan) (outlook, error) {
	c, err := snapshot.Compile(x.s, snapshot.Options{Relax: rules})
	if err != nil {
		return outlook{}, fmt.Errorf("compile snapshot with fewer rules: %w", err)
	}
	other, err := x.o.Solver.Solve(x.ctx, &c.Problem, x.quietly())
	if err != nil {
		return outlook{}, fmt.Errorf("solve with fewer rules: %w", err)
	}
	saved := model.CostOf(&x.c.Problem, &r.Solution).Prices - model.CostOf(&c.Problem, &other.Solution).Prices
	return outlook{after: (model.Dollars(plan.Cost.AfterPerHour) - saved).USD(), slack: slackOf(&other)}, nil
}

// slackOf is how far the result may be above the best.
func slackOf(r *solver.Result) float64 {
	return max(0, r.Score.Cost-r.LowerBound).USD()
}

// addPremiums says what pool weights cost over a plan by price alone.
func (x *planning) addPremiums(plan *v1alpha1.Plan, r *solver.Result) error {
	if !x.c.Problem.Rules.PoolWeights {
		return nil
	}
	byPrice := x.c.Problem
	byPrice.Rules.PoolWeights = false
	other, err := x.o.Solver.Solve(x.ctx, &byPrice, x.quietly())
	if err != nil {
		return fmt.Errorf("solve without pool weights: %w", err)
	}
	if premium := r.Score.Cost - other.Score.Cost; premium > solver.Tolerance {
		plan.Cost.Premiums = append(plan.Cost.Premiums, v1alpha1.Premium{Cause: "PoolWeight", PerHour: premium.USD()})
	}
	return nil
}
