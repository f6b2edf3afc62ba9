package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func TestWhatProtectsANodeByAnnotation(t *testing.T) {
	protectedNode := func(value string) *machine {
		return newTestMachine("n1", annotated(karpv1.DoNotDisruptAnnotationKey, value))
	}
	protectedPod := func(value string, edits ...func(*corev1.Pod)) *machine {
		return newTestMachine("n1", withPods(newTestPod("a"), newTestPod("db-1", append(edits, protectedBy(value))...)))
	}
	unknownStart := func(p *corev1.Pod) { p.Status.StartTime = nil }
	tests := []struct {
		name string
		m    *machine
		says string // empty: not protected
	}{
		{"a node that says true", protectedNode("true"), "node n1 is protected by karpenter.sh/do-not-disrupt"},
		{"a node reads no durations", protectedNode("1h"), ""},
		{"a node says true exactly", protectedNode("True"), ""},
		{"a pod that says true", protectedPod("true"), "pod default/db-1 is protected by karpenter.sh/do-not-disrupt"},
		{"a pod for ten minutes, at nine", protectedPod("10m", startedAgo(9*time.Minute)), "pod default/db-1 is protected by karpenter.sh/do-not-disrupt until 2026-12-01T12:01:00Z"},
		{"a pod for ten minutes, at ten", protectedPod("10m", startedAgo(10*time.Minute)), ""},
		{"a pod whose start is not known", protectedPod("10m", unknownStart), "pod default/db-1 is protected by karpenter.sh/do-not-disrupt for 10m0s from its start, which is not known"},
		{"a pod for no time", protectedPod("0s"), ""},
		{"a pod for less than no time", protectedPod("-1h", unknownStart), ""},
		{"a pod that says what cannot be read", protectedPod("soon"), ""},
		{"a pod that says false", protectedPod("false"), ""},
		{"a pod of a DaemonSet", protectedPod("true", ownedByA("apps/v1", "DaemonSet")), "pod default/db-1 is protected by karpenter.sh/do-not-disrupt"},
		{"a static pod", protectedPod("true", ownedByA("v1", "Node")), "pod default/db-1 is protected by karpenter.sh/do-not-disrupt"},
		{"a finished pod", protectedPod("true", finished), ""},
		{"a pod that ends", protectedPod("true", ending), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			standing(tt.m).disrupt(nil)
			require.Equal(t, tt.says, tt.m.voluntaryMessage)
			if tt.says != "" {
				require.Equal(t, v1alpha1.KeptDoNotDisrupt, tt.m.voluntary)
			}
		})
	}
}

func TestAnEndOfLifeLiftsTheProtectionOfPodsFromDriftAlone(t *testing.T) {
	bounded := func(m *machine) { m.claim.Spec.TerminationGracePeriod = &metav1.Duration{Duration: time.Hour} }
	guarded := withPods(newTestPod("a", protectedBy("true")))
	tests := []struct {
		name  string
		m     *machine
		drift string
	}{
		{"without it a protected pod holds", newTestMachine("n1", guarded), v1alpha1.KeptDoNotDisrupt},
		{"with it none does", newTestMachine("n1", guarded, bounded), ""},
		{"nor does a bare pod", newTestMachine("n1", withPods(newTestPod("a", bareTestPod)), bounded), ""},
		{"a protected node holds all the same", newTestMachine("n1", annotated(karpv1.DoNotDisruptAnnotationKey, "true"), bounded), v1alpha1.KeptDoNotDisrupt},
		{"so does a hold", newTestMachine("n1", annotated(v1alpha1.AnnotationHold, "true"), bounded), v1alpha1.KeptHold},
		{
			"the pool's does not reach claims of before",
			newTestMachine("n1", guarded, withPool(func(p *karpv1.NodePool) {
				p.Spec.Template.Spec.TerminationGracePeriod = &metav1.Duration{Duration: time.Hour}
			})),
			v1alpha1.KeptDoNotDisrupt,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			claimSays(karpv1.ConditionTypeDrifted)(tt.m)
			standing(tt.m).disrupt(nil)
			require.True(t, tt.m.drifted)
			require.Equal(t, ago(time.Hour).Time, tt.m.driftedSince)
			require.Equal(t, tt.drift, tt.m.drift)
			require.NotEmpty(t, tt.m.voluntary, "the savings respect it in any case")
		})
	}
}

func TestJobsAreProtectedOnRequest(t *testing.T) {
	m := newTestMachine("n1", withPods(newTestPod("job-a", ownedByA("batch/v1", "Job"))))
	c := standing(m)
	c.disrupt(nil)
	require.Empty(t, m.voluntary)

	*c.policy.ProtectJobs = true
	c.disrupt(nil)
	require.Equal(t, v1alpha1.KeptProtectedJob, m.voluntary)
	require.Contains(t, m.voluntaryMessage, "default/job-a")

	finished(m.pods[0])
	c.disrupt(nil)
	require.Empty(t, m.voluntary)
}
