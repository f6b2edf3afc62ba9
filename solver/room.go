package solver

import (
	"context"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// Room says of each of the nodes, which stay in the solution, whether all its
// pods could go elsewhere, at whatever cost, with nothing else changed but what
// is launched. No other pod has to wait for it.
func Room(ctx context.Context, p *model.Problem, solution *model.Solution, nodes []model.NodeIndex, o Options) []bool {
	w := newWork(ctx, p, o)
	x := newSearch(w.stateOf(solution), w.views(), o.Seed)
	out := make([]bool, len(nodes))
	for k, i := range nodes {
		if !mayGo(&p.Nodes[i]) {
			continue
		}
		to := p.Nodes[i].Voluntary
		if !to.Voluntary() {
			to = model.Drifted
		}
		s := x.s.clone()
		before := s.total
		out[k] = s.rebuildIf(ruin{nodes: []nodeChange{{node: i, removal: to}}}, x.recipes, func(after *score) bool {
			return slices.Compare(after.goals[:w.goals.weight], before.goals[:w.goals.weight]) <= 0
		})
	}
	return out
}

// stateOf is the solution as a state.
func (w *work) stateOf(solution *model.Solution) *state {
	s := newState(w)
	var c change
	for i := range solution.Nodes {
		if f := &solution.Nodes[i]; f.Removal != model.Forced {
			c.nodes = append(c.nodes, nodeChange{model.NodeIndex(i), f.Removal, f.Pods})
		}
	}
	for i := range solution.Launches {
		c.add = append(c.add, &launch{shape: solution.Launches[i].Shape, pods: solution.Launches[i].Pods})
	}
	for g, n := range solution.Unplaced {
		c.unplaced = append(c.unplaced, model.Count{Group: model.GroupIndex(g), N: n})
	}
	s.apply(&c)
	return s
}
