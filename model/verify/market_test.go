package verify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// purchase is one pending pod and a plan that launches a machine for it, at 0.2 an hour.
func purchase(requirements ...karpv1.NodeSelectorRequirementWithMinValues) (*cluster, *plan) {
	c := newCluster()
	t := c.sell("s", "4", "16Gi", 0.2)
	t.Requirements = append(t.Requirements,
		corev1.NodeSelectorRequirement{Key: "cpus", Operator: corev1.NodeSelectorOpIn, Values: []string{"4"}},
		corev1.NodeSelectorRequirement{Key: "gpu", Operator: corev1.NodeSelectorOpDoesNotExist})
	c.offerPool("default", requirements...)
	c.add(newPod("p-1", "1", "1Gi"))
	p := newPlan()
	p.launch("default", "s", 0.2, "p-1")
	p.Placements = []v1alpha1.Destination{toLaunch("p-1", "launch-1")}
	p.Steps = []v1alpha1.Step{{Step: 1, Launch: []string{"launch-1"}}}
	p.cost(0, 0.2, 0, 0, 0)
	return c, p
}

// again adds a launch like the first, for another pod.
func again(c *cluster, p *plan) *v1alpha1.Launch {
	c.add(newPod("p-2", "1", "1Gi"))
	l := p.launch("default", "s", p.Launches[0].PricePerHour, "p-2")
	l.CapacityType = p.Launches[0].CapacityType
	p.Placements = append(p.Placements, toLaunch("p-2", "launch-2"))
	p.Steps[0].Launch = append(p.Steps[0].Launch, "launch-2")
	p.cost(0, 2*l.PricePerHour, 0, 0, 0)
	return l
}

func TestWhatAPoolBuys(t *testing.T) {
	t.Parallel()
	const in, notIn, exists, none = corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist
	const gt, lt, gte, lte = corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt, karpv1.NodeSelectorOpGte, karpv1.NodeSelectorOpLte
	for _, tt := range []struct {
		key      string
		operator corev1.NodeSelectorOperator
		values   []string
		sold     bool
	}{
		{"cpus", in, []string{"2", "4"}, true},
		{"cpus", in, []string{"2"}, false},
		{"cpus", notIn, []string{"2"}, true},
		{"cpus", notIn, []string{"4"}, false},
		{"cpus", exists, nil, true},
		{"cpus", none, nil, false},
		{"cpus", gt, []string{"3"}, true},
		{"cpus", gt, []string{"4"}, false},
		{"cpus", lt, []string{"5"}, true},
		{"cpus", lt, []string{"4"}, false},
		{"cpus", gte, []string{"4"}, true},
		{"cpus", gte, []string{"5"}, false},
		{"cpus", lte, []string{"4"}, true},
		{"cpus", lte, []string{"3"}, false},
		{"cpus", gt, []string{"some"}, false},
		{"cpus", gt, nil, false},
		{"cpus", "Near", []string{"4"}, false},
		{corev1.LabelArchStable, gt, []string{"1"}, false},
		{"gpu", exists, nil, false},
		{"gpu", in, []string{"t4"}, false},
		{"gpu", notIn, []string{"t4"}, true},
		{"gpu", none, nil, true},
		{"team", in, []string{"red"}, true},
		{"team", exists, nil, true},
		{"beta.kubernetes.io/arch", in, []string{"arm64"}, false},
		{"failure-domain.beta.kubernetes.io/zone", in, []string{"z1"}, true},
		{corev1.LabelTopologyZone, in, []string{"z2"}, false},
		{karpv1.CapacityTypeLabelKey, in, []string{"spot"}, false},
	} {
		c, p := purchase(requirement(tt.key, tt.operator, tt.values...))
		var want []string
		if !tt.sold {
			want = []string{verify.RuleOffering}
		}
		require.Equal(t, want, rulesOf(c, p), "%s %s %v", tt.key, tt.operator, tt.values)
	}
}

func TestLabelsOfNewNodes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		selector map[string]string
		stated   map[string]string
		want     []string
	}{
		{"the type's", map[string]string{"cpus": "4"}, nil, nil},
		{"a deprecated key", map[string]string{"beta.kubernetes.io/arch": "amd64"}, nil, nil},
		{"the zone", map[string]string{corev1.LabelTopologyZone: "z1"}, nil, nil},
		{"the pool's only value", map[string]string{"tier": "front"}, nil, nil},
		{"the template's", map[string]string{"env": "prod"}, nil, nil},
		{"an open key that is not stated", map[string]string{"team": "red"}, nil, []string{verify.RuleNodeAffinity}},
		{"an open key that is stated", map[string]string{"team": "red"}, map[string]string{"team": "red"}, nil},
		{"a bounded key that is stated", map[string]string{"rank": "7"}, map[string]string{"rank": "7"}, nil},
		{"a bounded key that is stated beyond its bound", nil, map[string]string{"rank": "5"}, []string{verify.RuleLaunch}},
		{"a key that the pool leaves open", map[string]string{"any": "x"}, map[string]string{"any": "x"}, nil},
		{"a key that nobody gives", map[string]string{"disk": "fast"}, nil, []string{verify.RuleNodeAffinity}},
		{"a host", map[string]string{corev1.LabelHostname: "launch-1"}, nil, []string{verify.RuleNodeAffinity}},
	} {
		c, p := purchase(
			requirement("team", corev1.NodeSelectorOpIn, "red", "blue"),
			requirement("tier", corev1.NodeSelectorOpIn, "front"),
			requirement("rank", corev1.NodeSelectorOpGt, "5"),
			requirement("any", corev1.NodeSelectorOpExists))
		c.pools["default"].Spec.Template.Labels = map[string]string{"env": "prod"}
		c.pods["p-1"].Spec.NodeSelector = tt.selector
		p.Launches[0].Labels = tt.stated
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)
	}
}

func TestOfferingsComeBack(t *testing.T) {
	t.Parallel()
	for until, want := range map[time.Time][]string{
		now:                  nil,
		now.Add(time.Second): {verify.RuleOffering},
	} {
		c, p := purchase()
		o := &c.InstanceTypes[0].Offerings[0]
		o.Available, o.UnavailableUntil = ptr.To(false), ptr.To(metav1.NewTime(until))
		require.Equal(t, want, rulesOf(c, p), until)
	}
}

// TestOverlays: the launch costs 0.2 by the catalog.
func TestOverlays(t *testing.T) {
	t.Parallel()
	price := func(name string, weight int32, price string) *karpv1alpha1.NodeOverlay {
		o := &karpv1alpha1.NodeOverlay{ObjectMeta: metav1.ObjectMeta{Name: name}}
		o.Spec.Weight, o.Spec.Price = &weight, &price
		return o
	}
	adjust := func(by string, requirements ...karpv1alpha1.NodeSelectorRequirement) *karpv1alpha1.NodeOverlay {
		o := &karpv1alpha1.NodeOverlay{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
		o.Spec.PriceAdjustment, o.Spec.Requirements = &by, requirements
		return o
	}
	about := func(key, value string) karpv1alpha1.NodeSelectorRequirement {
		return karpv1alpha1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}}
	}
	for _, tt := range []struct {
		name     string
		overlays []*karpv1alpha1.NodeOverlay
		want     float64
	}{
		{"a price", []*karpv1alpha1.NodeOverlay{price("a", 0, "0.3")}, 0.3},
		{"the heavier price", []*karpv1alpha1.NodeOverlay{price("a", 2, "0.3"), price("b", 1, "0.4")}, 0.3},
		{"the price of the last name", []*karpv1alpha1.NodeOverlay{price("a", 1, "0.3"), price("b", 1, "0.4")}, 0.4},
		{"dearer by so much", []*karpv1alpha1.NodeOverlay{adjust("+0.1")}, 0.3},
		{"cheaper by so many percent", []*karpv1alpha1.NodeOverlay{adjust("-25%")}, 0.15},
		{"never below zero", []*karpv1alpha1.NodeOverlay{adjust("-5")}, 0},
		{"of the pool", []*karpv1alpha1.NodeOverlay{adjust("+0.1", about(karpv1.NodePoolLabelKey, "default"))}, 0.3},
		{"of another pool", []*karpv1alpha1.NodeOverlay{adjust("+0.1", about(karpv1.NodePoolLabelKey, "other"))}, 0.2},
		{"of a label that is open", []*karpv1alpha1.NodeOverlay{adjust("+0.1", about("team", "red"))}, 0.3},
		{"of a value that it cannot have", []*karpv1alpha1.NodeOverlay{adjust("+0.1", about("team", "green"))}, 0.2},
		{"of a label that it does not have", []*karpv1alpha1.NodeOverlay{adjust("+0.1", about("disk", "fast"))}, 0.2},
	} {
		c, p := purchase(requirement("team", corev1.NodeSelectorOpIn, "red", "blue"))
		for _, o := range tt.overlays {
			c.add(o)
		}
		p.Launches[0].PricePerHour = tt.want
		p.cost(0, tt.want, 0, 0, 0)
		require.Empty(t, verify.Plan(c.Snapshot, p.Plan), tt.name)
		p.Launches[0].PricePerHour += 0.01
		require.Equal(t, []string{verify.RulePrice}, rulesOf(c, p), tt.name)
	}
}

func TestOverlaysAddCapacity(t *testing.T) {
	t.Parallel()
	c, p := purchase()
	c.pods["p-1"].Spec.Containers[0].Resources.Requests["example.com/dongle"] = resource.MustParse("1")
	require.Equal(t, []string{verify.RuleResources}, rulesOf(c, p))
	o := &karpv1alpha1.NodeOverlay{ObjectMeta: metav1.ObjectMeta{Name: "dongles"}}
	o.Spec.Capacity = corev1.ResourceList{"example.com/dongle": resource.MustParse("1")}
	c.add(o)
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan))
}

func TestReservations(t *testing.T) {
	t.Parallel()
	for count, want := range map[int32][]string{1: {verify.RuleReservation}, 2: nil} {
		c, p := purchase()
		c.InstanceTypes[0].Offerings = append(c.InstanceTypes[0].Offerings, v1alpha1.Offering{
			Zone: "z1", CapacityType: "reserved", Reservation: &v1alpha1.Reservation{ID: "cr-1", Count: count},
		})
		p.Launches[0].CapacityType, p.Launches[0].Reservation, p.Launches[0].PricePerHour = "reserved", "cr-1", 0
		again(c, p).Reservation = "cr-1"
		require.Equal(t, want, rulesOf(c, p), "%d left", count)
	}
}

func TestSpotDiversity(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64][]string{1: nil, 0.5: {verify.RuleSpotDiversity}, 0: {verify.RuleSpotDiversity}} {
		c, p := purchase()
		c.Policy.SpotDiversity = &share
		p.Launches[0].CapacityType, p.Launches[0].PricePerHour = "spot", 0.05
		again(c, p)
		require.Equal(t, want, rulesOf(c, p), "share %g", share)
	}
	c, p := purchase()
	c.Policy.SpotDiversity = ptr.To(0.0)
	p.Launches[0].CapacityType, p.Launches[0].PricePerHour = "spot", 0.05
	again(c, p).Zone = "z2"
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan), "one node is always allowed")
}

func TestSpotFlexibility(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(c *cluster)
		want   []string
	}{
		{"two types would do", func(*cluster) {}, nil},
		{"three are asked for", func(c *cluster) { c.Policy.SpotFlexibility = ptr.To[int32](3) }, []string{verify.RuleSpotFlexibility}},
		{"one is sold out", func(c *cluster) {
			c.InstanceTypes[1].Offerings[1].Available = ptr.To(false)
			c.InstanceTypes[1].Offerings[3].Available = ptr.To(false)
		}, []string{verify.RuleSpotFlexibility}},
		{"one is too small", func(c *cluster) { c.InstanceTypes[1].Capacity = room("500m", "16Gi") }, []string{verify.RuleSpotFlexibility}},
		{"it replaces no spot node", func(c *cluster) {
			c.Policy.SpotFlexibility = ptr.To[int32](3)
			c.nodes["n1"].Labels[karpv1.CapacityTypeLabelKey] = "on-demand"
		}, nil},
	} {
		c := newCluster()
		c.sell("s", "4", "16Gi", 0.2)
		c.sell("t", "4", "16Gi", 0.2)
		c.sell("u", "4", "16Gi", 0.3).Offerings = []v1alpha1.Offering{{Zone: "z1", CapacityType: "on-demand", Price: 0.3}}
		c.sell("v", "8", "16Gi", 0.4).Offerings = []v1alpha1.Offering{{Zone: "z1", CapacityType: "spot", Price: 0.2, Available: ptr.To(false)}, {Zone: "z1", CapacityType: "on-demand", Price: 0.2}}
		c.offerPool("default")
		c.run("n1", "v", "default", newPod("a-1", "1", "1Gi")).Labels[karpv1.CapacityTypeLabelKey] = "spot"
		c.Policy.SpotFlexibility = ptr.To[int32](2)
		tt.change(c)
		p := newPlan()
		l := p.launch("default", "s", 0.05, "a-1")
		l.CapacityType = "spot"
		p.remove("n1", "default", v1alpha1.RemovalUnderutilized, 0.2, 2, toLaunch("a-1", "launch-1"))
		p.Steps = []v1alpha1.Step{{Step: 1, Launch: []string{"launch-1"}}, {Step: 2, After: []int{1}, Remove: []string{"n1"}}}
		p.cost(0.2, 0.05, 0.01/24, 0, 0)
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)
	}
}

// TestBalanced: a node of two goes; it has one of three pods.
func TestBalanced(t *testing.T) {
	t.Parallel()
	balanced := func(c *cluster) {
		c.pools["default"].Spec.Disruption.ConsolidationPolicy = karpv1.ConsolidationPolicyBalanced
	}
	c, p := pair(v1alpha1.RemovalUnderutilized)
	balanced(c)
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan), "half of the price for half of the disruption")

	c, p = pair(v1alpha1.RemovalUnderutilized)
	balanced(c)
	c.sell("dear", "4", "16Gi", 2)
	c.nodes["n2"].Labels[corev1.LabelInstanceTypeStable] = "dear"
	p.cost(2.2, 2, 0.01/24, 0, 0)
	require.Equal(t, []string{verify.RuleBalanced}, rulesOf(c, p), "an eleventh of the price for half of the disruption")

	c, p = pair(v1alpha1.RemovalEmpty)
	balanced(c)
	c.sell("dear", "4", "16Gi", 2)
	c.nodes["n2"].Labels[corev1.LabelInstanceTypeStable] = "dear"
	c.pods["a-1"].Status.Phase = corev1.PodSucceeded
	p.Removals[0].Moves = nil
	p.cost(2.2, 2, 0, 0, 0)
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan), "empty nodes are exempt")
}

// TestOfferingsOfOneMarket: of two offerings of a type, zone and capacity type, the labels tell.
func TestOfferingsOfOneMarket(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rack  string
		price float64
		want  []string
	}{
		{"new", 0.2, nil},
		{"old", 0.1, nil},
		{"old", 0.2, []string{verify.RulePrice}},
	} {
		c, p := purchase()
		kind := &c.InstanceTypes[0]
		rack := func(value string) []corev1.NodeSelectorRequirement {
			return []corev1.NodeSelectorRequirement{{Key: "rack", Operator: corev1.NodeSelectorOpIn, Values: []string{value}}}
		}
		kind.Offerings[0].Requirements = rack("new")
		kind.Offerings = append(kind.Offerings, v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand", Price: 0.1, Requirements: rack("old")})
		p.Launches[0].Labels = map[string]string{"rack": tt.rack}
		p.Launches[0].PricePerHour = tt.price
		after := map[string]float64{"new": 0.2, "old": 0.1}[tt.rack]
		p.cost(0, after, 0, 0, 0)
		require.Equal(t, tt.want, rulesOf(c, p), "%s at %g", tt.rack, tt.price)
	}
}
