package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

func daemonSet(name, cpu string, edits ...func(*appsv1.DaemonSet)) *appsv1.DaemonSet {
	d := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	d.Spec.Template.Spec.Containers = []corev1.Container{container()}
	if cpu != "" {
		d.Spec.Template.Spec.Containers[0] = container("cpu", cpu)
	}
	for _, edit := range edits {
		edit(d)
	}
	return d
}

// daemonOn is a pod of the DaemonSet on the node.
func daemonOn(node, set, cpu string, edits ...func(*corev1.Pod)) *corev1.Pod {
	p := waits(set+"-"+node, 0, on(node))
	owned("DaemonSet")(p)
	p.OwnerReferences[0].Name = set
	p.Spec.Containers[0] = container("cpu", cpu)
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func TestDaemonOverhead(t *testing.T) {
	t.Parallel()
	selects := func(key, value string) func(*appsv1.DaemonSet) {
		return func(d *appsv1.DaemonSet) { d.Spec.Template.Spec.NodeSelector = map[string]string{key: value} }
	}
	tolerates := func(d *appsv1.DaemonSet) {
		d.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	}
	soft := corev1.Taint{Key: "soft", Effect: corev1.TaintEffectPreferNoSchedule}
	for _, test := range []struct {
		name     string
		things   []any
		want     int64 // millicores left of 4000
		wantPods int64 // slots left of 110
	}{
		{"no daemon takes nothing", nil, 4000, 110},
		{"a daemon takes its request and a slot", []any{daemonSet("a", "100m")}, 3900, 109},
		{"daemons add up", []any{daemonSet("a", "100m"), daemonSet("b", "1")}, 2900, 108},
		{"one that selects the node counts", []any{daemonSet("a", "100m", selects(corev1.LabelOSStable, "linux"))}, 3900, 109},
		{"one that selects initialized nodes counts", []any{daemonSet("a", "100m", selects(karpv1.NodeInitializedLabelKey, "true"))}, 3900, 109},
		{"one that selects other nodes does not", []any{daemonSet("a", "100m", selects(corev1.LabelOSStable, "windows"))}, 4000, 110},
		{"one that does not tolerate a taint does not", []any{daemonSet("a", "100m"), nodePool("default", taintedPool(dedicated))}, 4000, 110},
		{"one that tolerates it does", []any{daemonSet("a", "100m", tolerates), nodePool("default", taintedPool(dedicated))}, 3900, 109},
		{"a soft taint keeps none away", []any{daemonSet("a", "100m"), nodePool("default", taintedPool(soft))}, 3900, 109},
		{"startup taints keep none away", []any{daemonSet("a", "100m"), nodePool("default", func(p *karpv1.NodePool) { p.Spec.Template.Spec.StartupTaints = []corev1.Taint{dedicated} })}, 3900, 109},
		{"one being deleted does not count", []any{daemonSet("a", "100m", func(d *appsv1.DaemonSet) { now := ago(0); d.DeletionTimestamp = &now })}, 4000, 110},
		{
			"a limit range gives it its request",
			[]any{daemonSet("a", ""), limitRange("l", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: amountsOf("cpu", "200m")})},
			3800, 109,
		},
		{"a running pod that has more is believed", []any{daemonSet("a", "100m"), runs("n1"), daemonOn("n1", "a", "300m")}, 3700, 109},
		{"a daemon larger than the node leaves nothing", []any{daemonSet("a", "5")}, 0, 109},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			things := append([]any{sold("m", 4), waits("p", 1)}, test.things...)
			if len(test.things) < 2 || !isPool(test.things[1]) {
				things = append(things, nodePool("default"))
			}
			s := compileOf(t, things...).Problem
			require.Equal(t, []string{"cpu", "pods"}, s.Resources)
			require.EqualValues(t, []int64{test.want, test.wantPods}, s.Shapes[0].Allocatable)
		})
	}
}

func TestDaemonsDifferByType(t *testing.T) {
	t.Parallel()
	gpu := daemonSet("gpu", "1", func(d *appsv1.DaemonSet) { d.Spec.Template.Spec.NodeSelector = map[string]string{"gpu": "true"} })
	c := compileOf(t, nodePool("default"), sold("g", 4, carrying("gpu", "true")), sold("m", 4), gpu, waits("p", 1))
	require.EqualValues(t, 3000, c.Problem.Shapes[0].Allocatable[0])
	require.EqualValues(t, 4000, c.Problem.Shapes[1].Allocatable[0])
}

func TestDaemonsOfRunningNodes(t *testing.T) {
	t.Parallel()
	cordoned := func(n *corev1.Node) {
		n.Spec.Unschedulable = true
		n.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}}
	}
	coming := func(cpu string, edits ...func(*corev1.Pod)) *corev1.Pod {
		p := daemonOn("", "a", cpu, append(edits, nominatedTo("n1"))...)
		p.Status.Phase = corev1.PodPending
		return p
	}
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		node *corev1.Node
		want int64 // millicores left of 4000
	}{
		{"a daemon that runs is counted once", daemonOn("n1", "a", "100m"), runs("n1"), 3900},
		{"one that does not yet is counted, too", nil, runs("n1"), 3900},
		{"one that has ended will come again", daemonOn("n1", "a", "100m", func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }), runs("n1"), 3900},
		{"one being replaced holds its room", daemonOn("n1", "a", "100m", func(p *corev1.Pod) { now := ago(0); p.DeletionTimestamp = &now }), runs("n1"), 3900},
		{"it comes to a cordoned node", nil, runs("n1", cordoned), 3900},
		{"it does not come to a tainted one", nil, runs("n1", taintedNode(dedicated)), 4000},
		{"one that is promised the node is counted once", coming("300m"), runs("n1"), 3700},
		{"one that another scheduler looks after is not", coming("300m", func(p *corev1.Pod) { p.Spec.SchedulerName = "volcano" }), runs("n1"), 3900},
		{"it comes to a node on its way", nil, runs("n1", withoutLabel(karpv1.NodeInitializedLabelKey)), 3900},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			things := []any{nodePool("default"), sold("m", 4), test.node, daemonSet("a", "100m"), waits("p", 1)}
			if test.pod != nil {
				things = append(things, test.pod)
			}
			c := compileOf(t, things...)
			require.EqualValues(t, test.want, c.Problem.Nodes[0].Free[0])
		})
	}
}

func TestDaemonThatCannotBeReadIsSaid(t *testing.T) {
	t.Parallel()
	d := daemonSet("a", "1", func(d *appsv1.DaemonSet) {
		d.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "x", Operator: "Exist"}}
	})
	c := compileOf(t, nodePool("default"), sold("m", 4), d)
	require.Equal(t, []string{`DaemonSet default/a is not counted on new nodes: spec.tolerations[0].operator: unknown operator "Exist"`}, c.Warnings)
}

func TestOnlyKubernetesDaemonSetsStayWithTheirNodes(t *testing.T) {
	t.Parallel()
	owned := func(apiVersion string) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.OwnerReferences[0].APIVersion, p.OwnerReferences[0].Kind = apiVersion, "DaemonSet"
		}
	}
	c := compileOf(t, nodePool("default"), sold("m", 4), runs("n1"),
		waits("a", 1000, on("n1"), owned("apps/v1")), waits("b", 1000, on("n1"), owned("apps.kruise.io/v1alpha1")))
	e, err := ExplainNode(c, "n1")
	require.NoError(t, err)
	require.Equal(t, []string{"default/b"}, e.Movable)
	_, ok := daemonOf(c.podNamed("default/b"))
	require.False(t, ok)
}
