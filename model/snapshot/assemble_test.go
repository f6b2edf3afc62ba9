package snapshot

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestPlanCost(t *testing.T) {
	b := newBuilt("default")
	b.node("gone", "default", 0.3)
	b.node("stays", "default", 0.2)
	b.node("foreign", "", 0.1)
	unknown := b.node("unknown", "default", 0.7)
	unknown.priced, b.Problem.Nodes[unknown.index].Price = false, 0
	b.Problem.Nodes[0].Evict, b.Problem.Nodes[0].Hurdle, b.Problem.Nodes[1].Fee = model.Dollars(0.01), model.Dollars(0.02), model.Dollars(0.03)
	b.shape("default:t4/on-demand/z1", 4, 0.15)
	b.group("web", 1000, "p", "q@gone")
	b.launches("default:t4/on-demand/z1", "web 2")
	b.removes(model.Underutilized, "gone")

	p := b.plan()
	require.Equal(t, v1alpha1.Cost{
		BeforePerHour: 0.6, AfterPerHour: 0.45,
		Objective: v1alpha1.Objective{Prices: 0.45, Fees: 0.03, Moves: 0.01, Penalties: 0.02, Total: 0.51},
	}, p.Cost)
	require.Equal(t, "USD", p.Currency)
	require.Equal(t, []v1alpha1.Removal{{
		Node: "gone", NodeClaim: "default-gone", NodePool: "default", PricePerHour: 0.3, Reason: v1alpha1.RemovalUnderutilized,
		Step: 2, Moves: []v1alpha1.Destination{{Pod: "default/q", Launch: "launch-1"}},
	}}, p.Removals)
}

func TestAPlanSaysThatAPriceIsAnEstimate(t *testing.T) {
	estimate := func(node, bought bool) bool {
		b := newBuilt("default")
		b.node("gone", "default", 0.3).offering = &v1alpha1.Offering{Estimated: node}
		b.shape("default:t4/on-demand/z1", 4, 0.15)
		b.shapes[0].offering.Estimated = bought
		b.group("web", 1000, "p")
		b.launches("default:t4/on-demand/z1", "web 1")
		b.removes(model.Empty, "gone")
		return b.plan().Estimated
	}
	require.False(t, estimate(false, false))
	require.True(t, estimate(true, false), "of a node before")
	require.True(t, estimate(false, true), "of a launch")
}

func TestPlanNameFollowsContent(t *testing.T) {
	named := func(pods ...string) string {
		b := newBuilt("default")
		b.node("n1", "default", 0.2)
		b.group("web", 1000, pods...)
		return b.plan().Metadata.Name
	}
	require.Regexp(t, `^plan-[0-9a-f]{12}$`, named("p"))
	again := named("p")
	require.Equal(t, named("p"), again)
	require.NotEqual(t, named("p"), named("q"))
}

func TestAnEmptyPlanHasEmptyLists(t *testing.T) {
	text, err := json.Marshal(newBuilt().plan())
	require.NoError(t, err)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	for _, name := range []string{"launches", "removals", "placements", "unplaced", "kept", "steps", "warnings"} {
		require.Equal(t, []any{}, fields[name], name)
	}
}
