package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// TestPriorityOfWaitingPods: a pod that admission has still to see has the priority of its class.
func TestPriorityOfWaitingPods(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		class string
		own   *int32
		want  string
	}{
		{"", nil, "3"},
		{"high", nil, "1000"},
		{"high", ptr.To[int32](7), "7"},
		{"missing", nil, "0"},
		{"system-cluster-critical", nil, "2000000000"},
		{"system-node-critical", nil, "2000001000"},
	} {
		c, p := purchase()
		c.add(&schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 1000},
			&schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "usual"}, Value: 3, GlobalDefault: true})
		c.pods["p-1"].Spec.PriorityClassName, c.pods["p-1"].Spec.Priority = tt.class, tt.own
		p.Launches, p.Placements, p.Steps = nil, nil, nil
		p.Unplaced = []v1alpha1.Unplaced{{Pods: []string{"default/p-1"}, Reason: v1alpha1.UnplacedTimeLimit}}
		p.Placement.UnplacedByPriority = map[string]int{tt.want: 1}
		p.cost(0, 0, 0, 0, 0)
		require.Empty(t, verify.Plan(c.Snapshot, p.Plan), "class %q", tt.class)
	}
}

func TestOverheadOfRuntimeClasses(t *testing.T) {
	t.Parallel()
	c, p := purchase()
	c.add(&nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "sandbox"}, Overhead: &nodev1.Overhead{PodFixed: quantities("4", "1Gi")}})
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan))
	c.pods["p-1"].Spec.RuntimeClassName = ptr.To("sandbox")
	require.Equal(t, []string{verify.RuleResources}, rulesOf(c, p))
}

// TestStatedResources: a launch states its allocatable, and the requests of its pods and daemons.
func TestStatedResources(t *testing.T) {
	t.Parallel()
	c, p := purchase()
	c.daemonSet("agent", "100m", "1Gi")
	l := &p.Launches[0]
	l.Allocatable, l.Requests = room("4", "16Gi"), quantities("1100m", "2Gi")
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan))
	l.Requests = quantities("1", "1Gi")
	require.Equal(t, []string{verify.RuleLaunch}, rulesOf(c, p))
	l.Requests = nil
	l.Allocatable = room("8", "16Gi")
	require.Equal(t, []string{verify.RuleLaunch}, rulesOf(c, p))
}

// TestDaemonsOfNodesOnTheirWay: a daemon that runs already is not expected again.
func TestDaemonsOfNodesOnTheirWay(t *testing.T) {
	t.Parallel()
	for _, running := range []bool{false, true} {
		c, p := purchase()
		c.daemonSet("agent", "2", "1Gi")
		n := c.run("n1", "s", "default")
		delete(n.Labels, karpv1.NodeInitializedLabelKey)
		c.claims["claim-n1"].Status.Conditions = nil
		if running {
			d := newPod("agent-x", "2", "1Gi")
			d.Namespace, d.Spec.NodeName = "kube-system", "n1"
			d.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: "agent", Controller: ptr.To(true)}}
			c.add(d)
		}
		c.pods["p-1"].Spec.Containers[0].Resources.Requests = quantities("2", "1Gi")
		p.Launches, p.Steps = nil, nil
		p.Placements = []v1alpha1.Destination{toNode("p-1", "n1")}
		p.keep(v1alpha1.KeptNotInitialized, "n1")
		p.cost(0.2, 0.2, 0, 0, 0)
		require.Empty(t, verify.Plan(c.Snapshot, p.Plan), "running: %t", running)
		c.pods["p-1"].Spec.Containers[0].Resources.Requests = quantities("2001m", "1Gi")
		require.Equal(t, []string{verify.RuleResources}, rulesOf(c, p), "running: %t", running)
	}
}

// TestSidecarPorts: a sidecar's host port counts, an init container's does not; nor does a port of the pod's network.
func TestSidecarPorts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(s *corev1.PodSpec)
		want   []string
	}{
		{"an init container", func(s *corev1.PodSpec) { s.InitContainers = []corev1.Container{{Ports: hostPort(80, "")}} }, nil},
		{"a sidecar", func(s *corev1.PodSpec) {
			s.InitContainers = []corev1.Container{{Ports: hostPort(80, ""), RestartPolicy: ptr.To(corev1.ContainerRestartPolicyAlways)}}
		}, []string{verify.RuleHostPort}},
		{"a port of the pod", func(s *corev1.PodSpec) { s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}} }, nil},
		{"a port of a pod on the node's network", func(s *corev1.PodSpec) {
			s.HostNetwork = true
			s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}}
		}, []string{verify.RuleHostPort}},
		{"another protocol", func(s *corev1.PodSpec) {
			s.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, Protocol: corev1.ProtocolUDP}}
		}, nil},
		{"another port", func(s *corev1.PodSpec) { s.Containers[0].Ports = hostPort(81, "") }, nil},
	} {
		c, p := purchase()
		c.daemonSet("proxy", "1m", "1Mi").Spec.Template.Spec.Containers[0].Ports = hostPort(80, "")
		tt.change(&c.pods["p-1"].Spec)
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)
	}
}
