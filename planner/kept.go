package planner

import (
	"fmt"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

// explainKept names the reason of each kept node that no rule names: it would
// go if spot launches needed no alternatives, if savings were no hurdle, it has
// nowhere to put its pods, or it simply belongs to the cheapest plan.
func (x *planning) explainKept(plan *v1alpha1.Plan, r *solver.Result) error {
	open := x.open(plan)
	if len(open) == 0 {
		return nil
	}
	reasons := map[model.NodeIndex]v1alpha1.Kept{}
	for _, q := range []struct {
		asked   bool
		without func(*model.Problem)
		reason  string
		message string
	}{
		{x.c.Problem.Rules.SpotFlexibility > 1, withoutFlexibility, v1alpha1.KeptSpotFlexibility,
			fmt.Sprintf("a spot node may be replaced only where %d instance types would do", x.c.Problem.Rules.SpotFlexibility)},
		{hasHurdle(&x.c.Problem), withoutHurdles, v1alpha1.KeptMinSavings,
			"removing it saves less than the policy asks of a removal"},
	} {
		if !q.asked {
			continue
		}
		relaxed := x.c.Problem
		q.without(&relaxed)
		other, err := x.o.Solver.Solve(x.ctx, &relaxed, x.quietly())
		if err != nil {
			return fmt.Errorf("solve without %s: %w", q.reason, err)
		}
		for _, i := range open {
			if _, ok := reasons[i]; !ok && other.Solution.Nodes[i].Gone() {
				reasons[i] = v1alpha1.Kept{Reason: q.reason, Message: q.message}
			}
		}
	}
	x.nameRoom(plan, r, reasons)
	return nil
}

// quietly are the solver's options without progress.
func (x *planning) quietly() solver.Options {
	o := x.settings
	o.Progress = nil
	return o
}

// open are the kept nodes without a reason, as the problem numbers them.
func (x *planning) open(plan *v1alpha1.Plan) []model.NodeIndex {
	named := map[string]bool{}
	for i := range plan.Kept {
		if plan.Kept[i].Reason == "" {
			named[plan.Kept[i].Node] = true
		}
	}
	var out []model.NodeIndex
	for i := range x.c.Problem.Nodes {
		if named[x.c.Problem.Nodes[i].Name] {
			out = append(out, model.NodeIndex(i))
		}
	}
	return out
}

// nameRoom names the reasons that are given, and where there is none whether
// the node's pods had room elsewhere.
func (x *planning) nameRoom(plan *v1alpha1.Plan, r *solver.Result, reasons map[model.NodeIndex]v1alpha1.Kept) {
	open := x.open(plan)
	room := solver.Room(x.ctx, &x.c.Problem, &r.Solution, open, x.quietly())
	byName := map[string]v1alpha1.Kept{}
	for k, i := range open {
		kept, ok := reasons[i]
		switch {
		case ok:
		case r.Stop == solver.StopTimeLimit:
			kept = v1alpha1.Kept{Reason: v1alpha1.KeptTimeLimit, Message: "the search was cut by the time limit before it found a cheaper plan without this node"}
		case !room[k]:
			kept = v1alpha1.Kept{Reason: v1alpha1.KeptNoRoom, Message: "its pods have no other place, on nodes that stay or on what may be launched"}
		default:
			kept = v1alpha1.Kept{Reason: v1alpha1.KeptOptimal, Message: "no cheaper plan was found without it"}
			if r.Optimal() {
				kept.Message = "no plan without it is cheaper"
			}
		}
		byName[x.c.Problem.Nodes[i].Name] = kept
	}
	for i := range plan.Kept {
		if k := &plan.Kept[i]; k.Reason == "" {
			k.Reason, k.Message = byName[k.Node].Reason, byName[k.Node].Message
		}
	}
}

func withoutFlexibility(p *model.Problem) { p.Rules.SpotFlexibility = 1 }

// hasHurdle says whether a removal has to save more than nothing.
func hasHurdle(p *model.Problem) bool {
	if p.Rules.SavingsOnce > 0 {
		return true
	}
	for i := range p.Nodes {
		if p.Nodes[i].Hurdle > 0 {
			return true
		}
	}
	for i := range p.Pools {
		if p.Pools[i].Balanced {
			return true
		}
	}
	return false
}

func withoutHurdles(p *model.Problem) {
	p.Rules.SavingsOnce = 0
	p.Nodes = append([]model.Node(nil), p.Nodes...)
	for i := range p.Nodes {
		p.Nodes[i].Hurdle = 0
	}
	p.Pools = append([]model.Pool(nil), p.Pools...)
	for i := range p.Pools {
		p.Pools[i].Balanced = false
	}
}
