package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func scheduledIs(status corev1.ConditionStatus, reason string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: status, Reason: reason}}
	}
}

func owned(kind string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.OwnerReferences[0].APIVersion, p.OwnerReferences[0].Kind = "apps/v1", kind }
}

func going(p *corev1.Pod) {
	now := ago(0)
	p.DeletionTimestamp = &now
}

func nominatedTo(node string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.NominatedNodeName = node }
}

func TestPendingPods(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		edit    func(*corev1.Pod)
		pending bool
		warning string
	}{
		{"a pod that nobody has looked at", func(*corev1.Pod) {}, true, ""},
		{"one that is unschedulable", scheduledIs("False", "Unschedulable"), true, ""},
		{"not one with another reason", scheduledIs("False", "SchedulerError"), false, "1 pod is left alone: not reported unschedulable (default/p)"},
		{"not one on a node", on("n1"), false, ""},
		{"not one that has ended", func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, false, ""},
		{"not one being deleted", going, false, ""},
		{"not one behind a gate", func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "quota"}} }, false, "1 pod is left alone: behind scheduling gates (default/p)"},
		{"not one of another scheduler", func(p *corev1.Pod) { p.Spec.SchedulerName = "volcano" }, false, "1 pod is left to scheduler volcano (default/p)"},
		{"not one of a DaemonSet", owned("DaemonSet"), false, ""},
		{"not one that a kubelet runs by itself", func(p *corev1.Pod) { p.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"} }, false, ""},
		{"not one promised a node", nominatedTo("n1"), false, ""},
		{"one promised a node that is not there", nominatedTo("gone"), true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, nodePool("default"), sold("m", 4), runs("n1"), waits("p", 1, test.edit))
			require.Equal(t, test.pending, len(c.pending) == 1)
			if test.warning != "" {
				require.Equal(t, []string{test.warning}, c.Warnings)
			}
		})
	}
}

func TestSchedulersOfThePolicy(t *testing.T) {
	t.Parallel()
	c := compileOf(t, v1alpha1.Policy{SchedulerNames: []string{"volcano"}},
		waits("p", 1), waits("q", 1, func(p *corev1.Pod) { p.Spec.SchedulerName = "volcano" }))
	require.Equal(t, []string{"q"}, podNames(c.pending))
}

func TestNominatedPods(t *testing.T) {
	t.Parallel()
	c := compileOf(t, nodePool("default"), sold("m", 4), runs("n1"), waits("p", 1500, nominatedTo("n1")), waits("q", 1))
	require.Len(t, c.nominated, 1)
	require.EqualValues(t, 2500, c.Problem.Nodes[0].Free[0], "its room is taken")
	require.Equal(t, v1alpha1.KeptNominated, c.nodes[0].voluntary, "its node is kept")
	require.Len(t, c.groups, 1)

	c = compileOf(t, nodePool("default"), sold("m", 4), runs("n1"), waits("p", 1500, nominatedTo("n1"), owned("DaemonSet")), waits("q", 1))
	require.EqualValues(t, 2500, c.Problem.Nodes[0].Free[0], "so is that of a daemon")
	require.Empty(t, c.nodes[0].voluntary, "which goes with its node")
	require.Equal(t, []string{"q"}, podNames(c.pending), "and is not ours to place")

	expired := nodeClaim("c", named("n1"), func(c *karpv1.NodeClaim) {
		c.Spec.ExpireAfter = karpv1.MustParseNillableDuration("1h")
		c.CreationTimestamp = ago(48 * time.Hour)
	})
	c = compileOf(t, nodePool("default"), sold("m", 4), runs("n1"), expired, waits("p", 1500, nominatedTo("n1")))
	require.Empty(t, c.nominated, "the promise of a node that goes is worth nothing")
	require.Equal(t, []string{"p"}, podNames(c.pending))
}

func TestRoomOnNodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		pods []any
		want int64 // millicores left of 4000
	}{
		{"an empty node has it all", nil, 4000},
		{"a pod takes its request", []any{waits("a", 1000, on("n1"))}, 3000},
		{"one that has ended takes none", []any{waits("a", 1000, on("n1"), func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed })}, 4000},
		{"one being deleted holds its room", []any{waits("a", 1000, on("n1"), going)}, 3000},
		{"but for one that is promised the node", []any{waits("a", 1000, on("n1"), going), waits("b", 700, nominatedTo("n1"))}, 3000},
		{"which may need more", []any{waits("a", 1000, on("n1"), going), waits("b", 1700, nominatedTo("n1"))}, 2300},
		{"an overfull node has none", []any{waits("a", 5000, on("n1"))}, 0},
		{"a pod of another node takes none", []any{waits("a", 1000, on("n2"))}, 4000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, append(test.pods, nodePool("default"), sold("m", 4), runs("n1"), waits("p", 1))...)
			require.EqualValues(t, test.want, c.Problem.Nodes[0].Free[0])
		})
	}
}

func TestPodsOfNodes(t *testing.T) {
	t.Parallel()
	gone := runs("n1", func(n *corev1.Node) { now := ago(0); n.DeletionTimestamp = &now })
	held := runs("n2", func(n *corev1.Node) { n.Annotations = map[string]string{v1alpha1.AnnotationHold: "true"} })
	c := compileOf(t, nodePool("default"), sold("m", 4), gone, held, runs("n3"),
		waits("a", 100, on("n1")), waits("b", 200, on("n2")), waits("c", 300, on("n3")), waits("d", 300, on("n3")),
		daemonOn("n3", "agent", "50m"))
	require.Equal(t, []string{"a"}, podNames(c.displaced))
	require.Equal(t, []string{"c", "d"}, podNames(c.residents))

	n1, n2, n3 := c.Problem.Nodes[0], c.Problem.Nodes[1], c.Problem.Nodes[2]
	require.True(t, n1.Goes)
	require.Empty(t, n1.Pods, "they are demand already")
	require.Equal(t, 1, c.Problem.Groups[groupFor(c, "a")].Demand)
	require.Equal(t, model.Stays, n2.Voluntary)
	require.Empty(t, n2.Pods, "they never move")
	require.Equal(t, model.Underutilized, n3.Voluntary)
	require.Equal(t, []model.Count{{Group: model.GroupIndex(groupFor(c, "c")), N: 2}}, n3.Pods)
	require.Zero(t, c.Problem.Groups[groupFor(c, "c")].Demand)
	require.Positive(t, n3.Evict)
	require.Zero(t, n1.Evict, "evictions from nodes that go anyway are not charged")
}

func TestDriftedNodesRankByAge(t *testing.T) {
	t.Parallel()
	drifted := func(name string, hours int) []any {
		since := ago(time.Hour)
		claim := nodeClaim("c-"+name, named(name), conditioned("Initialized"), conditioned("Drifted"))
		claim.CreationTimestamp = since
		for i := range claim.Status.Conditions {
			claim.Status.Conditions[i].LastTransitionTime = metav1.NewTime(since.Add(-time.Duration(hours) * time.Hour))
		}
		return []any{runs(name), claim}
	}
	things := append(append(drifted("n1", 1), drifted("n2", 3)...), drifted("n3", 1)...)
	c := compileOf(t, append(things, nodePool("default"), sold("m", 4), runs("n4"))...)
	var got []int
	for i := range c.Problem.Nodes {
		got = append(got, c.Problem.Nodes[i].Drift)
	}
	require.Equal(t, []int{2, 1, 3, 0}, got)
}

func TestPriority(t *testing.T) {
	t.Parallel()
	high := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 1000}
	usual := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "usual"}, Value: 10, GlobalDefault: true}
	for _, test := range []struct {
		name    string
		edit    func(*corev1.Pod)
		classes []any
		want    int32
	}{
		{"none is zero", func(*corev1.Pod) {}, nil, 0},
		{"its own counts", func(p *corev1.Pod) { p.Spec.Priority = ptr.To[int32](5) }, []any{usual}, 5},
		{"its class's does without", func(p *corev1.Pod) { p.Spec.PriorityClassName = "high" }, []any{high, usual}, 1000},
		{"the default class's does without a class", func(*corev1.Pod) {}, []any{high, usual}, 10},
		{"Kubernetes' own classes are known", func(p *corev1.Pod) { p.Spec.PriorityClassName = "system-cluster-critical" }, nil, 2_000_000_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, append(test.classes, waits("p", 1, test.edit))...)
			require.Equal(t, test.want, c.Problem.Groups[0].Priority)
		})
	}
}
