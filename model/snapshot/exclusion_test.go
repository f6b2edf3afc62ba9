package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func TestExclusions(t *testing.T) {
	t.Parallel()
	agent := daemonSet("agent", "100m", func(d *appsv1.DaemonSet) {
		d.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{hostPort80("", "")}
	})
	tolerant := tolerating(corev1.Toleration{Operator: corev1.TolerationOpExists})
	for _, test := range []struct {
		name        string
		edit        func(*corev1.Pod)
		reason      string
		shape, node string // what the messages say; empty where the pod is taken
	}{
		{"a pod that fits", tolerant, "", "", ""},
		{"a selector comes first", selecting("a", "b"), v1alpha1.UnplacedNodeAffinity, "the node selector or required node affinity does not match", "the node selector or required node affinity does not match"},
		{"then taints", func(*corev1.Pod) {}, v1alpha1.UnplacedTaints, "taint dedicated=db:NoSchedule is not tolerated", "taint dedicated=db:NoSchedule is not tolerated"},
		{"then host ports", func(p *corev1.Pod) { tolerant(p); taking(hostPort80("", ""))(p) }, v1alpha1.UnplacedHostPort, "host port 80/TCP is taken by a DaemonSet", "host port 80/TCP is taken"},
		{"then anti-affinity", func(p *corev1.Pod) { tolerant(p); avoiding("there")(p) }, v1alpha1.UnplacedPodAntiAffinity, "", "a pod on it and this one keep apart"},
		{"then room", func(p *corev1.Pod) { tolerant(p); p.Spec.Containers[0] = container("cpu", "4") }, v1alpha1.UnplacedNoInstanceTypeFits, "needs cpu 4, a new node has 3900m", "needs cpu 4, 2900m is left"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tolerantAgent := agent.DeepCopy()
			tolerantAgent.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
			p := waits("p", 1, test.edit)
			c := compileOf(t, nodePool("default", taintedPool(dedicated)), sold("m", 4), tolerantAgent, runs("n1", taintedNode(dedicated)), waits("there", 1000, on("n1")), p)
			at := c.pending[0].pod
			for _, found := range []struct {
				got  *exclusion
				want string
			}{{c.shapeExcludes(at, &c.shapes[0]), test.shape}, {c.machineExcludes(at, c.nodes[0], nil), test.node}} {
				if found.want == "" {
					require.Nil(t, found.got)
				} else {
					require.Equal(t, &exclusion{test.reason, found.want}, found.got)
				}
			}
		})
	}
}

func TestMachinesThatTakeOnlySomePods(t *testing.T) {
	t.Parallel()
	c := compileOf(t, nodePool("default"), sold("m", 4), runs("n1"), nodeClaim("c"), waits("a", 1, on("n1")), waits("p", 1))
	n1, coming := c.machineByName["n1"], c.machineByName["i-c"]
	moved, pending := c.residents[0].pod, c.pending[0].pod
	require.Nil(t, c.machineExcludes(pending, coming, nil))
	require.Equal(t, &exclusion{v1alpha1.UnplacedTaints, "it is on its way, and takes only pods in need of a node"}, c.machineExcludes(moved, coming, n1))
}
