package verify

// turn is what one removal asks of a pod disruption budget.
type turn struct {
	removal *removal
	step    int
	pods    int
}

// checkTurns asks that nodes whose pods share a pod disruption budget go in
// turn: of steps that may run at the same time, their pods are no more than the
// budget allows. One node alone may have more: its pods are evicted one by one.
func checkTurns(c *check) {
	if len(c.budgets) == 0 || len(c.removals) < 2 {
		return
	}
	s := c.schedule()
	for _, b := range c.budgets {
		c.checkTurnsOf(b, s, c.turnsOf(b, s))
	}
}

func (c *check) turnsOf(b *podBudget, s *schedule) []turn {
	var out []turn
	for _, r := range c.removals {
		at, ok := s.removed[r.machine]
		if !ok {
			continue
		}
		n := 0
		for _, p := range r.machine.movable() {
			if !p.deleting() && b.covers(p) {
				n++
			}
		}
		if n > 0 {
			out = append(out, turn{r, at, n})
		}
	}
	return out
}

func (c *check) checkTurnsOf(b *podBudget, s *schedule, turns []turn) {
	allowed := b.allowed
	object := "poddisruptionbudget " + b.Namespace + "/" + b.Name
	steps := map[int]int{} // pods by step, of nodes that fit the budget alone
	for i, x := range turns {
		for _, y := range turns[i+1:] {
			if x.pods+y.pods > allowed && !s.ordered(x.step, y.step) {
				c.report(RuleSteps, object, "allows %d evictions, nodes %s and %s go together", allowed, x.removal.machine.name, y.removal.machine.name)
				return
			}
		}
		if x.pods <= allowed {
			steps[x.step] += x.pods
		}
	}
	if most := concurrent(s, steps); most > allowed {
		c.report(RuleSteps, object, "allows %d evictions, %d may go at the same time", allowed, most)
	}
}

// concurrent is the largest weight of steps no two of which are ordered. By
// Dilworth's theorem it is the least weight of chains that cover all steps: the
// sum of weights less the largest flow from steps to steps that come later.
func concurrent(s *schedule, weight map[int]int) int {
	total, flow := 0, 0
	f := &matching{s: s, supply: map[int]int{}, demand: map[int]int{}, sent: map[[2]int]int{}}
	for step, n := range weight {
		total += n
		f.supply[step], f.demand[step] = n, n
	}
	for step := range weight {
		for f.supply[step] > 0 {
			n := f.augment(step, f.supply[step], map[int]bool{})
			if n == 0 {
				break
			}
			f.supply[step] -= n
			flow += n
		}
	}
	return total - flow
}

// matching is a flow from each step to steps that come later, within a supply
// and a demand of each.
type matching struct {
	s              *schedule
	supply, demand map[int]int
	sent           map[[2]int]int // from a step to a later one
}

// augment sends up to most more from a step, rerouting what was sent before, and returns how much it sent.
func (f *matching) augment(from, most int, seen map[int]bool) int {
	for to := range f.demand {
		if seen[to] || !f.s.before(from, to) {
			continue
		}
		seen[to] = true
		if n := min(most, f.demand[to]); n > 0 {
			f.demand[to] -= n
			f.sent[[2]int{from, to}] += n
			return n
		}
		for other := range f.demand {
			n := min(most, f.sent[[2]int{other, to}])
			if n == 0 {
				continue
			}
			if n = f.augment(other, n, seen); n > 0 {
				f.sent[[2]int{other, to}] -= n
				f.sent[[2]int{from, to}] += n
				return n
			}
		}
	}
	return 0
}
