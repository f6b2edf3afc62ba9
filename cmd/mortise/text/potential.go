package text

import (
	"cmp"
	"maps"
	"slices"
)

// potential says what the rules hold back.
func (p *planPage) potential() {
	pot := p.plan.Potential
	if pot == nil {
		return
	}
	p.section("Potential", "without budgets, PodDisruptionBudgets and protections: "+hourly(pot.AfterPerHour))
	if len(pot.HeldBackBy) == 0 {
		p.line("no rule alone holds back more than the gap")
		return
	}
	g := newGrid(column{title: "RULE"}, column{title: "HOLDS BACK", right: true}, column{title: "A MONTH"})
	for _, rule := range byAmount(pot.HeldBackBy) {
		g.row(rule, hourly(pot.HeldBackBy[rule]), monthly(pot.HeldBackBy[rule]))
	}
	g.print(p.page)
}

// premiums say what a weight, preference, balance goal or fallback costs.
func (p *planPage) premiums() {
	if len(p.plan.Cost.Premiums) == 0 {
		return
	}
	p.section("Premiums", "what a rule costs over the plan without it")
	g := newGrid(column{title: "CAUSE"}, column{title: "COSTS", right: true}, column{title: "A MONTH"})
	for _, x := range p.plan.Cost.Premiums {
		g.row(x.Cause, hourly(x.PerHour), monthly(x.PerHour))
	}
	g.print(p.page)
}

// byAmount lists the keys, the largest amount first.
func byAmount(amounts map[string]float64) []string {
	return slices.SortedFunc(maps.Keys(amounts), func(a, b string) int {
		return cmp.Or(cmp.Compare(amounts[b], amounts[a]), cmp.Compare(a, b))
	})
}
