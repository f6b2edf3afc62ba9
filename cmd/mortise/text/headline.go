package text

import (
	"fmt"
	"strings"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// headline says what the plan costs, how good it is known to be, and what it does.
func (p *planPage) headline() {
	c := &p.plan.Cost
	p.labeled(p.label("Cost"), p.heading.Render(hourly(c.BeforePerHour)+" → "+hourly(c.AfterPerHour))+"   "+p.saving())
	p.labeled(p.label("Month"), fmt.Sprintf("%s → %s   (%d hours)", monthly(c.BeforePerHour), monthly(c.AfterPerHour), hoursPerMonth))
	if p.plan.Estimated {
		p.labeled(p.label(""), p.warn.Render("some of these prices are estimates"))
	}
	p.labeled(p.label("Outcome"), p.outcome())
	p.labeled(p.label("Nodes"), p.nodeCount())
	p.labeled(p.label("Pods"), p.podCount())
	s := &p.plan.Solver
	p.labeled(p.label("Solved"), fmt.Sprintf("in %.2f s by the %s engine, %s, %s; stopped at: %s",
		s.Seconds, s.Engine, plural(s.Groups, "pod group"), plural(s.Shapes, "shape"), s.Stop))
}

func (p *planPage) label(s string) string {
	return p.faint.Render(fmt.Sprintf("%-9s", s))
}

func (p *planPage) saving() string {
	before, saved := p.plan.Cost.BeforePerHour, p.plan.Cost.BeforePerHour-p.plan.Cost.AfterPerHour
	switch {
	case saved > 0:
		return p.good.Render(fmt.Sprintf("saves %s (%s)", hourly(saved), percent(saved/before)))
	case saved < 0 && before > 0:
		return p.warn.Render(fmt.Sprintf("adds %s (%s)", hourly(-saved), percent(-saved/before)))
	case saved < 0:
		return p.warn.Render("adds " + hourly(-saved))
	default:
		return "costs the same"
	}
}

func (p *planPage) outcome() string {
	c := &p.plan.Cost
	text := string(p.plan.Outcome)
	switch p.plan.Outcome {
	case v1alpha1.Optimal:
		text = p.good.Render(text) + ": no valid plan is better"
	case v1alpha1.Fallback:
		text += ": the built-in engine answered"
	default:
		text += ": valid, not proved to be the best"
	}
	text += fmt.Sprintf("; gap %s, lower bound %s", percent(c.Gap), hourly(c.LowerBoundPerHour))
	if !p.plan.Placement.Proved {
		text += "; not proved that no more pods could be placed"
	}
	return text
}

func (p *planPage) nodeCount() string {
	before, after := 0, 0
	for _, m := range p.fleet.members {
		before += b2i(!m.launched)
		after += b2i(!m.removed)
	}
	text := fmt.Sprintf("%d → %d   %d launched, %d removed", before, after, len(p.plan.Launches), len(p.plan.Removals))
	if p.fleet.domain != "" {
		text += p.faint.Render("   (names below without " + p.fleet.domain + ")")
	}
	return text
}

func (p *planPage) podCount() string {
	moved, unplaced := 0, 0
	for i := range p.plan.Removals {
		moved += len(p.plan.Removals[i].Moves)
	}
	for i := range p.plan.Unplaced {
		unplaced += len(p.plan.Unplaced[i].Pods)
	}
	parts := []string{fmt.Sprintf("%d placed", len(p.plan.Placements)), fmt.Sprintf("%d moved", moved)}
	if unplaced > 0 {
		parts = append(parts, p.bad.Render(fmt.Sprintf("%d left waiting", unplaced)))
	}
	return strings.Join(parts, ", ")
}
