package solver

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// valid says whether the state keeps the rules that look beyond one machine.
// The change is what was done last; rules that it cannot have broken are not
// looked at again.
func (s *state) valid(c *change) bool {
	p := s.w.p
	for k := range p.Limits {
		if s.tally.scoped[k] > 0 && s.tally.limits[k] > p.Limits[k].Max {
			return false
		}
	}
	for r := range p.Reservations {
		if s.tally.reserved[r] > p.Reservations[r].Count {
			return false
		}
	}
	if p.Rules.PendingApart && s.tally.pending > 0 && s.tally.voluntary > 0 {
		return false
	}
	for _, x := range c.nodes {
		if pool := p.Nodes[x.node].Pool; pool != model.None && !withinBudget(&p.Pools[pool], s.tally.removed[pool]) {
			return false
		}
	}
	for _, l := range c.add {
		if !s.w.flexible(l) {
			return false
		}
	}
	return s.balanced() && s.diverse()
}

// withinBudget takes the reasons from the tightest budget up; each budget has
// to cover all removals so far.
func withinBudget(pool *model.Pool, removed [model.NumBudgets]int) bool {
	total := 0
	for _, r := range budgetOrder(pool) {
		total += removed[r]
		if removed[r] > 0 && total > pool.Budget[r] {
			return false
		}
	}
	return true
}

// budgetOrder lists the reasons from the tightest budget up.
func budgetOrder(pool *model.Pool) [model.NumBudgets]model.Removal {
	order := [...]model.Removal{model.Empty, model.Underutilized, model.Drifted}
	slices.SortStableFunc(order[:], func(a, b model.Removal) int { return cmp.Compare(pool.Budget[a], pool.Budget[b]) })
	return order
}

// flexible says whether enough instance types would do for a spot launch that
// replaces a spot node.
func (w *work) flexible(l *launch) bool {
	least := w.p.Rules.SpotFlexibility
	shape := &w.p.Shapes[l.shape]
	if least <= 1 || !shape.Spot {
		return true
	}
	replaces := slices.ContainsFunc(l.pods, func(c model.Count) bool {
		o := w.p.Groups[c.Group].Origin
		return o.Kind == model.Resident && o.Spot
	})
	if !replaces {
		return true
	}
	seen := model.NewSet[model.TypeIndex](0)
	types := 0
	for t := range w.p.Shapes {
		other := &w.p.Shapes[t]
		if other.Spot && other.Pool == shape.Pool && !seen.Has(other.Type) && w.holds(model.ShapeIndex(t), l.pods) {
			seen.Add(other.Type)
			if types++; types >= least {
				return true
			}
		}
	}
	return false
}

// holds says whether a new machine of the shape can carry the pods. That they
// get along with each other is taken as known.
func (w *work) holds(s model.ShapeIndex, pods []model.Count) bool {
	shape := &w.p.Shapes[s]
	for r := range shape.Allocatable {
		var sum int64
		for _, c := range pods {
			sum += w.p.Groups[c.Group].Request[r] * int64(c.N)
		}
		if sum > 0 && sum > shape.Allocatable[r] {
			return false
		}
	}
	for _, c := range pods {
		if !w.p.Groups[c.Group].Shapes.Has(s) {
			return false
		}
	}
	return true
}

// balanced holds the removals of each Balanced pool against their disruption.
func (s *state) balanced() bool {
	p := s.w.p
	for k := range p.Pools {
		if pool := &p.Pools[k]; pool.Balanced && s.tally.removed[k][model.Underutilized] > 0 {
			savings, disruption := s.savings(model.PoolIndex(k))
			// In floating point: the products pass 2⁶³.
			if float64(savings)*float64(pool.Disruption) < 0.5*float64(disruption)*float64(pool.Cost)*(1-1e-12) {
				return false
			}
		}
	}
	return true
}

// savings is what the pool's underutilized removals save, launches for its
// pods taken off, and how much they disrupt.
func (s *state) savings(k model.PoolIndex) (savings model.Money, disruption int64) {
	p := s.w.p
	for i := range s.nodes {
		if n := &p.Nodes[i]; n.Pool == k && s.nodes[i].removal == model.Underutilized {
			savings += n.Price
			disruption += n.Disruption
		}
	}
	for _, l := range s.launches {
		for _, c := range l.pods {
			if o := p.Groups[c.Group].Origin; o.Pool == k && (o.Kind == model.Displaced || o.Kind == model.Resident) {
				savings -= p.Shapes[l.shape].Price
				break
			}
		}
	}
	return savings, disruption
}

// diverse says whether no launched spot market has more than its share of its pool's spot nodes.
func (s *state) diverse() bool {
	p := s.w.p
	share := p.Rules.SpotDiversity
	if share <= 0 {
		return true
	}
	type market struct {
		pool model.PoolIndex
		typ  model.TypeIndex
		zone model.ZoneIndex
	}
	totals := make([]int64, len(p.Pools))
	counts := map[market]int64{}
	for i := range s.nodes {
		if n := &p.Nodes[i]; n.Spot && n.Pool != model.None && s.nodes[i].removal == model.Stays {
			totals[n.Pool]++
			counts[market{n.Pool, n.Type, n.Zone}]++
		}
	}
	for _, l := range s.launches {
		if x := &p.Shapes[l.shape]; x.Spot {
			totals[x.Pool]++
			counts[market{x.Pool, x.Type, x.Zone}]++
		}
	}
	for _, l := range s.launches {
		x := &p.Shapes[l.shape]
		if x.Spot && counts[market{x.Pool, x.Type, x.Zone}] > max(1, totals[x.Pool]*share/1_000_000) {
			return false
		}
	}
	return true
}
