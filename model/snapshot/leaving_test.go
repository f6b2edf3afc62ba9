package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func expiresAfter(d time.Duration) func(*machine) {
	return func(m *machine) { m.claim.Spec.ExpireAfter.Duration = &d }
}

func tainted(key string) func(*machine) {
	return func(m *machine) {
		m.node.Spec.Taints = append(m.node.Spec.Taints, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
	}
}

func notReadyFor(d time.Duration, status corev1.ConditionStatus) func(*machine) {
	return func(m *machine) {
		m.node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status, LastTransitionTime: ago(d)}}
	}
}

func deletedNode(m *machine)  { m.node.DeletionTimestamp = ptr.To(ago(time.Second)) }
func deletedClaim(m *machine) { m.claim.DeletionTimestamp = ptr.To(ago(time.Second)) }
func unmanaged(m *machine)    { m.pool = nil }
func joining(m *machine)      { m.initialized = false }

func TestWhatTakesAMachineAwayInAnyCase(t *testing.T) {
	week := 7 * 24 * time.Hour
	spotOfAKS := func(m *machine) { m.node.Labels = map[string]string{"kubernetes.azure.com/scalesetpriority": "spot"} }
	edits := func(e ...func(*machine)) []func(*machine) { return e }
	tests := []struct {
		name  string
		edits []func(*machine)
		want  string
	}{
		{"nothing", nil, ""},
		{"its node is being deleted", edits(deletedNode), v1alpha1.RemovalDeleted},
		{"its claim is being deleted", edits(deletedClaim), v1alpha1.RemovalDeleted},
		{"a claim that is deleted before its node came", edits(deletedClaim, joining, func(m *machine) { m.node = nil }), v1alpha1.RemovalDeleted},
		{"others delete a node of theirs", edits(deletedNode, unmanaged), ""},

		{"its claim expires this instant", edits(expiresAfter(week)), v1alpha1.RemovalExpired},
		{"its claim expires in a second", edits(expiresAfter(week + time.Second)), ""},
		{"its claim never expires", edits(), ""},
		{"its claim does not say how old it is", edits(expiresAfter(week), func(m *machine) { m.claim.CreationTimestamp = metav1.Time{} }), ""},
		{"a node without a claim does not expire", edits(withoutClaim), ""},

		{"the provider's feed says so", edits(annotated(v1alpha1.AnnotationInterruption, "2026-12-01T12:02:00Z")), v1alpha1.RemovalInterrupted},
		{
			"the provider's feed says so on the claim",
			edits(func(m *machine) {
				metav1.SetMetaDataAnnotation(&m.claim.ObjectMeta, v1alpha1.AnnotationInterruption, "2026-12-01T12:02:00Z")
			}),
			v1alpha1.RemovalInterrupted,
		},
		{"a notice of AWS", edits(tainted("aws-node-termination-handler/spot-itn")), v1alpha1.RemovalInterrupted},
		{"a recommendation of AWS is none", edits(tainted("aws-node-termination-handler/rebalance-recommendation")), ""},
		{"a notice of Google Cloud", edits(tainted("cloud.google.com/impending-node-termination")), v1alpha1.RemovalInterrupted},
		{"a notice of Azure", edits(tainted("remediator.kubernetes.azure.com/unschedulable"), spotOfAKS), v1alpha1.RemovalInterrupted},
		{"a repair of Azure is none", edits(tainted("remediator.kubernetes.azure.com/unschedulable")), ""},
		{"a notice to a node of others", edits(tainted("aws-node-termination-handler/spot-itn"), unmanaged), ""},

		{"not ready for half an hour", edits(notReadyFor(30*time.Minute, corev1.ConditionFalse)), v1alpha1.RemovalUnhealthy},
		{"not heard of for half an hour", edits(notReadyFor(30*time.Minute, corev1.ConditionUnknown)), v1alpha1.RemovalUnhealthy},
		{"not ready for a little less", edits(notReadyFor(30*time.Minute-time.Second, corev1.ConditionFalse)), ""},
		{"not ready for too long on its way", edits(notReadyFor(time.Hour, corev1.ConditionFalse), joining), v1alpha1.RemovalUnhealthy},
		{"not ready since nobody knows when", edits(func(m *machine) { m.node.Status.Conditions[0].Status = corev1.ConditionFalse }), ""},

		{"deleted comes before all", edits(deletedNode, tainted("aws-node-termination-handler/spot-itn"), notReadyFor(time.Hour, corev1.ConditionFalse), expiresAfter(week)), v1alpha1.RemovalDeleted},
		{"then interrupted", edits(tainted("aws-node-termination-handler/spot-itn"), notReadyFor(time.Hour, corev1.ConditionFalse), expiresAfter(week)), v1alpha1.RemovalInterrupted},
		{"then unhealthy", edits(notReadyFor(time.Hour, corev1.ConditionFalse), expiresAfter(week)), v1alpha1.RemovalUnhealthy},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newTestMachine("n1", tt.edits...)
			standing(m).disrupt(nil)
			require.Equal(t, tt.want, m.goes)
		})
	}
}

func TestNothingHoldsAMachineThatGoesAnyway(t *testing.T) {
	c, m := burdened()
	expiresAfter(time.Hour)(m)
	c.disrupt(nil)
	require.Equal(t, v1alpha1.RemovalExpired, m.goes)
	require.Empty(t, m.voluntary)
	require.False(t, m.drifted, "it goes as expired")
}
