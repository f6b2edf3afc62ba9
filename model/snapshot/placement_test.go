package snapshot

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

var dedicated = corev1.Taint{Key: "dedicated", Value: "db", Effect: corev1.TaintEffectNoSchedule}

func TestSelectors(t *testing.T) {
	t.Parallel()
	const cores, gone = "vendor.example/cores", "vendor.example/gone"
	types := []any{
		sold("m", 4, carrying(cores, "4")),
		sold("l", 8, carrying(cores, "8")),
	}
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		want []string
	}{
		{"a pod that asks for nothing goes anywhere", waits("p", 1), []string{"default/l/z1/on-demand", "default/m/z1/on-demand"}},
		{"a node selector asks for a value", waits("p", 1, selecting(cores, "4")), []string{"default/m/z1/on-demand"}},
		{"In asks for one of several", waits("p", 1, asking(in(cores, "8", "16"))), []string{"default/l/z1/on-demand"}},
		{"NotIn is met by another value", waits("p", 1, asking(corev1.NodeSelectorRequirement{Key: cores, Operator: "NotIn", Values: []string{"8"}})), []string{"default/m/z1/on-demand"}},
		{"NotIn is met by the absence of the label", waits("p", 1, asking(corev1.NodeSelectorRequirement{Key: gone, Operator: "NotIn", Values: []string{"8"}})), []string{"default/l/z1/on-demand", "default/m/z1/on-demand"}},
		{"Exists asks for the label", waits("p", 1, asking(corev1.NodeSelectorRequirement{Key: gone, Operator: "Exists"})), []string{}},
		{"DoesNotExist asks for its absence", waits("p", 1, asking(corev1.NodeSelectorRequirement{Key: cores, Operator: "DoesNotExist"})), []string{}},
		{"Gt is exclusive", waits("p", 1, asking(corev1.NodeSelectorRequirement{Key: cores, Operator: "Gt", Values: []string{"4"}})), []string{"default/l/z1/on-demand"}},
		{"Lt is exclusive", waits("p", 1, asking(corev1.NodeSelectorRequirement{Key: cores, Operator: "Lt", Values: []string{"8"}})), []string{"default/m/z1/on-demand"}},
		{"one of several terms is enough", waits("p", 1, askingEither(
			corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{in(cores, "1")}},
			corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{in(cores, "8")}})), []string{"default/l/z1/on-demand"}},
		{"all requirements of a term must hold", waits("p", 1, asking(in(cores, "8"), in(corev1.LabelTopologyZone, "z2"))), []string{}},
		{"an old label name is known", waits("p", 1, selecting(corev1.LabelInstanceType, "m")), []string{"default/m/z1/on-demand"}},
		{"the old zone label is known", waits("p", 1, selecting(corev1.LabelFailureDomainBetaZone, "z1")), []string{"default/l/z1/on-demand", "default/m/z1/on-demand"}},
		{"no new node has a host's name", waits("p", 1, selecting(corev1.LabelHostname, "n1")), []string{}},
		{"no new node has a node's name", waits("p", 1, askingEither(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{in("metadata.name", "n1")}})), []string{}},
		{"the node pool is a label", waits("p", 1, selecting(karpv1.NodePoolLabelKey, "default")), []string{"default/l/z1/on-demand", "default/m/z1/on-demand"}},
		{"the node class is a label", waits("p", 1, selecting("vendor.example/nodeclass", "standard")), []string{"default/l/z1/on-demand", "default/m/z1/on-demand"}},
		{"a new node will be initialized", waits("p", 1, selecting(karpv1.NodeInitializedLabelKey, "true")), []string{"default/l/z1/on-demand", "default/m/z1/on-demand"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, append([]any{nodePool("default"), test.pod}, types...)...)
			require.Equal(t, test.want, shapesFor(c, "p"))
		})
	}
}

func TestSelectorsOfNodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		want []string
	}{
		{"a pod that asks for nothing goes anywhere", waits("p", 1), []string{"n1", "n2"}},
		{"a host is asked for by name", waits("p", 1, selecting(corev1.LabelHostname, "n2")), []string{"n2"}},
		{"a node is asked for by its field", waits("p", 1, askingEither(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{in("metadata.name", "n1")}})), []string{"n1"}},
		{"a label that the node lacks rules it out", waits("p", 1, selecting("disk", "ssd")), []string{"n1"}},
		{"a node has the labels it has, and no aliases", waits("p", 1, selecting(corev1.LabelInstanceType, "m")), []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, nodePool("default"), sold("m", 4), runs("n1", labeledNode("disk", "ssd")), runs("n2"), test.pod)
			require.Equal(t, test.want, nodesFor(c, "p"))
		})
	}
}

func TestTaints(t *testing.T) {
	t.Parallel()
	size := corev1.Taint{Key: "size", Value: "8", Effect: corev1.TaintEffectNoSchedule}
	for _, test := range []struct {
		name       string
		taint      corev1.Taint
		toleration *corev1.Toleration
		want       bool
	}{
		{"NoSchedule keeps pods off", dedicated, nil, false},
		{"NoExecute keeps pods off", corev1.Taint{Key: "dedicated", Effect: "NoExecute"}, nil, false},
		{"PreferNoSchedule does not", corev1.Taint{Key: "dedicated", Effect: "PreferNoSchedule"}, nil, true},
		{"an equal value is tolerated", dedicated, &corev1.Toleration{Key: "dedicated", Value: "db"}, true},
		{"another value is not", dedicated, &corev1.Toleration{Key: "dedicated", Value: "web"}, false},
		{"Exists tolerates any value", dedicated, &corev1.Toleration{Key: "dedicated", Operator: "Exists"}, true},
		{"an empty key with Exists tolerates all", dedicated, &corev1.Toleration{Operator: "Exists"}, true},
		{"another effect is not tolerated", dedicated, &corev1.Toleration{Key: "dedicated", Operator: "Exists", Effect: "NoExecute"}, false},
		{"Gt compares numbers", size, &corev1.Toleration{Key: "size", Operator: "Gt", Value: "4"}, true},
		{"Lt compares numbers", size, &corev1.Toleration{Key: "size", Operator: "Lt", Value: "4"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := waits("p", 1)
			if test.toleration != nil {
				p.Spec.Tolerations = []corev1.Toleration{*test.toleration}
			}
			c := compileOf(t, nodePool("default", taintedPool(test.taint)), sold("m", 4), runs("n1", taintedNode(test.taint)), p)
			require.Equal(t, test.want, len(shapesFor(c, "p")) == 1, "a new node")
			require.Equal(t, test.want, len(nodesFor(c, "p")) == 1, "a running node")
		})
	}
}

func TestWelcome(t *testing.T) {
	t.Parallel()
	startup := corev1.Taint{Key: "agent-not-ready", Effect: corev1.TaintEffectNoSchedule}
	quiet := v1alpha1.Policy{QuietPeriod: &metav1.Duration{Duration: time.Hour}, QuietScope: v1alpha1.QuietScopeSourceAndDestination}
	for _, test := range []struct {
		name           string
		things         []any
		pending, moved bool
	}{
		{name: "a running node takes all", things: []any{runs("n1")}, pending: true, moved: true},
		{name: "a node of nobody's takes all", things: []any{runs("n1", withoutLabel(karpv1.NodePoolLabelKey))}, pending: true, moved: true},
		{name: "a cordoned node takes none", things: []any{runs("n1", func(n *corev1.Node) { n.Spec.Unschedulable = true })}},
		{name: "a node that is not ready takes none", things: []any{runs("n1", func(n *corev1.Node) { n.Status.Conditions[0].Status = corev1.ConditionUnknown })}},
		{name: "a node being deleted takes none", things: []any{runs("n1", func(n *corev1.Node) { now := ago(0); n.DeletionTimestamp = &now })}},
		{
			name:    "a node on its way takes pods in need, whatever taints will pass",
			things:  []any{runs("n1", withoutLabel(karpv1.NodeInitializedLabelKey), taintedNode(startup, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: "NoSchedule"})), nodePool("default", func(p *karpv1.NodePool) { p.Spec.Template.Spec.StartupTaints = []corev1.Taint{startup} })},
			pending: true,
		},
		{
			name:    "a quiet node takes pods in need where the policy protects destinations",
			things:  []any{runs("n1"), waits("young", 1, on("n1"), func(p *corev1.Pod) { at := ago(time.Minute); p.Status.StartTime = &at }), quiet},
			pending: true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			things := append([]any{sold("m", 4), runs("source"), waits("mover", 1, on("source")), waits("p", 2)}, test.things...)
			if !slices.ContainsFunc(things, isPool) {
				things = append(things, nodePool("default"))
			}
			c := compileOf(t, things...)
			require.Equal(t, test.pending, slices.Contains(nodesFor(c, "p"), "n1"), "pending")
			require.Equal(t, test.moved, slices.Contains(nodesFor(c, "mover"), "n1"), "moved to save money")
		})
	}
}

func TestStartupTaintsCountAgainOnceInitialized(t *testing.T) {
	t.Parallel()
	startup := corev1.Taint{Key: "agent-not-ready", Effect: corev1.TaintEffectNoSchedule}
	pool := nodePool("default", func(p *karpv1.NodePool) { p.Spec.Template.Spec.StartupTaints = []corev1.Taint{startup} })
	c := compileOf(t, pool, sold("m", 4), runs("n1", taintedNode(startup)), waits("p", 1))
	require.Empty(t, nodesFor(c, "p"))
	require.Equal(t, []string{"default/m/z1/on-demand"}, shapesFor(c, "p"), "new nodes lose theirs")
}

func isPool(thing any) bool {
	_, ok := thing.(*karpv1.NodePool)
	return ok
}
