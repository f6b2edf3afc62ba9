package snapshot

import (
	"testing"

	"github.com/awslabs/operatorpkg/status"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func nodeOverlay(name string, weight int32, edits ...func(*karpv1alpha1.NodeOverlay)) *karpv1alpha1.NodeOverlay {
	o := &karpv1alpha1.NodeOverlay{ObjectMeta: metav1.ObjectMeta{Name: name}}
	o.Spec.Weight = ptr.To(weight)
	for _, edit := range edits {
		edit(o)
	}
	return o
}

func pricing(text string) func(*karpv1alpha1.NodeOverlay) {
	return func(o *karpv1alpha1.NodeOverlay) { o.Spec.Price = &text }
}

func adjusting(text string) func(*karpv1alpha1.NodeOverlay) {
	return func(o *karpv1alpha1.NodeOverlay) { o.Spec.PriceAdjustment = &text }
}

func adding(pairs ...string) func(*karpv1alpha1.NodeOverlay) {
	return func(o *karpv1alpha1.NodeOverlay) { o.Spec.Capacity = amountsOf(pairs...) }
}

func over(key string, operator corev1.NodeSelectorOperator, values ...string) func(*karpv1alpha1.NodeOverlay) {
	return func(o *karpv1alpha1.NodeOverlay) {
		o.Spec.Requirements = append(o.Spec.Requirements, karpv1alpha1.NodeSelectorRequirement{Key: key, Operator: operator, Values: values})
	}
}

func TestOverlayPrices(t *testing.T) {
	t.Parallel()
	const conflict = "node overlay a is not applied: it conflicts with another of weight 1"
	for _, test := range []struct {
		name     string
		overlays []any
		want     float64 // of the on-demand offering, 0.4 in the catalog
		wantSpot float64 // of the spot offering, 0.2 in the catalog
		warning  string
	}{
		{name: "without overlays the catalog's", want: 0.4, wantSpot: 0.2},
		{name: "a price replaces", overlays: []any{nodeOverlay("a", 1, pricing("0.1"))}, want: 0.1, wantSpot: 0.1},
		{name: "a percentage scales", overlays: []any{nodeOverlay("a", 1, adjusting("-50%"))}, want: 0.2, wantSpot: 0.1},
		{name: "an amount is added", overlays: []any{nodeOverlay("a", 1, adjusting("+0.05"))}, want: 0.45, wantSpot: 0.25},
		{name: "a price never falls below zero", overlays: []any{nodeOverlay("a", 1, adjusting("-0.3"))}, want: 0.1, wantSpot: 0},
		{name: "it applies to the offerings it matches", overlays: []any{nodeOverlay("a", 1, pricing("0.1"), over(karpv1.CapacityTypeLabelKey, "In", "spot"))}, want: 0.4, wantSpot: 0.1},
		{name: "it can name the pool", overlays: []any{nodeOverlay("a", 1, pricing("0.1"), over(karpv1.NodePoolLabelKey, "In", "default"))}, want: 0.1, wantSpot: 0.1},
		{name: "it can name another pool", overlays: []any{nodeOverlay("a", 1, pricing("0.1"), over(karpv1.NodePoolLabelKey, "NotIn", "default"))}, want: 0.4, wantSpot: 0.2},
		{name: "a label that nobody knows is not met", overlays: []any{nodeOverlay("a", 1, pricing("0.1"), over("x", "Exists"))}, want: 0.4, wantSpot: 0.2},
		{name: "its absence is", overlays: []any{nodeOverlay("a", 1, pricing("0.1"), over("x", "DoesNotExist"))}, want: 0.1, wantSpot: 0.1},
		{name: "the heavier wins", overlays: []any{nodeOverlay("a", 1, pricing("0.1")), nodeOverlay("b", 2, pricing("0.3"))}, want: 0.3, wantSpot: 0.3},
		{
			name:     "the lighter applies where the heavier does not",
			overlays: []any{nodeOverlay("a", 1, pricing("0.1")), nodeOverlay("b", 2, pricing("0.3"), over(karpv1.CapacityTypeLabelKey, "In", "spot"))},
			want:     0.1, wantSpot: 0.3,
		},
		{
			name:     "of equal weights that touch the same, the later name is applied",
			overlays: []any{nodeOverlay("a", 1, pricing("0.1")), nodeOverlay("b", 1, pricing("0.3"))},
			want:     0.3, wantSpot: 0.3, warning: conflict,
		},
		{
			name:     "of equal weights that touch the same, the other is applied nowhere",
			overlays: []any{nodeOverlay("a", 1, pricing("0.1")), nodeOverlay("b", 1, pricing("0.3"), over(karpv1.CapacityTypeLabelKey, "In", "spot"))},
			want:     0.4, wantSpot: 0.3, warning: conflict,
		},
		{
			name: "equal weights that touch different offerings do not conflict",
			overlays: []any{
				nodeOverlay("a", 1, pricing("0.1"), over(karpv1.CapacityTypeLabelKey, "In", "on-demand")),
				nodeOverlay("b", 1, pricing("0.3"), over(karpv1.CapacityTypeLabelKey, "In", "spot")),
			},
			want: 0.1, wantSpot: 0.3,
		},
		{
			name: "one that is not ready is left out",
			overlays: []any{nodeOverlay("a", 1, pricing("0.1"), func(o *karpv1alpha1.NodeOverlay) {
				o.Status.Conditions = []status.Condition{{Type: "Ready", Status: metav1.ConditionFalse}}
			})},
			want: 0.4, wantSpot: 0.2, warning: "node overlay a is not applied: it is not ready",
		},
		{
			name:     "one that cannot be read is left out",
			overlays: []any{nodeOverlay("a", 1, pricing("cheap"))},
			want:     0.4, wantSpot: 0.2, warning: `node overlay a is not applied: spec: price or priceAdjustment: cannot read "cheap"`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			both := offered(
				v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand", Price: 0.4},
				v1alpha1.Offering{Zone: "z1", CapacityType: "spot", Price: 0.2},
			)
			c := compileOf(t, append(test.overlays, nodePool("default"), sold("m", 4, both), runs("n1"))...)
			require.Equal(t, model.Dollars(test.want), c.Problem.Shapes[0].Price)
			require.Equal(t, model.Dollars(test.wantSpot), c.Problem.Shapes[1].Price)
			require.Equal(t, model.Dollars(test.want), c.Problem.Nodes[0].Price, "overlays hold for running nodes")
			if test.warning == "" {
				require.Empty(t, c.Warnings)
			} else {
				require.Equal(t, []string{test.warning}, c.Warnings)
			}
		})
	}
}

func TestOverlayCapacity(t *testing.T) {
	t.Parallel()
	needsDevice := func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Requests["vendor.example/device"] = amountsOf("d", "1")["d"]
	}
	for _, test := range []struct {
		name     string
		overlays []any
		want     int64
		warnings int
	}{
		{"without overlays there is none", nil, 0, 0},
		{"an extended resource is added", []any{nodeOverlay("a", 1, adding("vendor.example/device", "4"))}, 4, 0},
		{"the heavier wins", []any{nodeOverlay("a", 1, adding("vendor.example/device", "4")), nodeOverlay("b", 2, adding("vendor.example/device", "2"))}, 2, 0},
		{"different resources of one weight do not conflict", []any{nodeOverlay("a", 1, adding("vendor.example/device", "4")), nodeOverlay("b", 1, adding("vendor.example/other", "2"))}, 4, 0},
		{"the same of one weight do", []any{nodeOverlay("a", 1, adding("vendor.example/device", "4")), nodeOverlay("b", 1, adding("vendor.example/device", "2"))}, 2, 1},
		{"cores cannot be added", []any{nodeOverlay("a", 1, adding("vendor.example/device", "4", "cpu", "100"))}, 0, 1},
		{"one matching offering is enough for the type", []any{nodeOverlay("a", 1, adding("vendor.example/device", "4"), over(corev1.LabelTopologyZone, "In", "z2"))}, 4, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			zones := offered(v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand"}, v1alpha1.Offering{Zone: "z2", CapacityType: "on-demand"})
			c := compileOf(t, append(test.overlays, nodePool("default"), sold("m", 4, zones), waits("p", 100, needsDevice))...)
			require.Equal(t, test.want, c.amountOf(c.Problem.Shapes[0].Allocatable, "vendor.example/device"))
			require.Equal(t, test.want, c.amountOf(c.Problem.Shapes[0].Capacity, "vendor.example/device"))
			require.Len(t, c.Warnings, test.warnings)
		})
	}
}
