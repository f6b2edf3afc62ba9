package snapshot

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestExplainNode(t *testing.T) {
	b := newBuilt("default")
	m := b.node("n1", "default", 0.2)
	m.zone, m.capacityType, m.labels, m.allocatable = "z1", "spot", map[string]string{corev1.LabelInstanceTypeStable: "t4"}, amounts(4000, 110)
	b.node("held", "default", 0.2).voluntary = v1alpha1.KeptHold
	b.node("dead", "default", 0.2).goes = v1alpha1.RemovalDeleted
	b.Problem.Pools[0].Budget[model.Underutilized] = 1
	b.Problem.Nodes[0].Evict = model.Dollars(0.01)
	b.group("web", 1000, "a@n1", "b@n1")

	e, err := ExplainNode(b.Compiled, "n1")
	require.NoError(t, err)
	require.Equal(t, "2", e.Requests.Cpu().String())
	e.Requests = nil
	price, budget := 0.2, 1
	require.Equal(t, &NodeExplanation{
		Node: "n1", NodeClaim: "default-n1", NodePool: "default", InstanceType: "t4", Zone: "z1", CapacityType: "spot", Initialized: true,
		PricePerHour: &price, Allocatable: m.allocatable, Pods: 2, Movable: []string{"default/a", "default/b"},
		RemovalReason: "Underutilized", Budget: &budget, EvictionPerHour: 0.01,
	}, e)

	e, err = ExplainNode(b.Compiled, "default-held")
	require.NoError(t, err, "a claim's name will do")
	require.Equal(t, &Obstacle{Reason: v1alpha1.KeptHold}, e.KeptBy)
	require.Empty(t, e.RemovalReason)

	b.Problem.Pools[0].Budget[model.Underutilized] = 0
	e, err = ExplainNode(b.Compiled, "n1")
	require.NoError(t, err)
	require.Equal(t, &Obstacle{v1alpha1.KeptBudget, "node pool default: removals as Underutilized that its budgets allow now: 0"}, e.KeptBy)

	e, err = ExplainNode(b.Compiled, "dead")
	require.NoError(t, err)
	require.Equal(t, v1alpha1.RemovalDeleted, e.Goes)
	require.Nil(t, e.KeptBy)

	_, err = ExplainNode(b.Compiled, "missing")
	require.ErrorIs(t, err, ErrNotFound)
	_, err = ExplainNode(b.Compiled, "n")
	require.ErrorIs(t, err, ErrNotFound)
	require.ErrorContains(t, err, "which has n1", "a name may be given short")
}

func TestExplainPod(t *testing.T) {
	c := compiled(t,
		waitingPod("fits", "1", nil),
		waitingPod("elsewhere", "1", map[string]string{corev1.LabelTopologyZone: "z9"}),
	)
	e, err := ExplainPod(c, "default/fits")
	require.NoError(t, err)
	require.Equal(t, []OfferingChoice{{NodePool: "default", InstanceType: "t4", Zone: "z1", CapacityType: "on-demand", PricePerHour: 0.2}}, e.Offerings)
	require.Equal(t, 1, e.OfferingCount)
	require.Equal(t, []string{v1alpha1.UnplacedNoOfferingAvailable, v1alpha1.UnplacedNoInstanceTypeFits}, excludedReasons(e))
	require.Equal(t, "t8", e.ExcludedOfferings[0].Cheapest.InstanceType)
	require.Contains(t, e.ExcludedOfferings[1].Message, "requests cpu 1; the largest allocatable is cpu 500m")

	e, err = ExplainPod(c, "default/elsewhere")
	require.NoError(t, err)
	require.Empty(t, e.Offerings)
	require.Equal(t, []string{v1alpha1.UnplacedNodeAffinity}, excludedReasons(e))
	require.Equal(t, 3, e.ExcludedOfferings[0].Count)
	require.Equal(t, "tiny", e.ExcludedOfferings[0].Cheapest.InstanceType)

	e, err = ExplainPod(compiled(t, waitingPod("huge", "9", nil)), "default/huge")
	require.NoError(t, err)
	require.Contains(t, e.ExcludedOfferings[0].Message, "the largest allocatable is cpu 8", "not the cheapest")

	_, err = ExplainPod(c, "default/missing")
	require.ErrorIs(t, err, ErrNotFound)
}

func TestTheBestCandidateSaysWhyAPodWaits(t *testing.T) {
	tests := []struct {
		name   string
		pod    *corev1.Pod
		reason string
		says   string
	}{
		{"the only type that is large enough is sold out", waitingPod("p", "6", nil), v1alpha1.UnplacedNoOfferingAvailable, "t8 in z1 (on-demand) would do, and is not available now"},
		{"not even what is sold out is large enough", waitingPod("p", "9", nil), v1alpha1.UnplacedNoInstanceTypeFits, "requests cpu 9"},
		{"nothing is sold in the zone", waitingPod("p", "1", map[string]string{corev1.LabelTopologyZone: "z9"}), v1alpha1.UnplacedNodeAffinity, "z9"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := compiled(t, test.pod)
			p := Assemble(c, &model.Solution{Unplaced: []int{1}})
			require.Len(t, p.Unplaced, 1)
			require.Equal(t, test.reason, p.Unplaced[0].Reason)
			require.Contains(t, p.Unplaced[0].Message, test.says)
		})
	}
}

func TestAMachineWithoutWhatAPodAsksForIsNoCandidate(t *testing.T) {
	gpu := corev1.ResourceName("nvidia.com/gpu")
	withGPU := sold("g", 4, func(i *v1alpha1.InstanceType) { i.Capacity[gpu] = resource.MustParse("1") })
	taint := corev1.Taint{Key: "nvidia.com/gpu", Effect: corev1.TaintEffectNoSchedule}
	pools := []any{
		nodePool("general", requiring(corev1.LabelInstanceTypeStable, "In", "m")),
		nodePool("gpu", requiring(corev1.LabelInstanceTypeStable, "In", "g"), taintedPool(taint)),
	}
	asksGPU := func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests[gpu] = resource.MustParse("1") }
	for _, test := range []struct {
		name, reason, says string
		things             []any
	}{
		{
			"a taint that the pod does not tolerate", v1alpha1.UnplacedTaints, "taint nvidia.com/gpu",
			[]any{withGPU, waits("p", 1000, asksGPU)},
		},
		{
			"a label that no machine with a GPU has", v1alpha1.UnplacedNodeAffinity, "no instance type or node with nvidia.com/gpu has the labels that it asks for: karpenter.sh/nodepool=general",
			[]any{withGPU, waits("p", 1000, asksGPU, selecting(karpv1.NodePoolLabelKey, "general"))},
		},
		{
			"that nobody sells one", v1alpha1.UnplacedNoInstanceTypeFits, "the largest allocatable is cpu 4, nvidia.com/gpu 0",
			[]any{sold("g", 4), waits("p", 1000, asksGPU)},
		},
		{
			"that nobody sells one, though a node has room", v1alpha1.UnplacedNoInstanceTypeFits, "nvidia.com/gpu 0",
			[]any{sold("g", 4), runs("n1"), waits("p", 1000, asksGPU)},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compileOf(t, append(append(test.things, sold("m", 4)), pools...)...)
			p := Assemble(c, &model.Solution{Unplaced: []int{1}, Nodes: make([]model.Fate, len(c.nodes))})
			require.Len(t, p.Unplaced, 1)
			require.Equal(t, test.reason, p.Unplaced[0].Reason)
			require.Contains(t, p.Unplaced[0].Message, test.says)
		})
	}
}

func excludedReasons(e *PodExplanation) []string {
	var out []string
	for _, x := range e.ExcludedOfferings {
		out = append(out, x.Reason)
	}
	return out
}

// compiled is a cluster of nothing but pending pods; t4 is for sale, t8 is not now, tiny holds hardly anything.
func compiled(t *testing.T, pods ...*corev1.Pod) *Compiled {
	t.Helper()
	no := false
	kind := func(name, cpu string, price float64, available *bool) v1alpha1.InstanceType {
		return v1alpha1.InstanceType{
			Name: name,
			Requirements: []corev1.NodeSelectorRequirement{
				{Key: corev1.LabelArchStable, Operator: corev1.NodeSelectorOpIn, Values: []string{"amd64"}},
				{Key: corev1.LabelOSStable, Operator: corev1.NodeSelectorOpIn, Values: []string{"linux"}},
			},
			Capacity: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse("8Gi"), corev1.ResourcePods: resource.MustParse("110"),
			},
			Offerings: []v1alpha1.Offering{{Zone: "z1", CapacityType: "on-demand", Price: price, Available: available}},
		}
	}
	s := &v1alpha1.Snapshot{
		Time:          metav1.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC),
		InstanceTypes: []v1alpha1.InstanceType{kind("t4", "4", 0.2, nil), kind("t8", "8", 0.4, &no), kind("tiny", "500m", 0.05, nil)},
	}
	for _, p := range pods {
		s.Objects = append(s.Objects, runtime.RawExtension{Object: p.DeepCopy()})
	}
	c, err := Compile(s, Options{})
	require.NoError(t, err)
	return c
}

func waitingPod(name, cpu string, selector map[string]string) *corev1.Pod {
	return &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec: corev1.PodSpec{
			SchedulerName: corev1.DefaultSchedulerName,
			NodeSelector:  selector,
			Containers: []corev1.Container{{
				Name: "main", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}},
			}},
		},
	}
}
