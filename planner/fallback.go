package planner

import (
	"fmt"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/engine"
)

// plan is made by the solver asked for. Where that fails, or its plan breaks a
// rule, it is the built-in engine's; and should that break one, the built-in
// engine's without removals by choice, the simplest there is.
func (x *planning) plan() (*v1alpha1.Plan, *model.Certificate, error) {
	plan, certificate, err := x.attempt()
	if err == nil || x.ctx.Err() != nil {
		return plan, certificate, err
	}
	first := err
	builtin := x.settings.Engine == solver.EngineBuiltin
	x.o.Solver, x.settings.Engine = solver.Func(engine.Solve), solver.EngineBuiltin
	if !builtin {
		if plan, certificate, err = x.attempt(); err == nil {
			return fellBack(plan, first, "the built-in engine answered"), certificate, nil
		}
	}
	if x.ctx.Err() != nil {
		return nil, nil, err
	}
	if plan, err = x.simplest(); err != nil {
		return nil, nil, err
	}
	return fellBack(plan, first, "this one removes no node that need not go"), nil, nil
}

// fellBack marks a plan that stands in for one that could not be had.
func fellBack(plan *v1alpha1.Plan, first error, instead string) *v1alpha1.Plan {
	plan.Outcome = v1alpha1.Fallback
	plan.Warnings = distinct(append(plan.Warnings, fmt.Sprintf("the first attempt at a plan failed (%v): %s", first, instead)))
	return plan
}

// attempt makes a plan with all that is asked of it, and holds it against the snapshot.
func (x *planning) attempt() (*v1alpha1.Plan, *model.Certificate, error) {
	plan, result, err := x.solve(&x.c.Problem)
	if err != nil {
		return nil, nil, err
	}
	if err := x.explainKept(plan, &result); err != nil {
		return nil, nil, err
	}
	if x.o.Potential {
		if err := x.addPotential(plan, &result); err != nil {
			return nil, nil, err
		}
	}
	return plan, result.Certificate, x.verified(plan)
}

// simplest is the plan without removals by choice. It has no lower bound: that
// of its problem is one of plans that remove nothing by choice.
func (x *planning) simplest() (*v1alpha1.Plan, error) {
	simple := x.c.Problem
	simple.Nodes = slices.Clone(simple.Nodes)
	for i := range simple.Nodes {
		simple.Nodes[i].Voluntary, simple.Nodes[i].Drift = model.Stays, 0
	}
	plan, result, err := x.solve(&simple)
	if err != nil {
		return nil, err
	}
	report(plan, &simple, &solver.Result{Score: result.Score, Stop: result.Stop, Engine: result.Engine})
	x.nameRoom(plan, &result, nil)
	return plan, x.verified(plan)
}

// verified says which rule the plan breaks, if any.
func (x *planning) verified(plan *v1alpha1.Plan) error {
	if faults := verify.Plan(x.s, plan); len(faults) > 0 {
		return fmt.Errorf("%w: %s", ErrInvalid, faults[0])
	}
	return nil
}
