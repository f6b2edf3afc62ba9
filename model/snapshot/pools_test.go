package snapshot

import (
	"testing"

	"github.com/awslabs/operatorpkg/status"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestPoolRequirements(t *testing.T) {
	t.Parallel()
	const gpus = "vendor.example/gpu-count"
	types := []any{
		sold("cpu", 4, offered(
			v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand", Price: 1},
			v1alpha1.Offering{Zone: "z2", CapacityType: "spot", Price: 1},
		)),
		sold("gpu", 4, carrying(gpus, "2")),
		sold("r", 4, offered(
			v1alpha1.Offering{Zone: "z1", CapacityType: "reserved", Price: 0, Reservation: &v1alpha1.Reservation{ID: "cr-1", Count: 2}},
			v1alpha1.Offering{Zone: "z1", CapacityType: "reserved", Price: 0, Reservation: &v1alpha1.Reservation{ID: "cr-2", Count: 1}},
		)),
		waits("p", 1),
	}
	all := []string{"default/cpu/z1/on-demand", "default/cpu/z2/spot", "default/gpu/z1/on-demand", "default/r/z1/reserved/cr-1", "default/r/z1/reserved/cr-2"}
	for _, test := range []struct {
		name string
		pool *karpv1.NodePool
		want []string
	}{
		{"a pool without requirements takes all", nodePool("default"), all},
		{"In takes the types named", nodePool("default", requiring(corev1.LabelInstanceTypeStable, "In", "gpu")), all[2:3]},
		{"NotIn leaves the types named out", nodePool("default", requiring(corev1.LabelInstanceTypeStable, "NotIn", "gpu", "r")), all[:2]},
		{"zones are of offerings", nodePool("default", requiring(corev1.LabelTopologyZone, "In", "z2")), all[1:2]},
		{"capacity types are of offerings", nodePool("default", requiring(karpv1.CapacityTypeLabelKey, "In", "reserved")), all[3:]},
		{"a reservation is a label of its offering", nodePool("default", requiring("karpenter.sh/reservation-id", "In", "cr-2")), all[4:]},
		{"a label that other types carry does not exist on the rest", nodePool("default", requiring(gpus, "Exists")), all[2:3]},
		{"comparisons look at numbers", nodePool("default", requiring(gpus, "Gt", "2")), []string{}},
		{"comparisons can include the bound", nodePool("default", requiring(gpus, "Gte", "2")), all[2:3]},
		{"requirements on one label must all hold", nodePool("default", requiring(gpus, "Gt", "0"), requiring(gpus, "Lt", "2")), []string{}},
		{"DoesNotExist takes the types that lack the label", nodePool("default", requiring(gpus, "DoesNotExist"), requiring(corev1.LabelInstanceTypeStable, "NotIn", "r")), all[:2]},
		{"a template label is a requirement", nodePool("default", func(p *karpv1.NodePool) { p.Spec.Template.Labels = map[string]string{gpus: "2"} }), all[2:3]},
		{"an architecture that no type has leaves nothing", nodePool("default", requiring(corev1.LabelArchStable, "In", "arm64")), []string{}},
		{"old label names are known", nodePool("default", requiring(corev1.LabelFailureDomainBetaZone, "In", "z2")), all[1:2]},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, shapeNames(compileOf(t, append([]any{test.pool}, types...)...)))
		})
	}
}

func TestClosedPools(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		edit func(*karpv1.NodePool)
		open bool
		warn string
	}{
		{"a pool without status is ready", func(*karpv1.NodePool) {}, true, ""},
		{"a pool that is not known to be ready is", ready("Unknown"), true, ""},
		{"a pool that is not ready launches nothing", ready("False"), false, "node pool p is not ready"},
		{"a pool being deleted launches nothing", func(p *karpv1.NodePool) { now := ago(0); p.DeletionTimestamp = &now }, false, ""},
		{"a static pool launches nothing", func(p *karpv1.NodePool) { p.Spec.Replicas = ptr.To[int64](2) }, false, "node pool p is static"},
		{"an unknown operator is named", requiring("a", "Near", "x"), false, `spec.template.spec.requirements[0].operator: expected In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte or Lte, got "Near"`},
		{"In without values is named", requiring("a", "In"), false, "spec.template.spec.requirements[0].values: operator In needs at least one value"},
		{"a bound that is no number is named", requiring("a", "Gt", "x"), false, `spec.template.spec.requirements[0].values: operator Gt needs one whole number that is not negative, got ["x"]`},
		{"a bound without a value is named", requiring("a", "Lt"), false, "operator Lt needs one whole number that is not negative, got []"},
		{"the host's name is not the pool's to give", requiring(corev1.LabelHostname, "In", "x"), false, "requirements[0].key: kubernetes.io/hostname is reserved"},
		{"two values of one label cannot be", both(requiring("team", "In", "a"), requiring("team", "In", "b")), false, "spec.template: no value of label team meets all that is asked of it"},
		{"nor one that is excluded", both(requiring("team", "In", "a"), requiring("team", "NotIn", "a")), false, "no value of label team"},
		{"nor one that is not to exist", both(requiring("team", "Exists"), requiring("team", "DoesNotExist")), false, "no value of label team"},
		{"nor a number above and below another", both(requiring("size", "Gt", "5"), requiring("size", "Lt", "3")), false, "no value of label size"},
		{"nor another than the template's label", both(requiring("team", "In", "a"), func(p *karpv1.NodePool) { p.Spec.Template.Labels = map[string]string{"team": "b"} }), false, "no value of label team"},
		{"nor another node class", requiring("vendor.example/nodeclass", "In", "other"), false, "no value of label vendor.example/nodeclass"},
		{"one in common is enough", both(requiring("team", "In", "a", "b"), requiring("team", "In", "b", "c")), true, ""},
		{"a label may be unwanted twice", both(requiring("team", "NotIn", "a"), requiring("team", "DoesNotExist")), true, ""},
		{"an unknown effect is named", taintedPool(corev1.Taint{Key: "a", Effect: "Never"}), false, `spec.template.spec.taints[0].effect: expected NoSchedule, PreferNoSchedule or NoExecute, got "Never"`},
		{"a price limit that cannot be read is named", func(p *karpv1.NodePool) { p.Annotations = map[string]string{v1alpha1.AnnotationPriceLimit: "much"} }, false, "metadata.annotations[mortise.dev/price-limit]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, nodePool("p", test.edit), sold("m", 4), waits("a", 1))
			require.Equal(t, test.open, len(c.Problem.Shapes) > 0)
			if test.warn == "" {
				require.Empty(t, c.Warnings)
			} else {
				require.Len(t, c.Warnings, 1)
				require.Contains(t, c.Warnings[0], test.warn)
			}
		})
	}
}

func both(edits ...func(*karpv1.NodePool)) func(*karpv1.NodePool) {
	return func(p *karpv1.NodePool) {
		for _, edit := range edits {
			edit(p)
		}
	}
}

func ready(is metav1.ConditionStatus) func(*karpv1.NodePool) {
	return func(p *karpv1.NodePool) {
		p.Status.Conditions = []status.Condition{{Type: "Ready", Status: is, Reason: "Test"}}
	}
}

func TestImpliedPool(t *testing.T) {
	t.Parallel()
	spot := offered(v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand"}, v1alpha1.Offering{Zone: "z1", CapacityType: "spot"})
	arm := func(it *v1alpha1.InstanceType) { it.Requirements[0].Values = []string{"arm64"} }
	things := []any{sold("m", 4, spot), sold("a", 4, spot, arm), waits("p", 1)}

	require.Equal(t, []string{"default/m/z1/on-demand"}, shapeNames(compileOf(t, things...)))
	require.Equal(t, []string{"default/a/z1/on-demand", "default/a/z1/spot"},
		shapeNames(compileOf(t, append(things, ImpliedPool([]string{"arm64"}, true))...)))
}

func TestNodeClassesOfTypes(t *testing.T) {
	t.Parallel()
	only := func(classes ...string) func(*v1alpha1.InstanceType) {
		return func(it *v1alpha1.InstanceType) { it.NodeClasses = classes }
	}
	c := compileOf(t, nodePool("default"), sold("any", 4), sold("other", 4, only("other")), sold("standard", 4, only("other", "standard")))
	require.Equal(t, []string{"default/any/z1/on-demand", "default/standard/z1/on-demand"}, shapeNames(c))
}

func TestPoolsInTheProblem(t *testing.T) {
	t.Parallel()
	c := compileOf(t, sold("m", 4), runs("n1"), runs("n2"), waits("a", 1, on("n1")),
		nodePool("default", func(p *karpv1.NodePool) {
			p.Spec.Weight = ptr.To[int32](7)
			p.Spec.Disruption.ConsolidationPolicy = karpv1.ConsolidationPolicyBalanced
			p.Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: "1", Reasons: []karpv1.DisruptionReason{"Empty"}}}
		}))
	require.Equal(t, []model.Pool{{
		Name: "default", Weight: 7, Balanced: true,
		Budget:     [model.NumBudgets]int{1, model.Unlimited, model.Unlimited},
		Disruption: 3_000_000,
		Cost:       model.Dollars(0.8),
	}}, c.Problem.Pools)
}
