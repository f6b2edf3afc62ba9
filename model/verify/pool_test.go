package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// unpooled is two nodes of no pool, and a plan that removes the first.
func unpooled() (*cluster, *plan) {
	c := newCluster()
	c.sell("s", "4", "16Gi", 0.2)
	c.runUnmanaged("n1", "s", newPod("a-1", "1", "1Gi"))
	c.runUnmanaged("n2", "s")
	p := newPlan()
	p.remove("n1", "default", v1alpha1.RemovalUnderutilized, 0.2, 1, toNode("a-1", "n2")).NodeClaim = ""
	p.keep(v1alpha1.KeptOptimal, "n2")
	p.Steps = []v1alpha1.Step{{Step: 1, Remove: []string{"n1"}}}
	p.cost(0.4, 0.2, 0.01/24, 0, 0)
	return c, p
}

func TestWhoManagesANode(t *testing.T) {
	t.Parallel()
	everything := &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelArchStable: "amd64"}}
	for _, tt := range []struct {
		name   string
		change func(c *cluster)
		want   []string
	}{
		{"the implied pool has all priced workers", func(*cluster) {}, nil},
		{"but not the control plane", func(c *cluster) {
			c.nodes["n1"].Labels["node-role.kubernetes.io/control-plane"] = ""
		}, []string{verify.RuleNotManaged}},
		{"which may say so by a taint", func(c *cluster) {
			c.nodes["n1"].Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/master", Effect: corev1.TaintEffectNoSchedule}}
		}, []string{verify.RuleNotManaged}},
		{"a pool has none that does not name it", func(c *cluster) { c.offerPool("default") }, []string{verify.RuleNotManaged}},
		{"a pool that stands for the implied one has all", func(c *cluster) {
			c.offerPool("default").Annotations = map[string]string{v1alpha1.AnnotationImplied: "true"}
		}, nil},
		{"the policy adopts some", func(c *cluster) {
			c.offerPool("default")
			c.Policy.Manage = []v1alpha1.Manage{{Selector: everything, NodePool: "default"}}
		}, nil},
		{"the policy adopts none into a pool that is not there", func(c *cluster) {
			c.offerPool("default")
			c.Policy.Manage = []v1alpha1.Manage{{Selector: everything, NodePool: "other"}, {NodePool: "default"}}
		}, []string{verify.RuleNotManaged}},
	} {
		c, p := unpooled()
		tt.change(c)
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)
	}
}

// TestImpliedPool: without a NodePool, Linux on amd64 on demand is for sale, and a tenth of the nodes may go.
func TestImpliedPool(t *testing.T) {
	t.Parallel()
	withoutPools := func(c *cluster) {
		for i := range c.Objects {
			if _, is := c.Objects[i].Object.(*karpv1.NodePool); is {
				c.Objects[i] = runtime.RawExtension{}
			}
		}
	}
	c, p := purchase()
	withoutPools(c)
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan))

	p.Launches[0].CapacityType, p.Launches[0].PricePerHour = "spot", 0.05
	p.cost(0, 0.05, 0, 0, 0)
	require.Equal(t, []string{verify.RuleOffering}, rulesOf(c, p))

	c, p = purchase()
	withoutPools(c)
	c.InstanceTypes[0].Requirements[0].Values = []string{"arm64"}
	require.Equal(t, []string{verify.RuleOffering}, rulesOf(c, p))

	c, p = unpooled()
	c.pods["a-1"].Status.Phase = corev1.PodSucceeded
	p.Removals = nil
	p.remove("n1", "default", v1alpha1.RemovalEmpty, 0.2, 1).NodeClaim = ""
	p.remove("n2", "default", v1alpha1.RemovalEmpty, 0.2, 1).NodeClaim = ""
	p.Kept, p.Steps[0].Remove = nil, []string{"n1", "n2"}
	p.cost(0.4, 0, 0, 0, 0)
	require.Equal(t, []string{verify.RuleBudget}, rulesOf(c, p))
}

// TestCapacityTypesOfOthers: a spot node of another autoscaler costs what spot costs.
func TestCapacityTypesOfOthers(t *testing.T) {
	t.Parallel()
	for key, value := range map[string]string{
		"eks.amazonaws.com/capacityType":        "SPOT",
		"cloud.google.com/gke-provisioning":     "spot",
		"cloud.google.com/gke-spot":             "true",
		"cloud.google.com/gke-preemptible":      "true",
		"kubernetes.azure.com/scalesetpriority": "spot",
	} {
		c, p := unpooled()
		c.nodes["n1"].Labels[key] = value
		p.Removals[0].PricePerHour = 0.05
		p.cost(0.25, 0.2, 0.01/24, 0, 0)
		require.Empty(t, verify.Plan(c.Snapshot, p.Plan), key)
	}
}

// TestLiveNodesTeach: a node that reports less than the catalog counts for new ones of its pool, type and class.
func TestLiveNodesTeach(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(c *cluster)
		want   []string
	}{
		{"it reports as much", func(*cluster) {}, nil},
		{"it reports less", func(c *cluster) { c.nodes["n1"].Status.Allocatable = room("500m", "16Gi") }, []string{verify.RuleResources}},
		{"it is of another class", func(c *cluster) {
			c.nodes["n1"].Status.Allocatable = room("500m", "16Gi")
			c.claims["claim-n1"].Spec.NodeClassRef.Name = "old"
		}, nil},
		{"it is of another pool", func(c *cluster) {
			c.nodes["n1"].Status.Allocatable = room("500m", "16Gi")
			c.offerPool("other")
			c.nodes["n1"].Labels[karpv1.NodePoolLabelKey] = "other"
		}, nil},
		{"it says nothing of what is asked", func(c *cluster) {
			delete(c.nodes["n1"].Status.Allocatable, corev1.ResourceCPU)
		}, nil},
		{"it has less of what is not learned", func(c *cluster) {
			c.nodes["n1"].Status.Allocatable["example.com/gpu"] = resource.MustParse("0")
		}, nil},
	} {
		c, p := purchase()
		c.run("n1", "s", "default")
		p.keep(v1alpha1.KeptBudget, "n1")
		p.cost(0.2, 0.4, 0, 0, 0)
		tt.change(c)
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)
	}
}

// TestTaintsOfNodesOnTheirWay: those that go before a node is initialized do not count.
func TestTaintsOfNodesOnTheirWay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		taint corev1.Taint
		want  []string
	}{
		{"a startup taint", corev1.Taint{Key: "starting", Effect: corev1.TaintEffectNoSchedule}, nil},
		{"not ready", corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}, nil},
		{"not registered", corev1.Taint{Key: karpv1.UnregisteredTaintKey, Effect: corev1.TaintEffectNoExecute}, nil},
		{"readiness", corev1.Taint{Key: "readiness.k8s.io/cni", Effect: corev1.TaintEffectNoSchedule}, nil},
		{"one that stays", corev1.Taint{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}, []string{verify.RuleTaints}},
		{"one that is only preferred", corev1.Taint{Key: "dedicated", Effect: corev1.TaintEffectPreferNoSchedule}, nil},
	} {
		c, p := purchase()
		n := c.run("n1", "s", "default")
		delete(n.Labels, karpv1.NodeInitializedLabelKey)
		n.Spec.Taints = []corev1.Taint{tt.taint}
		c.claims["claim-n1"].Status.Conditions = nil
		c.claims["claim-n1"].Spec.StartupTaints = []corev1.Taint{{Key: "starting", Effect: corev1.TaintEffectNoSchedule}}
		p.Launches, p.Steps = nil, nil
		p.Placements = []v1alpha1.Destination{toNode("p-1", "n1")}
		p.keep(v1alpha1.KeptNotInitialized, "n1")
		p.cost(0.2, 0.2, 0, 0, 0)
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)
		p.Placements[0] = toClaim("p-1", "claim-n1")
		require.Equal(t, tt.want, rulesOf(c, p), tt.name+", named by its claim")
	}
}

// TestRoomOfNodesOnTheirWay: a pod of one core goes to a machine that is not there yet.
func TestRoomOfNodesOnTheirWay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		typed, reported string // cpu by the catalog, and by the claim
		want            []string
	}{
		{"the type has it", "4", "", nil},
		{"the type has it not", "500m", "", []string{verify.RuleResources}},
		{"the claim has it not", "4", "500m", []string{verify.RuleResources}},
		{"the claim alone has it", "500m", "4", nil},
	} {
		c, p := purchase()
		c.InstanceTypes[0].Capacity = room(tt.typed, "16Gi")
		way := c.claim("way", "s", "default")
		if tt.reported != "" {
			way.Status.Allocatable = room(tt.reported, "16Gi")
		}
		p.Launches, p.Steps = nil, nil
		p.Placements = []v1alpha1.Destination{toClaim("p-1", "way")}
		p.keep(v1alpha1.KeptNotInitialized, "way")
		p.cost(0.2, 0.2, 0, 0, 0)
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)
	}
}
