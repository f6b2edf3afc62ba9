package text

import (
	"io"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// planPage is a plan and what it is about.
type planPage struct {
	*page
	plan  *v1alpha1.Plan
	pods  pods
	fleet *fleet
}

// Plan prints a plan of the snapshot.
func Plan(w io.Writer, s *v1alpha1.Snapshot, plan *v1alpha1.Plan, o Options) error {
	ps := podsOf(s)
	p := &planPage{page: newPage(o), plan: plan, pods: ps, fleet: fleetOf(s, plan, ps)}
	p.headline()
	p.launches()
	p.removals()
	p.moves()
	p.placements()
	p.unplaced()
	p.nodes()
	p.steps()
	p.kept()
	p.potential()
	p.premiums()
	p.warnings()
	return p.writeTo(w)
}

func (p *planPage) warnings() {
	if len(p.plan.Warnings) == 0 {
		return
	}
	p.section("Warnings", "")
	for _, w := range p.plan.Warnings {
		p.labeled(p.warn.Render("! "), w)
	}
}
