package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func lastEvent(d time.Duration) func(*machine) {
	return func(m *machine) { m.claim.Status.LastPodEventTime = ago(d) }
}

func TestWhenAMachineLastGainedOrLostAPod(t *testing.T) {
	day := 24 * time.Hour
	tests := []struct {
		name string
		m    *machine
		want time.Time
	}{
		{"its claim remembers", newTestMachine("n1", lastEvent(time.Hour), withPods(newTestPod("a", startedAgo(time.Minute)))), ago(time.Hour).Time},
		{"else the last pod tells that started", newTestMachine("n1", withPods(newTestPod("a"), newTestPod("b", startedAgo(time.Minute)), newTestPod("c"))), ago(time.Minute).Time},
		{"without a claim too", newTestMachine("n1", withoutClaim, withPods(newTestPod("a"))), ago(day).Time},
		{"or the last that was asked to go", newTestMachine("n1", withPods(newTestPod("a", ending))), ago(30 * time.Second).Time},
		{"daemons tell nothing", newTestMachine("n1", withPods(newTestPod("a", ownedByA("apps/v1", "DaemonSet")))), time.Time{}},
		{"nobody tells", newTestMachine("n1"), time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, tt.m.lastPodEvent())
		})
	}
}

func TestQuietPeriod(t *testing.T) {
	tests := []struct {
		name   string
		m      *machine
		period time.Duration
		want   string
	}{
		{"none asked for", newTestMachine("n1", lastEvent(0)), 0, ""},
		{"within it", newTestMachine("n1", lastEvent(4*time.Minute)), 5 * time.Minute, v1alpha1.KeptQuietPeriod},
		{"at its end", newTestMachine("n1", lastEvent(5*time.Minute)), 5 * time.Minute, ""},
		{"a node that never had a pod is quiet", newTestMachine("n1"), 5 * time.Minute, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := standing(tt.m)
			c.policy.QuietPeriod.Duration = tt.period
			c.disrupt(nil)
			require.Equal(t, tt.want, tt.m.voluntary)
			require.Equal(t, tt.want != "", c.quiet(tt.m))
		})
	}
}

func TestWhatAPoolLetsConsolidate(t *testing.T) {
	after := func(d time.Duration) func(*machine) {
		return withPool(func(p *karpv1.NodePool) { p.Spec.Disruption.ConsolidateAfter.Duration = &d })
	}
	never := withPool(func(p *karpv1.NodePool) { p.Spec.Disruption.ConsolidateAfter.Duration = nil })
	whenEmpty := withPool(func(p *karpv1.NodePool) { p.Spec.Disruption.ConsolidationPolicy = karpv1.ConsolidationPolicyWhenEmpty })
	static := withPool(func(p *karpv1.NodePool) { p.Spec.Replicas = ptr.To(int64(3)) })
	unsettled := func(m *machine) { m.claim.Status.Conditions = nil }
	used := withPods(newTestPod("a"))
	started := func(d time.Duration) func(*machine) { return withPods(newTestPod("a", startedAgo(d))) }
	created := func(d time.Duration) func(*machine) {
		return func(m *machine) { m.node.CreationTimestamp = ago(d) }
	}
	edits := func(e ...func(*machine)) []func(*machine) { return e }
	tests := []struct {
		name  string
		edits []func(*machine)
		says  string // empty: it may go
	}{
		{"a used node", edits(used), ""},
		{"an empty node", nil, ""},
		{"never", edits(never), "NodePool default has consolidateAfter Never"},
		{"a static pool", edits(static), "NodePool default is static"},
		{"only empty nodes: a used one", edits(whenEmpty, used), "NodePool default consolidates only empty nodes, and pod default/a is here"},
		{"only empty nodes: an empty one", edits(whenEmpty), ""},
		{"only empty nodes: one with a daemon", edits(whenEmpty, withPods(newTestPod("d", ownedByA("apps/v1", "DaemonSet")))), ""},
		{"a claim that is not consolidatable", edits(after(time.Minute), unsettled), "node n1 is not consolidatable yet: NodePool default has consolidateAfter 1m0s"},
		{"whatever its pods say", edits(after(time.Minute), unsettled, used), "node n1 is not consolidatable yet: NodePool default has consolidateAfter 1m0s"},
		{"a consolidatable claim whatever its pods say", edits(after(time.Hour), started(time.Minute)), ""},
		{"without a claim, by its last pod", edits(withoutClaim, after(time.Hour), started(59*time.Minute)), "node n1 is not consolidatable yet: NodePool default has consolidateAfter 1h0m0s"},
		{"without a claim, in time", edits(withoutClaim, after(time.Hour), started(60*time.Minute)), ""},
		{"without a claim and pods, by its age", edits(withoutClaim, after(time.Hour), created(time.Minute)), "node n1 is not consolidatable yet: NodePool default has consolidateAfter 1h0m0s"},
		{"without a claim and pods, an old one", edits(withoutClaim, after(time.Hour)), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newTestMachine("n1", tt.edits...)
			standing(m).disrupt(nil)
			require.Equal(t, tt.says, m.voluntaryMessage)
			if tt.says != "" {
				require.Equal(t, v1alpha1.KeptNotConsolidatable, m.voluntary)
			}
		})
	}
}
