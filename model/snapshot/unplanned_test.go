package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func TestWhatIsNotPlannedYetIsSaid(t *testing.T) {
	t.Parallel()
	preferring := func(p *corev1.Pod) {
		asking(in("a", "b"))(p)
		p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil
		p.Spec.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = []corev1.PreferredSchedulingTerm{{Weight: 1}}
	}
	claiming := func(p *corev1.Pod) {
		p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "c"}}}}
	}
	for _, test := range []struct {
		thing any
		want  string
	}{
		{waits("p", 1, func(p *corev1.Pod) { p.Spec.TopologySpreadConstraints = make([]corev1.TopologySpreadConstraint, 1) }), "1 pod asks for topology spread constraints, which are not yet planned (default/p)"},
		{waits("p", 1, func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "z"}}}}
		}), "1 pod asks for pod affinity, which is not yet planned (default/p)"},
		{waits("p", 1, avoiding("x", func(t *corev1.PodAffinityTerm) { t.TopologyKey = "z" })), "1 pod asks for pod anti-affinity beyond kubernetes.io/hostname, which is not yet planned (default/p)"},
		{waits("p", 1, preferring), "1 pod asks for preferred node affinity, which is not yet planned (default/p)"},
		{waits("p", 1, claiming), "1 pod has persistent volumes, whose zones and limits are not yet planned (default/p)"},
		{waits("p", 1, func(p *corev1.Pod) { p.Spec.ResourceClaims = make([]corev1.PodResourceClaim, 1) }), "1 pod asks for devices by resource claims, which are not yet planned (default/p)"},
		{waits("p", 1, func(p *corev1.Pod) { p.Labels[gangLabels[0]] = "g" }), "1 pod is scheduled in gangs, which is not yet planned: each is placed on its own (default/p)"},
		{waits("p", 0), "1 pod has no requests: only the pod slot is counted (default/p)"},
		{nodePool("many", func(p *karpv1.NodePool) {
			p.Spec.Template.Spec.Requirements = []karpv1.NodeSelectorRequirementWithMinValues{{Key: "a", Operator: "Exists", MinValues: ptr.To(2)}}
		}), "node pool many asks for minValues of a, which is not yet planned"},
		{&resourcev1.ResourceClaim{TypeMeta: metav1.TypeMeta{Kind: "ResourceClaim"}, ObjectMeta: metav1.ObjectMeta{Name: "c"}}, "ResourceClaim c: not yet planned for"},
		{
			&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}},
			"there are no pods; those of workload shop/web are planned with --workloads, or expandWorkloads in the policy",
		},
		{v1alpha1.Policy{MaxPremium: ptr.To(10.0)}, "policy.maxPremium is not yet planned"},
		{v1alpha1.Policy{Balance: make([]v1alpha1.Balance, 1)}, "policy.balance is not yet planned"},
	} {
		t.Run(test.want, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, []string{test.want}, compileOf(t, sold("m", 4), test.thing).Warnings)
		})
	}
}

func TestSoftTaintsAreSaidWhereTheyMatter(t *testing.T) {
	t.Parallel()
	soft := corev1.Taint{Key: "a", Effect: corev1.TaintEffectPreferNoSchedule}
	things := []any{sold("m", 4), nodePool("default", taintedPool(soft)), runs("n1", taintedNode(soft))}
	careless := waits("p", 1)
	careful := waits("p", 1, tolerating(corev1.Toleration{Operator: corev1.TolerationOpExists}))
	require.Equal(t, []string{
		"1 node has taint a:PreferNoSchedule, which is not yet avoided (n1)",
		"node pool default has taint a:PreferNoSchedule, which is not yet avoided",
	}, compileOf(t, append(things, careless)...).Warnings)
	require.Empty(t, compileOf(t, append(things, careful)...).Warnings)
}

func TestPoolsThatLaunchNothingAreSaid(t *testing.T) {
	t.Parallel()
	c := compileOf(t, sold("m", 4), nodePool("default", requiring(corev1.LabelArchStable, "In", "arm64")))
	require.Equal(t, []string{"node pool default launches nothing: no instance type meets its requirements"}, c.Warnings)
}

func TestWarningsCountAndNameTheFirst(t *testing.T) {
	t.Parallel()
	c := compileOf(t, sold("m", 4), waits("d", 0), waits("b", 0), waits("a", 0), waits("c", 0))
	require.Equal(t, []string{"4 pods have no requests: only the pod slot is counted (default/a, default/b, default/c, …)"}, c.Warnings)
}
