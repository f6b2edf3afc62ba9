package snapshot

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func reasons(r ...karpv1.DisruptionReason) []karpv1.DisruptionReason {
	return append([]karpv1.DisruptionReason{}, r...) // none is not nil
}

// scheduled is active for a while after each hit.
func scheduled(nodes, schedule string, duration time.Duration) karpv1.Budget {
	return karpv1.Budget{Nodes: nodes, Schedule: &schedule, Duration: &metav1.Duration{Duration: duration}}
}

func TestBudgets(t *testing.T) {
	const free = model.Unlimited
	budgets := func(b ...karpv1.Budget) []karpv1.Budget { return append([]karpv1.Budget{}, b...) }
	tests := []struct {
		name                   string
		nodes                  int
		budgets                []karpv1.Budget
		empty, underused, gone int // what Empty, Underutilized and Drifted may take
	}{
		{"none given is a tenth", 20, nil, 2, 2, 2},
		{"an empty list is no budget", 20, budgets(), free, free, free},
		{"a number", 5, budgets(karpv1.Budget{Nodes: "3"}), 3, 3, 3},
		{"a percentage rounds up", 11, budgets(karpv1.Budget{Nodes: "10%"}), 2, 2, 2},
		{"even of one node", 1, budgets(karpv1.Budget{Nodes: "10%"}), 1, 1, 1},
		{"none is none", 5, budgets(karpv1.Budget{Nodes: "0"}), 0, 0, 0},
		{"no percent is none", 5, budgets(karpv1.Budget{Nodes: "0%"}), 0, 0, 0},
		{"nodes not said is a tenth", 20, budgets(karpv1.Budget{}), 2, 2, 2},
		{"the least of several", 5, budgets(karpv1.Budget{Nodes: "10%"}, karpv1.Budget{Nodes: "3"}), 1, 1, 1},
		{"for some reasons", 5, budgets(karpv1.Budget{Nodes: "0", Reasons: reasons("Underutilized")}), free, 0, free},
		{"for some reasons below the rest", 5, budgets(karpv1.Budget{Nodes: "4"}, karpv1.Budget{Nodes: "1", Reasons: reasons("Drifted", "Empty")}), 1, 4, 1},
		{"an empty list of reasons means none", 5, budgets(karpv1.Budget{Nodes: "0", Reasons: reasons()}), free, free, free},

		{"active since three hours ago", 5, budgets(scheduled("0", "0 9 * * *", 4*time.Hour)), 0, 0, 0},
		{"over this instant", 5, budgets(scheduled("0", "0 9 * * *", 3*time.Hour)), free, free, free},
		{"from this instant", 5, budgets(scheduled("0", "0 12 * * *", time.Minute)), 0, 0, 0},
		{"not yet", 5, budgets(scheduled("0", "1 12 * * *", 23*time.Hour)), free, free, free},
		{"longer than a day apart is always", 5, budgets(scheduled("0", "1 12 * * *", 24*time.Hour)), 0, 0, 0},
		{"in the macro form", 5, budgets(scheduled("0", "@daily", 13*time.Hour)), 0, 0, 0},
		{"on other days", 5, budgets(scheduled("0", "0 0 * * mon", 24*time.Hour)), free, free, free},
		{"never", 5, budgets(scheduled("0", "0 0 30 2 *", 24*time.Hour)), free, free, free},

		{"a malformed number closes all", 5, budgets(karpv1.Budget{Nodes: "5"}, karpv1.Budget{Nodes: "many", Reasons: reasons("Drifted")}), 0, 0, 0},
		{"so does a negative one", 5, budgets(karpv1.Budget{Nodes: "-1"}), 0, 0, 0},
		{"so does a share above all", 5, budgets(karpv1.Budget{Nodes: "101%"}), 0, 0, 0},
		{"so does a malformed schedule", 5, budgets(scheduled("5", "0 25 * * *", time.Hour)), 0, 0, 0},
		{"so does a schedule in another zone", 5, budgets(scheduled("5", "TZ=Asia/Tokyo 0 12 * * *", time.Hour)), 0, 0, 0},
		{"so does a schedule without a duration", 5, budgets(karpv1.Budget{Nodes: "5", Schedule: ptr.To("@daily")}), 0, 0, 0},
		{"so does a duration without a schedule", 5, budgets(karpv1.Budget{Nodes: "5", Duration: &metav1.Duration{Duration: time.Hour}}), 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newTestPool(func(o *karpv1.NodePool) { o.Spec.Disruption.Budgets = tt.budgets })
			var machines []*machine
			for i := range tt.nodes {
				machines = append(machines, newTestMachine(fmt.Sprintf("n%d", i), func(m *machine) { m.pool = p }))
			}
			got := standing(machines...).budget(p, nil)
			require.Equal(t, [model.NumBudgets]int{model.Empty: tt.empty, model.Underutilized: tt.underused, model.Drifted: tt.gone}, got)
		})
	}
}

func TestWhichNodesABudgetCounts(t *testing.T) {
	tests := []struct {
		name       string
		edit       func(*machine)
		base, used int
	}{
		{"a node", func(*machine) {}, 1, 0},
		{"a node without a claim", withoutClaim, 1, 0},
		{"a node that says nothing of its health", func(m *machine) { m.node.Status.Conditions = nil }, 1, 0},
		{"a node that is not ready is used", notReadyFor(time.Minute, corev1.ConditionFalse), 1, 1},
		{"so is one not heard of", notReadyFor(time.Minute, corev1.ConditionUnknown), 1, 1},
		{"so is one being deleted", deletedNode, 1, 1},
		{"so is one whose claim is", deletedClaim, 1, 1},
		{"so is one that Karpenter is about to delete", tainted(karpv1.DisruptedTaintKey), 1, 1},
		{"but not twice", func(m *machine) { deletedNode(m); notReadyFor(time.Minute, corev1.ConditionFalse)(m) }, 1, 1},
		{"a node on its way", joining, 0, 0},
		{"a node of nobody", unmanaged, 0, 0},
		{"a node of another pool", func(m *machine) { m.pool = newTestPool() }, 0, 0},
		{"a node that will be removed as expired", expiresAfter(time.Hour), 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newTestPool()
			c := standing(newTestMachine("n1", func(m *machine) { m.pool = p }, tt.edit))
			base, used := c.budgetBase(p)
			require.Equal(t, tt.base, base, "base")
			require.Equal(t, tt.used, used, "used")
		})
	}
}

func TestUsedNodesAreTakenOffAndNeverBelowNone(t *testing.T) {
	for nodes, want := range map[string]int{"3": 1, "2": 0, "1": 0} {
		p := newTestPool(func(o *karpv1.NodePool) { o.Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: nodes}} })
		in := func(m *machine) { m.pool = p }
		c := standing(newTestMachine("a", in, deletedNode), newTestMachine("b", in, deletedClaim), newTestMachine("c", in), newTestMachine("d", in))
		require.Equal(t, want, c.budget(p, nil)[model.Empty], nodes)
		require.Equal(t, model.Unlimited, c.budget(p, map[string]bool{v1alpha1.KeptBudget: true})[model.Empty])
	}
}
