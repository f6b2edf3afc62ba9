package snapshot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// snapshotOf puts instance types, a policy and objects into a snapshot taken at noon.
func snapshotOf(things ...any) *v1alpha1.Snapshot {
	s := &v1alpha1.Snapshot{Time: metav1.NewTime(noon)}
	for _, thing := range things {
		switch thing := thing.(type) {
		case v1alpha1.InstanceType:
			s.InstanceTypes = append(s.InstanceTypes, thing)
		case v1alpha1.Policy:
			s.Policy = thing
		case runtime.Object:
			s.Objects = append(s.Objects, runtime.RawExtension{Object: thing})
		default:
			panic(fmt.Sprintf("%T has no place in a snapshot", thing))
		}
	}
	return s
}

func compileOf(t *testing.T, things ...any) *Compiled {
	t.Helper()
	c, err := Compile(snapshotOf(things...), Options{})
	require.NoError(t, err)
	return c
}

// sold is an amd64 instance type with so many cores, 4 GiB each, sold on demand in z1 for 0.1 USD a core.
func sold(name string, cores int, edits ...func(*v1alpha1.InstanceType)) v1alpha1.InstanceType {
	t := v1alpha1.InstanceType{
		Name:      name,
		Capacity:  amountsOf("cpu", fmt.Sprint(cores), "memory", fmt.Sprintf("%dGi", 4*cores), "pods", "110"),
		Offerings: []v1alpha1.Offering{{Zone: "z1", CapacityType: "on-demand", Price: 0.1 * float64(cores)}},
		Requirements: []corev1.NodeSelectorRequirement{
			in(corev1.LabelArchStable, "amd64"),
			in(corev1.LabelOSStable, "linux"),
		},
	}
	for _, edit := range edits {
		edit(&t)
	}
	return t
}

func offered(offerings ...v1alpha1.Offering) func(*v1alpha1.InstanceType) {
	return func(t *v1alpha1.InstanceType) { t.Offerings = offerings }
}

func carrying(key string, values ...string) func(*v1alpha1.InstanceType) {
	return func(t *v1alpha1.InstanceType) { t.Requirements = append(t.Requirements, in(key, values...)) }
}

func in(key string, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
}

// amountsOf reads pairs of a resource and its quantity.
func amountsOf(pairs ...string) corev1.ResourceList {
	out := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		out[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return out
}

// nodePool sells on demand, and lets everything go.
func nodePool(name string, edits ...func(*karpv1.NodePool)) *karpv1.NodePool {
	p := newTestPool().object
	p.Name = name
	p.Spec.Template.Spec.NodeClassRef = &karpv1.NodeClassReference{Group: "vendor.example", Kind: "NodeClass", Name: "standard"}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func requiring(key string, operator corev1.NodeSelectorOperator, values ...string) func(*karpv1.NodePool) {
	return func(p *karpv1.NodePool) {
		p.Spec.Template.Spec.Requirements = append(p.Spec.Template.Spec.Requirements,
			karpv1.NodeSelectorRequirementWithMinValues{Key: key, Operator: operator, Values: values})
	}
}

func taintedPool(taints ...corev1.Taint) func(*karpv1.NodePool) {
	return func(p *karpv1.NodePool) { p.Spec.Template.Spec.Taints = taints }
}

// waits is a pending pod of a ReplicaSet that asks for so many millicores.
func waits(name string, millicores int, edits ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{"app": name}}}
	controller := true
	p.OwnerReferences = []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "rs", Controller: &controller}}
	p.Spec.Containers = []corev1.Container{{Name: "main"}}
	if millicores > 0 {
		p.Spec.Containers[0].Resources.Requests = amountsOf("cpu", fmt.Sprintf("%dm", millicores))
	}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func on(node string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.NodeName = node
		p.Status.Phase = corev1.PodRunning
	}
}

func selecting(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{key: value} }
}

func asking(requirements ...corev1.NodeSelectorRequirement) func(*corev1.Pod) {
	return askingEither(corev1.NodeSelectorTerm{MatchExpressions: requirements})
}

func askingEither(terms ...corev1.NodeSelectorTerm) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}
	}
}

func tolerating(tolerations ...corev1.Toleration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Tolerations = tolerations }
}

// runs is an initialized node of the default pool, of the type "m" in z1, with 4 cores and 16 GiB.
func runs(name string, edits ...func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: ago(1e9), Labels: map[string]string{
		corev1.LabelHostname:           name,
		corev1.LabelInstanceTypeStable: "m",
		corev1.LabelTopologyZone:       "z1",
		corev1.LabelArchStable:         "amd64",
		corev1.LabelOSStable:           "linux",
		karpv1.CapacityTypeLabelKey:    "on-demand",
		karpv1.NodePoolLabelKey:        "default",
		karpv1.NodeRegisteredLabelKey:  "true",
		karpv1.NodeInitializedLabelKey: "true",
	}}}
	n.Status.Capacity = amountsOf("cpu", "4", "memory", "16Gi", "pods", "110")
	n.Status.Allocatable = n.Status.Capacity.DeepCopy()
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	for _, edit := range edits {
		edit(n)
	}
	return n
}

func labeledNode(key, value string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Labels[key] = value }
}

func withoutLabel(key string) func(*corev1.Node) {
	return func(n *corev1.Node) { delete(n.Labels, key) }
}

func taintedNode(taints ...corev1.Taint) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Spec.Taints = taints }
}

// shapesFor are the names of the shapes that take the pod, resources apart.
func shapesFor(c *Compiled, pod string) []string {
	out := []string{}
	for i := range c.Problem.Groups[groupFor(c, pod)].Shapes.All() {
		out = append(out, c.Problem.Shapes[i].Name)
	}
	return out
}

// nodesFor are the names of the nodes that take the pod, resources apart.
func nodesFor(c *Compiled, pod string) []string {
	out := []string{}
	for i := range c.Problem.Groups[groupFor(c, pod)].Nodes.All() {
		out = append(out, c.Problem.Nodes[i].Name)
	}
	return out
}

// groupFor is the index of the pod's group; it panics if there is none.
func groupFor(c *Compiled, pod string) int {
	for i, g := range c.groups {
		if slices.ContainsFunc(g.pods, func(p *groupPod) bool { return p.pod.Name == pod }) {
			return i
		}
	}
	panic("no group has pod " + pod)
}

func shapeNames(c *Compiled) []string {
	out := []string{}
	for i := range c.Problem.Shapes {
		out = append(out, c.Problem.Shapes[i].Name)
	}
	return out
}

func podNames(pods []*groupPod) []string {
	out := []string{}
	for _, p := range pods {
		out = append(out, p.pod.Name)
	}
	return out
}

// amountOf is the amount of a resource, in base units.
func (c *Compiled) amountOf(q []int64, name string) int64 {
	i, ok := slices.BinarySearch(c.Problem.Resources, name)
	if !ok {
		return -1
	}
	return q[i]
}

func TestCompileIsTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	build := func(shuffle uint64) *Compiled {
		things := []any{
			sold("m", 4), sold("l", 8, carrying("vendor.example/size", "large")),
			nodePool("default", requiring("team", corev1.NodeSelectorOpExists)), nodePool("other", taintedPool(dedicated)),
			runs("n1"), runs("n2", taintedNode(dedicated)), runs("n3", withoutLabel(karpv1.NodePoolLabelKey)),
		}
		for i := range 20 {
			things = append(things,
				waits(fmt.Sprintf("a-%d", i), 100*(i%3+1), selecting("team", fmt.Sprint(i%2))),
				waits(fmt.Sprintf("b-%d", i), 100, on(fmt.Sprintf("n%d", i%3+1)), func(p *corev1.Pod) { p.Spec.Affinity = apartFrom("app", "b-1") }),
			)
		}
		if shuffle > 0 {
			r := rand.New(rand.NewPCG(shuffle, 0))
			r.Shuffle(len(things), func(i, j int) { things[i], things[j] = things[j], things[i] })
		}
		return compileOf(t, things...)
	}
	want := build(0)
	require.NotEmpty(t, want.Problem.Groups)
	for seed := range uint64(20) {
		got := build(seed + 1)
		require.Equal(t, want.Problem, got.Problem, "seed %d", seed)
		require.Equal(t, want.Warnings, got.Warnings, "seed %d", seed)
	}
}

func TestCompileRejectsUnreadableSelectors(t *testing.T) {
	t.Parallel()
	bad := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}
	for field, policy := range map[string]v1alpha1.Policy{
		"policy.nodeFees[0].selector":          {NodeFees: []v1alpha1.SelectorFee{{Selector: bad}}},
		"policy.offeringPenalties[0].selector": {OfferingPenalties: []v1alpha1.SelectorAmount{{Selector: bad}}},
		"policy.startupCosts[0].selector":      {StartupCosts: []v1alpha1.SelectorCost{{Selector: bad}}},
		"policy.manage[0].selector":            {Manage: []v1alpha1.Manage{{Selector: bad}}},
	} {
		_, err := Compile(snapshotOf(policy), Options{})
		require.ErrorContains(t, err, field)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	no, five, third := false, int32(5), 0.3
	r := compileOf(t, v1alpha1.Policy{
		PoolOrder: v1alpha1.PoolOrderWeight, MovePending: &no, SpotFlexibility: &five, SpotDiversity: &third,
		Savings: &v1alpha1.Savings{PerHour: 0.25},
	}).Problem.Rules
	require.True(t, r.PoolWeights)
	require.True(t, r.PendingApart)
	require.Equal(t, 5, r.SpotFlexibility)
	require.EqualValues(t, 300_000, r.SpotDiversity)
	require.EqualValues(t, 250_000_000, r.SavingsOnce)

	r = compileOf(t).Problem.Rules
	require.False(t, r.PoolWeights)
	require.False(t, r.PendingApart)
	require.Zero(t, r.SpotDiversity)
}
