package snapshot

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/model"
)

func TestWhichPodsNeedAnotherPlace(t *testing.T) {
	tests := []struct {
		name string
		pod  *corev1.Pod
		want bool
	}{
		{"a pod that runs", newTestPod("p"), true},
		{"a pod of a Job", newTestPod("p", ownedByA("batch/v1", "Job")), true},
		{"a bare pod", newTestPod("p", bareTestPod), true},
		{"a protected pod", newTestPod("p", protectedBy("true")), true},
		{"a pod that ends", newTestPod("p", ending), false},
		{"a pod of a StatefulSet that ends, and comes back", newTestPod("p", ownedByA("apps/v1", "StatefulSet"), ending), true},
		{"a finished pod", newTestPod("p", finished), false},
		{"a pod of a DaemonSet", newTestPod("p", ownedByA("apps/v1", "DaemonSet")), false},
		{"a static pod, by its owner", newTestPod("p", ownedByA("v1", "Node")), false},
		{"a static pod, by its annotation", newTestPod("p", podAnnotated(corev1.MirrorPodAnnotationKey, "hash")), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newTestMachine("n1", withPods(tt.pod))
			require.Equal(t, tt.want, len(standing(m).movable(m)) == 1)
		})
	}
}

func TestEvictionWeight(t *testing.T) {
	deletionCost := func(text string) func(*corev1.Pod) { return podAnnotated(corev1.PodDeletionCost, text) }
	priority := func(n int32) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.Priority = &n } }
	tests := []struct {
		name string
		pod  *corev1.Pod
		want float64
	}{
		{"an ordinary pod weighs one", newTestPod("p"), 1},
		{"deletion cost in parts of 2^27", newTestPod("p", deletionCost("67108864")), 1.5},
		{"negative deletion cost", newTestPod("p", deletionCost("-67108864")), 0.5},
		{"never below nothing", newTestPod("p", deletionCost("-2147483648")), 0},
		{"priority in parts of 2^25", newTestPod("p", priority(1<<26)), 3},
		{"never above ten", newTestPod("p", priority(1_000_000_000)), 10},
		{"both", newTestPod("p", deletionCost("134217728"), priority(-1<<24)), 1.5},
		{"a deletion cost that cannot be read", newTestPod("p", deletionCost("much")), 1},
		{"the priority of its class", newTestPod("p", func(p *corev1.Pod) { p.Spec.PriorityClassName = "high" }), 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := standing()
			c.cluster.priorityClasses = map[string]*schedulingv1.PriorityClass{"high": {Value: 1 << 25}}
			require.InDelta(t, tt.want, float64(c.evictionWeight(tt.pod))/evictionUnit, 0)
		})
	}
}

func TestEvictCostIsSpreadOverTheHorizonAndRoundedOnce(t *testing.T) {
	tests := []struct {
		name    string
		pods    int
		cost    float64
		horizon time.Duration
		want    model.Money
	}{
		{"nothing to evict", 0, 0.01, 24 * time.Hour, 0},
		{"one cent over a day is 416666.67 nano-dollars an hour", 1, 0.01, 24 * time.Hour, 416_667},
		{"three are not three times the rounded one", 3, 0.01, 24 * time.Hour, 1_250_000},
		{"a tenth over an hour", 1, 0.1, time.Hour, 100_000_000},
		{"free", 5, 0, 24 * time.Hour, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newTestMachine("n1", withPods(newTestPod("d", ownedByA("apps/v1", "DaemonSet"))))
			for range tt.pods {
				withPods(newTestPod("p"))(m)
			}
			c := standing(m)
			c.policy.EvictionCost, c.policy.Horizon.Duration = &tt.cost, tt.horizon
			require.Equal(t, tt.want, c.evictCost(m))
		})
	}
}

func TestAPodThatEndsAnywayIsEvictedForFreeButDisturbed(t *testing.T) {
	m := newTestMachine("n1", withPods(newTestPod("db-0", ownedByA("apps/v1", "StatefulSet"), ending)))
	c := standing(m)
	require.Zero(t, c.evictCost(m))
	require.Equal(t, int64(2_000_000), c.disruption(m))
}

func TestDisruptionIsOnePlusTheWeights(t *testing.T) {
	m := newTestMachine("n1", withPods(
		newTestPod("a"),
		newTestPod("b", podAnnotated(corev1.PodDeletionCost, "67108864")),
		newTestPod("c", podAnnotated(corev1.PodDeletionCost, "-2147483648")),
		newTestPod("d", ownedByA("apps/v1", "DaemonSet")),
	))
	require.Equal(t, int64(3_500_000), standing(m).disruption(m))
}

func TestHurdleIsAShareOfThePrice(t *testing.T) {
	m := newTestMachine("n1", func(m *machine) { m.price = 500_000_001 })
	c := standing(m)
	require.Zero(t, c.hurdle(m))
	c.policy.Savings.Percent = 10
	require.Equal(t, model.Money(50_000_000), c.hurdle(m))
	c.policy.Savings.Percent = 0.1
	require.Equal(t, model.Money(500_000), c.hurdle(m))
	m.priced = false
	require.Zero(t, c.hurdle(m))
}

func TestRoundedTakesHalvesUp(t *testing.T) {
	for text, want := range map[string]model.Money{"0.5": 1, "0.4": 0, "1.5": 2, "2.49": 2, "-0.5": 0, "-0.6": -1} {
		x := decimal(0)
		_, ok := x.SetString(text)
		require.True(t, ok)
		require.Equal(t, want, rounded(x), text)
	}
}

func TestBarePodsKeepTheirNodeUnlessThePolicyGivesThemUp(t *testing.T) {
	owner := newTestPod("owned")
	owner.OwnerReferences[0].Controller = nil
	for _, p := range []*corev1.Pod{newTestPod("alone", bareTestPod), owner} {
		m := newTestMachine("n1", withPods(p))
		c := standing(m)
		c.disrupt(nil)
		require.Equal(t, "UnmovablePod", m.voluntary)
		require.True(t, strings.Contains(m.voluntaryMessage, podKey(p)), m.voluntaryMessage)

		c.policy.EvictBarePods = ptr.To(true)
		c.disrupt(nil)
		require.Empty(t, m.voluntary)
		require.Len(t, c.movable(m), 1, "its node is not empty")
	}
}
