package snapshot

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// planSteps orders the plan's work in as few steps as its rules allow, and
// notes in each removal its step.
//
// The first step makes all launches. A node whose pods go to launches waits for
// it; others do not. Within a step, the evictions of a pod disruption budget's
// pods over different nodes never exceed what it allows now, and steps that
// evict pods of the same budget come one after another.
func (d *deal) planSteps(removals []v1alpha1.Removal) []v1alpha1.Step {
	steps := []v1alpha1.Step{}
	if len(d.launches) > 0 {
		first := v1alpha1.Step{Step: 1}
		for _, l := range d.launches {
			first.Launch = append(first.Launch, l.id)
		}
		steps = append(steps, first)
	}
	var ready, waiting []*v1alpha1.Removal
	for i := range removals {
		if r := &removals[i]; slices.ContainsFunc(r.Moves, func(m v1alpha1.Destination) bool { return m.Launch != "" }) {
			waiting = append(waiting, r)
		} else {
			ready = append(ready, r)
		}
	}
	evictions := d.evictions()
	last := map[*pdb]int{} // the latest step that evicts its pods
	for _, t := range evictions.turns(ready) {
		steps = append(steps, t.step(len(steps)+1, nil, last))
	}
	for _, t := range evictions.turns(waiting) {
		steps = append(steps, t.step(len(steps)+1, []int{1}, last))
	}
	return steps
}

// evictions are the pods that lose their node, as their budgets count them.
type evictions struct {
	// counts are by name of the machine, as in steps.
	counts map[string]map[*pdb]int
	// allowed is how many each budget allows now.
	allowed map[*pdb]int
}

// evictions counts also the pods that find no other place.
func (d *deal) evictions() evictions {
	out := evictions{counts: map[string]map[*pdb]int{}, allowed: map[*pdb]int{}}
	for _, m := range d.c.nodes {
		if !d.goes(m) {
			continue
		}
		counts := map[*pdb]int{}
		for _, p := range d.c.movable(m) {
			for _, b := range d.c.pdbs.of(p) {
				counts[b]++
				if _, known := out.allowed[b]; !known {
					out.allowed[b] = b.allowed()
				}
			}
		}
		out.counts[stepName(m)] = counts
	}
	return out
}

// turn is a batch of removals that may go on at once.
type turn struct {
	removals []*v1alpha1.Removal
	evicts   map[*pdb]int
}

// turns puts each removal into the first turn whose budgets have room for it.
// A node that alone evicts more than a budget allows has no company of that budget.
func (e evictions) turns(removals []*v1alpha1.Removal) []turn {
	var out []turn
	for _, r := range removals {
		evicts := e.counts[removalName(r)]
		i := slices.IndexFunc(out, func(t turn) bool { return e.fit(t, evicts) })
		if i < 0 {
			out, i = append(out, turn{evicts: map[*pdb]int{}}), len(out)
		}
		out[i].removals = append(out[i].removals, r)
		for b, n := range evicts {
			out[i].evicts[b] += n
		}
	}
	return out
}

func (e evictions) fit(t turn, evicts map[*pdb]int) bool {
	for b, n := range evicts {
		if t.evicts[b] > 0 && t.evicts[b]+n > e.allowed[b] {
			return false
		}
	}
	return true
}

// step is the turn as a step of a plan, after the given steps and after the
// last that evicts pods of the same budgets, which it becomes.
func (t turn) step(number int, after []int, last map[*pdb]int) v1alpha1.Step {
	s := v1alpha1.Step{Step: number, After: after}
	for b := range t.evicts {
		if before, ok := last[b]; ok {
			s.After = append(s.After, before)
		}
		last[b] = number
	}
	slices.Sort(s.After)
	s.After = slices.Compact(s.After)
	for _, r := range t.removals {
		r.Step = number
		s.Remove = append(s.Remove, removalName(r))
	}
	return s
}

// stepName names a machine in a plan's steps: by its node, or by its claim if it has none.
func stepName(m *machine) string {
	if m.node != nil {
		return m.node.Name
	}
	return m.claim.Name
}

func removalName(r *v1alpha1.Removal) string { return cmp.Or(r.Node, r.NodeClaim) }
