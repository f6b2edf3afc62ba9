package snapshot

import (
	"testing"

	"github.com/awslabs/operatorpkg/status"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// nodeClaim is launched for the default pool as an "m" in z1, and has no node yet.
func nodeClaim(name string, edits ...func(*karpv1.NodeClaim)) *karpv1.NodeClaim {
	claim := &karpv1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: ago(1e9), Labels: map[string]string{
		karpv1.NodePoolLabelKey:        "default",
		corev1.LabelInstanceTypeStable: "m",
		corev1.LabelTopologyZone:       "z1",
		karpv1.CapacityTypeLabelKey:    "on-demand",
	}}}
	claim.Status.ProviderID = "vendor:///z1/i-" + name
	for _, edit := range edits {
		edit(claim)
	}
	return claim
}

func conditioned(name string) func(*karpv1.NodeClaim) {
	return func(c *karpv1.NodeClaim) {
		c.Status.Conditions = append(c.Status.Conditions, status.Condition{Type: name, Status: metav1.ConditionTrue})
	}
}

func named(node string) func(*karpv1.NodeClaim) {
	return func(c *karpv1.NodeClaim) { c.Status.NodeName = node }
}

func machineNames(c *Compiled) []string {
	var out []string
	for _, m := range c.nodes {
		out = append(out, m.String())
	}
	return out
}

func TestNodesAndClaimsAreMerged(t *testing.T) {
	t.Parallel()
	provided := func(n *corev1.Node) { n.Spec.ProviderID = "vendor:///z1/i-c" }
	for _, test := range []struct {
		name   string
		things []any
		want   []string
	}{
		{"a node alone is a machine", []any{runs("n1")}, []string{"node n1"}},
		{"a claim alone is one", []any{nodeClaim("c")}, []string{"NodeClaim c"}},
		{"a claim belongs to the node it names", []any{nodeClaim("c", named("n1")), runs("n1")}, []string{"node n1"}},
		{"or to that with its provider ID", []any{nodeClaim("c"), runs("n1", provided)}, []string{"node n1"}},
		{"another stands alone", []any{nodeClaim("c"), runs("n1")}, []string{"NodeClaim c", "node n1"}},
		{"a node has one claim", []any{nodeClaim("c", named("n1")), nodeClaim("d", named("n1")), runs("n1")}, []string{"NodeClaim d", "node n1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, machineNames(compileOf(t, append(test.things, nodePool("default"), sold("m", 4))...)))
		})
	}
}

func TestMachinesNeverShareAName(t *testing.T) {
	t.Parallel()
	provided := func(id string) func(*karpv1.NodeClaim) {
		return func(c *karpv1.NodeClaim) { c.Status.ProviderID = id }
	}
	c := compileOf(t, sold("m", 4), runs("n1"), nodeClaim("c1", named("n1")), nodeClaim("c2", named("n1"), provided("example://z1/n1")),
		nodeClaim("c3", provided("example://z1/i-3")), nodeClaim("c4", provided("example://z2/i-3")))
	var names []string
	for i := range c.Problem.Nodes {
		names = append(names, c.Problem.Nodes[i].Name)
	}
	require.Equal(t, []string{"i-3", "n1", "nodeclaim/c2", "nodeclaim/c4"}, names)
}

func TestLimitsCountWhatANodeDoesNotSayOfItsCapacity(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		node *corev1.Node
		want int64
	}{
		"its own word":      {runs("n1", func(n *corev1.Node) { n.Status.Capacity = amountsOf("cpu", "5") }), 5000},
		"that of its claim": {runs("claimed", func(n *corev1.Node) { n.Status.Capacity = nil }), 6000},
		"that of its type":  {runs("n1", func(n *corev1.Node) { n.Status.Capacity = nil }), 4000},
		"what pods can have, if all else fails": {runs("n1", labeledNode(corev1.LabelInstanceTypeStable, "gone"), func(n *corev1.Node) {
			n.Status.Capacity, n.Status.Allocatable = nil, amountsOf("cpu", "3")
		}), 3000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := nodePool("default", func(p *karpv1.NodePool) { p.Spec.Limits = karpv1.Limits(amountsOf("cpu", "100")) })
			claim := nodeClaim("c1", named("claimed"), func(c *karpv1.NodeClaim) { c.Status.Capacity = amountsOf("cpu", "6") })
			c := compileOf(t, pool, sold("m", 4), test.node, claim)
			require.Equal(t, test.want, c.amountOf(c.Problem.Nodes[c.machineByName[test.node.Name].index].Capacity, "cpu"))
		})
	}
}

func TestMachinesOnTheirWay(t *testing.T) {
	t.Parallel()
	registered := withoutLabel(karpv1.NodeInitializedLabelKey)
	unregistered := func(n *corev1.Node) { n.Labels = map[string]string{corev1.LabelHostname: "n1"} }
	bare := func(n *corev1.Node) { n.Status.Allocatable, n.Status.Capacity = nil, nil }
	for _, test := range []struct {
		name        string
		things      []any
		initialized bool
		want        int64 // millicores
	}{
		{"an initialized node has what it says", []any{runs("n1", having("cpu", "3"))}, true, 3000},
		{"and nothing where it says so", []any{runs("n1", having("cpu", "0"))}, true, 0},
		{"a node that is not has what it says", []any{runs("n1", registered, having("cpu", "3"))}, false, 3000},
		{"what it does not say is its claim's word", []any{runs("n1", registered, having("cpu", "0")), nodeClaim("c", named("n1"), allocatableIs("cpu", "3500m"))}, false, 3500},
		{"or its type's", []any{runs("n1", registered, bare), nodeClaim("c", named("n1"))}, false, 4000},
		{"a claim without a node has its own word", []any{nodeClaim("c", allocatableIs("cpu", "3500m"))}, false, 3500},
		{"or its type's", []any{nodeClaim("c")}, false, 4000},
		{"or what it asks for, if its type is unknown", []any{nodeClaim("c", func(c *karpv1.NodeClaim) {
			delete(c.Labels, corev1.LabelInstanceTypeStable)
			c.Spec.Resources.Requests = amountsOf("cpu", "2")
		})}, false, 2000},
		{"a claim's condition makes a node initialized", []any{runs("n1", registered), nodeClaim("c", named("n1"), conditioned("Initialized"))}, true, 4000},
		{"before registration the claim speaks for the node", []any{runs("n1", unregistered, bare), nodeClaim("c", named("n1"))}, false, 4000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, append(test.things, nodePool("default"), sold("m", 4), waits("p", 1))...)
			require.Len(t, c.nodes, 1)
			require.Equal(t, test.initialized, c.nodes[0].initialized)
			require.EqualValues(t, test.want, c.Problem.Nodes[0].Free[0])
			require.Equal(t, c.pools[0], c.nodes[0].pool)
			if !test.initialized {
				require.Equal(t, model.Stays, c.Problem.Nodes[0].Voluntary, "machines on their way stay")
			}
		})
	}
}

func allocatableIs(pairs ...string) func(*karpv1.NodeClaim) {
	return func(c *karpv1.NodeClaim) { c.Status.Allocatable = amountsOf(pairs...) }
}

func TestLabelsAndTaintsBeforeRegistration(t *testing.T) {
	t.Parallel()
	c := compileOf(t, nodePool("default"), sold("m", 4), waits("p", 1, selecting("team", "a")), waits("q", 2),
		nodeClaim("c", func(c *karpv1.NodeClaim) {
			c.Labels["team"] = "a"
			c.Spec.Taints = []corev1.Taint{dedicated}
			c.Spec.StartupTaints = []corev1.Taint{{Key: "agent", Effect: corev1.TaintEffectNoSchedule}}
		}),
		waits("r", 3, tolerating(corev1.Toleration{Operator: corev1.TolerationOpExists}), selecting("team", "a")))
	require.Empty(t, nodesFor(c, "p"), "the claim's taint is not tolerated")
	require.Empty(t, nodesFor(c, "q"))
	require.Equal(t, []string{"i-c"}, nodesFor(c, "r"))
}

// tenancies are two offerings of the same zone and capacity type.
var tenancies = offered(
	v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand", Price: 0.1, Requirements: []corev1.NodeSelectorRequirement{in("tenancy", "shared")}},
	v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand", Price: 0.9, Requirements: []corev1.NodeSelectorRequirement{in("tenancy", "own")}},
)

func TestLabelsOnTheWay(t *testing.T) {
	t.Parallel()
	const gpu = "vendor.example/gpu"
	pool := nodePool("default", requiring("team", "In", "a", "b"), func(p *karpv1.NodePool) { p.Spec.Template.Labels = map[string]string{"env": "prod"} })
	requires := func(key string, values ...string) func(*karpv1.NodeClaim) {
		return func(c *karpv1.NodeClaim) {
			c.Spec.Requirements = append(c.Spec.Requirements, karpv1.NodeSelectorRequirementWithMinValues{Key: key, Operator: "In", Values: values})
		}
	}
	says := func(key, value string) func(*karpv1.NodeClaim) {
		return func(c *karpv1.NodeClaim) { c.Labels[key] = value }
	}
	registered := runs("n1", withoutLabel(karpv1.NodeInitializedLabelKey), labeledNode("team", "b"))
	unregistered := runs("n1", withoutLabel(karpv1.NodeInitializedLabelKey), withoutLabel(karpv1.NodeRegisteredLabelKey), labeledNode("team", "b"))
	for _, test := range []struct {
		name   string
		things []any
		label  string
		want   string // empty: the label is open
	}{
		{"a claim has its own labels", []any{nodeClaim("c", says("rack", "7"))}, "rack", "7"},
		{"and what it requires one value of", []any{nodeClaim("c", requires("team", "a"))}, "team", "a"},
		{"of several values it will have any", []any{nodeClaim("c", requires("team", "a", "b"))}, "team", ""},
		{"it will have those of its type", []any{nodeClaim("c")}, gpu, "yes"},
		{"of its offering", []any{nodeClaim("c")}, "tenancy", "shared"},
		{"which is the one that its labels agree with", []any{nodeClaim("c", says("tenancy", "own"))}, "tenancy", "own"},
		{"of its pool", []any{nodeClaim("c")}, "env", "prod"},
		{"and a name", []any{nodeClaim("c")}, corev1.LabelHostname, "i-c"},
		{"a claim without a pool has those of its type", []any{nodeClaim("c", says(karpv1.NodePoolLabelKey, "gone"))}, gpu, "yes"},
		{"a node that has yet to be initialized, too", []any{registered}, gpu, "yes"},
		{"an initialized node has what it says", []any{runs("n1")}, gpu, ""},
		{"before registration the claim is believed", []any{unregistered, nodeClaim("c", named("n1"), says("team", "a"))}, "team", "a"},
		{"then the node", []any{registered, nodeClaim("c", named("n1"), says("team", "a"))}, "team", "b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, append(test.things, pool, sold("m", 4, tenancies, carrying(gpu, "yes")),
				waits("is", 1, asking(in(test.label, test.want))),
				waits("isNot", 2, asking(corev1.NodeSelectorRequirement{Key: test.label, Operator: corev1.NodeSelectorOpNotIn, Values: []string{test.want}})))...)
			require.Equal(t, test.want, c.nodes[0].labels[test.label])
			if test.want != "" {
				require.Equal(t, []string{c.nodes[0].name}, nodesFor(c, "is"))
				require.Empty(t, nodesFor(c, "isNot"))
			}
		})
	}
}

func TestTheOfferingThatLabelsAgreeWithIsPaid(t *testing.T) {
	t.Parallel()
	c := compileOf(t, nodePool("default"), sold("m", 4, tenancies), runs("n1", labeledNode("tenancy", "own")), runs("n2", labeledNode("tenancy", "none")))
	require.Equal(t, model.Dollars(0.9), c.nodes[0].price)
	require.Equal(t, model.Dollars(0.1), c.nodes[1].price, "the first, where none agrees")
}

func TestManagedMachines(t *testing.T) {
	t.Parallel()
	adopt := v1alpha1.Policy{Manage: []v1alpha1.Manage{{Selector: labelsAre("group", "a"), NodePool: "default"}}}
	stranger := withoutLabel(karpv1.NodePoolLabelKey)
	for _, test := range []struct {
		name   string
		things []any
		want   bool
	}{
		{"a label that names a pool", []any{nodePool("default"), runs("n1")}, true},
		{"a label that names no pool", []any{nodePool("default"), runs("n1", labeledNode(karpv1.NodePoolLabelKey, "gone"))}, false},
		{"no label", []any{nodePool("default"), runs("n1", stranger)}, false},
		{"a node that the policy adopts", []any{adopt, nodePool("default"), runs("n1", stranger, labeledNode("group", "a"))}, true},
		{"a node that it does not", []any{adopt, nodePool("default"), runs("n1", stranger, labeledNode("group", "b"))}, false},
		{"without pools, a priced worker", []any{runs("n1", stranger)}, true},
		{"but no node without a price", []any{runs("n1", stranger, labeledNode(corev1.LabelInstanceTypeStable, "gone"))}, false},
		{"and no control plane", []any{runs("n1", stranger, labeledNode(controlPlaneRole, ""))}, false},
		{"by whatever sign", []any{runs("n1", stranger, taintedNode(corev1.Taint{Key: controlPlaneRole, Effect: "NoSchedule"}))}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, append(test.things, sold("m", 4))...)
			require.Equal(t, test.want, c.nodes[0].pool != nil)
			require.True(t, c.nodes[0].initialized, "nodes that others made are ready to be used")
			if test.want {
				require.EqualValues(t, 0, c.Problem.Nodes[0].Pool)
			} else {
				require.EqualValues(t, model.None, c.Problem.Nodes[0].Pool)
				require.Equal(t, model.Stays, c.Problem.Nodes[0].Voluntary)
			}
		})
	}
}

func TestWithoutPoolsAnUnknownPriceIsWhyANodeIsNotManaged(t *testing.T) {
	t.Parallel()
	c := compileOf(t, sold("m", 4), runs("n1", withoutLabel(karpv1.NodePoolLabelKey), labeledNode(corev1.LabelInstanceTypeStable, "gone")))
	e, err := ExplainNode(c, "n1")
	require.NoError(t, err)
	require.Equal(t, v1alpha1.KeptNotManaged, e.KeptBy.Reason)
	require.Contains(t, e.KeptBy.Message, `the price of node n1 (type "gone"`)
	require.Contains(t, c.Warnings, "no price is known for node n1, in no node pool: its cost is not counted")

	e, err = ExplainNode(compileOf(t, sold("m", 4), nodeClaim("claim", func(n *karpv1.NodeClaim) { n.Labels = nil })), "claim")
	require.NoError(t, err)
	require.Equal(t, v1alpha1.KeptNotManaged, e.KeptBy.Reason)
}

func TestAdoptionIntoAPoolThatIsNotThereIsSaid(t *testing.T) {
	t.Parallel()
	c := compileOf(t, nodePool("default"), v1alpha1.Policy{Manage: []v1alpha1.Manage{{Selector: labelsAre("a", "b"), NodePool: "gone"}}})
	require.Equal(t, []string{"policy.manage adopts nodes into node pool gone, which is not there"}, c.Warnings)
}

func TestPricesOfMachines(t *testing.T) {
	t.Parallel()
	no := false
	many := offered(
		v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand", Price: 0.4},
		v1alpha1.Offering{Zone: "z2", CapacityType: "on-demand", Price: 0.5, Available: &no},
		v1alpha1.Offering{Zone: "z1", CapacityType: "spot", Price: 0.1},
		v1alpha1.Offering{Zone: "z1", CapacityType: "reserved", Price: 0.01, Reservation: &v1alpha1.Reservation{ID: "a"}},
		v1alpha1.Offering{Zone: "z1", CapacityType: "reserved", Price: 0.02, Reservation: &v1alpha1.Reservation{ID: "b"}},
	)
	const unknown = -1
	plain := withoutLabel(karpv1.CapacityTypeLabelKey)
	for _, test := range []struct {
		name string
		node *corev1.Node
		want float64
	}{
		{"the offering's that the labels name", runs("n1"), 0.4},
		{"whether or not it is for sale", runs("n1", labeledNode(corev1.LabelTopologyZone, "z2")), 0.5},
		{"a spot node's", runs("n1", labeledNode(karpv1.CapacityTypeLabelKey, "spot")), 0.1},
		{"a spot node's on EKS", runs("n1", plain, labeledNode(eksCapacityType, "SPOT")), 0.1},
		{"a spot node's on GKE", runs("n1", plain, labeledNode(gkeSpot, "true")), 0.1},
		{"a preemptible node's on GKE", runs("n1", plain, labeledNode(gkeProvisioning, "preemptible")), 0.1},
		{"a spot node's on AKS", runs("n1", plain, labeledNode(aksScaleSet, "spot")), 0.1},
		{"an on-demand node's on EKS", runs("n1", plain, labeledNode(eksCapacityType, "ON_DEMAND")), 0.4},
		{"a node without a capacity type is on demand", runs("n1", plain), 0.4},
		{"old label names are known", runs("n1", withoutLabel(corev1.LabelTopologyZone), labeledNode(corev1.LabelFailureDomainBetaZone, "z2")), 0.5},
		{"a reservation's", runs("n1", labeledNode(karpv1.CapacityTypeLabelKey, "reserved"), labeledNode("karpenter.sh/reservation-id", "b")), 0.02},
		{"that of another reservation is unknown", runs("n1", labeledNode(karpv1.CapacityTypeLabelKey, "reserved"), labeledNode("karpenter.sh/reservation-id", "c")), unknown},
		{"that of another zone is unknown", runs("n1", labeledNode(corev1.LabelTopologyZone, "z3")), unknown},
		{"that of another type is unknown", runs("n1", labeledNode(corev1.LabelInstanceTypeStable, "gone")), unknown},
		{"a node of nobody's has one, too", runs("n1", withoutLabel(karpv1.NodePoolLabelKey)), 0.4},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, nodePool("default"), sold("m", 4, many), test.node)
			if test.want == unknown {
				require.False(t, c.nodes[0].priced)
				require.Zero(t, c.Problem.Nodes[0].Price)
				return
			}
			require.True(t, c.nodes[0].priced)
			require.Equal(t, model.Dollars(test.want), c.Problem.Nodes[0].Price)
		})
	}
}
