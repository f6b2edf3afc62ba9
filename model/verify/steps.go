package verify

import (
	"maps"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// schedule is the plan's steps, resolved.
type schedule struct {
	after map[int][]int // what each step waits for
	// launched and removed are the steps of each launch and machine, the first that names it.
	launched map[string]int
	removed  map[*machine]int
	earlier  map[int]map[int]bool // by step, those done before it begins; computed when asked for
}

// schedule reads the steps. What is malformed is left out.
func (c *check) schedule() *schedule {
	s := &schedule{after: map[int][]int{}, launched: map[string]int{}, removed: map[*machine]int{}, earlier: map[int]map[int]bool{}}
	for _, step := range c.plan.Steps {
		s.after[step.Step] = append(s.after[step.Step], step.After...)
		for _, id := range step.Launch {
			if _, ok := s.launched[id]; !ok {
				s.launched[id] = step.Step
			}
		}
		for _, name := range step.Remove {
			if m := c.stepped(name, step.Step); m != nil {
				if _, ok := s.removed[m]; !ok {
					s.removed[m] = step.Step
				}
			}
		}
	}
	return s
}

// stepped is the removed machine that a step names: by its node, or its claim.
// Where it names two, the one that says it goes then.
func (c *check) stepped(name string, step int) *machine {
	var found *machine
	for _, m := range []*machine{c.byClaim[name], c.byName[name]} {
		if m != nil && c.gone[m] != nil && (found == nil || found == m || c.gone[m].Step == step) {
			found = m
		}
	}
	return found
}

// before says whether step a is done before step b begins.
func (s *schedule) before(a, b int) bool {
	if s.earlier[b] == nil {
		found := map[int]bool{}
		todo := slices.Clone(s.after[b])
		for len(todo) > 0 {
			x := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !found[x] {
				found[x] = true
				todo = append(todo, s.after[x]...)
			}
		}
		s.earlier[b] = found
	}
	return s.earlier[b][a]
}

func (s *schedule) ordered(a, b int) bool { return s.before(a, b) || s.before(b, a) }

// stuck lists the steps that can never begin, since they wait for each other.
func (s *schedule) stuck() []int {
	waits, next := map[int]int{}, map[int][]int{}
	var ready []int
	for step, after := range s.after {
		waits[step] = len(after)
		for _, a := range after {
			next[a] = append(next[a], step)
		}
	}
	for step := range next {
		if _, there := waits[step]; !there || waits[step] == 0 {
			ready = append(ready, step)
		}
	}
	for len(ready) > 0 {
		x := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, step := range next[x] {
			if waits[step]--; waits[step] == 0 {
				ready = append(ready, step)
			}
		}
	}
	maps.DeleteFunc(waits, func(_, n int) bool { return n == 0 })
	return slices.Sorted(maps.Keys(waits))
}

// checkSteps asks that every launch and removal is in one step, that no steps
// wait for each other, and that a node goes after the launches its pods go to.
func checkSteps(c *check) {
	c.checkStepList()
	s := c.schedule()
	if stuck := s.stuck(); len(stuck) > 0 {
		c.report(RuleSteps, "plan", "steps %v wait for each other", stuck)
	}
	for _, m := range c.launches {
		if _, ok := s.launched[m.name]; !ok {
			c.report(RuleSteps, m.object(), "is in no step")
		}
	}
	for _, r := range c.removals {
		at, ok := s.removed[r.machine]
		if !ok {
			c.report(RuleSteps, r.machine.object(), "its removal is in no step")
			continue
		}
		if r.Step != at {
			c.report(RuleSteps, r.machine.object(), "says it goes in step %d, the steps say %d", r.Step, at)
		}
		c.checkLaunchesFirst(s, r, at)
	}
}

// checkLaunchesFirst asks that the launches that the node's pods go to are done before it goes.
func (c *check) checkLaunchesFirst(s *schedule, r *removal, at int) {
	for _, d := range r.Moves {
		if c.byLaunch[d.Launch] == nil {
			continue
		}
		if launched, ok := s.launched[d.Launch]; ok && !s.before(launched, at) {
			c.report(RuleSteps, r.machine.object(), "goes without waiting for %s, where its pods go", d.Launch)
		}
	}
}

// checkStepList asks that the steps are numbered, wait for steps there are, and name what the plan does, once.
func (c *check) checkStepList() {
	numbers := map[int]bool{}
	for _, step := range c.plan.Steps {
		if numbers[step.Step] {
			c.report(RuleSteps, "plan", "step %d is there twice", step.Step)
		}
		numbers[step.Step] = true
	}
	launches, removals := map[string]bool{}, map[*machine]bool{}
	for _, step := range c.plan.Steps {
		for _, a := range step.After {
			if !numbers[a] {
				c.report(RuleSteps, "plan", "step %d waits for step %d, which is not there", step.Step, a)
			}
		}
		c.checkStep(step, launches, removals)
	}
}

func (c *check) checkStep(step v1alpha1.Step, launches map[string]bool, removals map[*machine]bool) {
	for _, id := range step.Launch {
		if c.byLaunch[id] == nil {
			c.report(RuleSteps, "launch "+id, "is in step %d, and is no launch of the plan", step.Step)
		} else if launches[id] {
			c.report(RuleSteps, "launch "+id, "is in two steps")
		}
		launches[id] = true
	}
	for _, name := range step.Remove {
		m := c.stepped(name, step.Step)
		if m == nil {
			c.report(RuleSteps, "node "+name, "is in step %d, and is no removal of the plan", step.Step)
			continue
		}
		if removals[m] {
			c.report(RuleSteps, m.object(), "its removal is in two steps")
		}
		removals[m] = true
	}
}
