package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// A plan meets the goals before cost as the solution does that it was made of.
func TestAPlanTellsTheGoalsOfItsSolution(t *testing.T) {
	b := newBuilt("heavy", "light")
	b.Problem.Rules.PoolWeights = true
	b.Problem.Pools[0].Weight = 10
	b.node("old", "heavy", 0.2)
	b.node("older", "heavy", 0.2)
	b.node("spare", "light", 0.2)
	b.Problem.Nodes[0].Drift, b.Problem.Nodes[1].Drift = 2, 1
	b.shape("heavy:t4/on-demand/z1", 4, 0.1)
	b.shape("light:t4/on-demand/z1", 4, 0.1)
	b.group("web", 1000, "a", "b", "c", "d")
	b.group("db", 1000, "e", "f")
	b.launches("heavy:t4/on-demand/z1", "web 1")
	b.launches("light:t4/on-demand/z1", "web 1, db 2")
	b.removes(model.Drifted, "older")
	b.removes(model.Empty, "spare")
	b.solution.Unplaced[0] = 2

	plan := b.plan()
	require.Equal(t, model.Assumptions{
		Unplaced: []model.GroupCount{{Group: "default/web", Pods: 2}}, Drifted: []string{"older"}, Weight: []int{3},
	}, b.Assumed(plan))
	require.Equal(t, model.ScoreOf(&b.Problem, b.solution).Weight, b.Assumed(plan).Weight)

	b.Problem.Rules.PoolWeights = false
	require.Equal(t, model.Assumptions{}, b.Assumed(&v1alpha1.Plan{Launches: []v1alpha1.Launch{{NodePool: "unknown"}}}))
	b.Problem.Rules.PoolWeights = true
	require.Equal(t, []int{0}, b.Assumed(&v1alpha1.Plan{Launches: []v1alpha1.Launch{{NodePool: "unknown"}}}).Weight)
}
