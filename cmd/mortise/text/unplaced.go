package text

import "fmt"

// unplaced lists the pods that are left waiting, and why.
func (p *planPage) unplaced() {
	if len(p.plan.Unplaced) == 0 {
		return
	}
	total := 0
	for i := range p.plan.Unplaced {
		total += len(p.plan.Unplaced[i].Pods)
	}
	p.section("Left waiting", plural(total, "pod"))
	for i := range p.plan.Unplaced {
		u := &p.plan.Unplaced[i]
		p.labeled(p.bad.Render("✗ "), fmt.Sprintf("%s: %s: %s", p.pods.workloads(u.Pods).list(maxNames), u.Reason, u.Message))
	}
}
