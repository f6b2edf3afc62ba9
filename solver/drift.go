package solver

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// removeDrifted takes drifted nodes away, the oldest first, as many as budgets
// and room allow. What they cost is no matter, but no pod may wait for it.
// Nodes that went stay gone for the rest of the search.
func (s *state) removeDrifted(recipes []recipe) {
	w := s.w
	var drifted []model.NodeIndex
	for i := range w.p.Nodes {
		if n := &w.p.Nodes[i]; n.Drift > 0 && !n.Goes && s.nodes[i].removal == model.Stays {
			drifted = append(drifted, model.NodeIndex(i))
		}
	}
	slices.SortFunc(drifted, func(a, b model.NodeIndex) int { return cmp.Compare(w.p.Nodes[a].Drift, w.p.Nodes[b].Drift) })
	for _, i := range drifted {
		before := s.total
		ok := s.rebuildIf(ruin{nodes: []nodeChange{{node: i, removal: model.Drifted}}}, recipes, func(after *score) bool {
			return slices.Compare(after.goals[:w.goals.weight], before.goals[:w.goals.weight]) <= 0
		})
		w.fixed[i] = w.fixed[i] || ok
	}
}
