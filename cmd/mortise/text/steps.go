package text

import (
	"fmt"
	"strings"
)

// maxSteps is how many steps are listed; the rest is counted.
const maxSteps = 20

// steps lists the work in its order.
func (p *planPage) steps() {
	if len(p.plan.Steps) == 0 {
		return
	}
	p.section("Steps", "done once its launches are ready, its nodes gone, the moved pods Ready")
	for i := range p.plan.Steps {
		if i == maxSteps {
			p.linef("and %s", plural(len(p.plan.Steps)-maxSteps, "more step"))
			return
		}
		s := &p.plan.Steps[i]
		var deeds []string
		if len(s.Launch) > 0 {
			deeds = append(deeds, "launch "+some(s.Launch, asIs))
		}
		if len(s.Remove) > 0 {
			deeds = append(deeds, "remove "+some(s.Remove, p.fleet.short))
		}
		after := ""
		if len(s.After) > 0 {
			after = fmt.Sprintf("after %s: ", ordinals(s.After))
		}
		p.labeled(fmt.Sprintf("%2d. ", s.Step), after+strings.Join(deeds, "; "))
	}
}

func ordinals(ns []int) string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = fmt.Sprint(n)
	}
	return strings.Join(out, ", ")
}
