package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestKept(t *testing.T) {
	unlimited := model.Unlimited
	tests := []struct {
		name   string
		budget [model.NumBudgets]int // Empty, Underutilized, Drifted
		build  func(b *built)
		want   map[string]string
	}{
		{"what no rule names is left for the planner", [...]int{unlimited, unlimited, unlimited}, func(b *built) {
			b.node("n1", "default", 0.2)
		}, map[string]string{"n1": ""}},
		{"a node that is not managed", [...]int{0, 0, 0}, func(b *built) {
			b.node("n1", "", 0.2)
		}, map[string]string{"n1": v1alpha1.KeptNotManaged}},
		{"a rule that keeps it comes before the budget", [...]int{0, 0, 0}, func(b *built) {
			m := b.node("n1", "default", 0.2)
			m.voluntary, b.Problem.Nodes[0].Voluntary = v1alpha1.KeptWindow, model.Stays
		}, map[string]string{"n1": v1alpha1.KeptWindow}},
		{"a budget of nought for its reason", [...]int{1, 0, 1}, func(b *built) {
			b.node("n1", "default", 0.2)
			b.node("n2", "default", 0.2)
			b.Problem.Nodes[1].Voluntary = model.Empty
		}, map[string]string{"n1": v1alpha1.KeptBudget, "n2": ""}},
		{"the tightest budget covers its own, the next both", [...]int{1, 2, unlimited}, func(b *built) {
			b.node("e1", "default", 0.2)
			b.node("e2", "default", 0.2)
			b.node("u", "default", 0.2)
			b.Problem.Nodes[0].Voluntary, b.Problem.Nodes[1].Voluntary = model.Empty, model.Empty
			b.removes(model.Empty, "e1")
		}, map[string]string{"e2": v1alpha1.KeptBudget, "u": ""}},
		{"a removal for one reason uses up the looser budget of another", [...]int{1, unlimited, 1}, func(b *built) {
			b.node("d", "default", 0.2)
			b.node("e", "default", 0.2)
			b.node("u", "default", 0.2)
			b.Problem.Nodes[1].Voluntary = model.Empty
			b.removes(model.Drifted, "d")
		}, map[string]string{"e": v1alpha1.KeptBudget, "u": ""}},
		{"removals that no budget counts leave it alone", [...]int{1, 1, 1}, func(b *built) {
			b.node("dead", "default", 0.2).goes = v1alpha1.RemovalExpired
			b.node("n1", "default", 0.2)
			b.removes(model.Forced, "dead")
		}, map[string]string{"n1": ""}},
		{"a drifted node says what holds its drift back", [...]int{0, 0, 1}, func(b *built) {
			m := b.node("n1", "default", 0.2)
			m.drifted, m.drift, m.voluntary = true, v1alpha1.KeptDoNotDisrupt, v1alpha1.KeptNotConsolidatable
			m = b.node("n2", "default", 0.2)
			m.drifted, m.voluntary = true, v1alpha1.KeptNotConsolidatable
			b.node("n3", "default", 0.2).drifted = true
			b.removes(model.Drifted, "n3")
		}, map[string]string{"n1": v1alpha1.KeptDoNotDisrupt, "n2": v1alpha1.KeptBudget}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilt("default")
			b.Problem.Pools[0].Budget = test.budget
			test.build(b)
			got := map[string]string{}
			for _, k := range b.plan().Kept {
				got[k.Node] = k.Reason
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestAKeptClaimWithoutANodeIsNamedByItsMachine(t *testing.T) {
	b := newBuilt("default")
	m := b.node("i-123", "default", 0.2)
	m.node, m.voluntary, m.voluntaryMessage = nil, v1alpha1.KeptNotInitialized, "it is on its way"
	require.Equal(t, []v1alpha1.Kept{{
		Node: "i-123", NodeClaim: "default-i-123", NodePool: "default", Reason: v1alpha1.KeptNotInitialized, Message: "it is on its way",
	}}, b.plan().Kept)
}
