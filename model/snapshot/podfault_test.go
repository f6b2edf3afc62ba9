package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func TestInvalidPods(t *testing.T) {
	t.Parallel()
	const terms = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]"
	for _, test := range []struct {
		edit func(*corev1.Pod)
		want string
	}{
		{selecting("not a key", "x"), "spec.nodeSelector[not a key]: "},
		{selecting("a", "not a value"), "spec.nodeSelector[a]: "},
		{asking(corev1.NodeSelectorRequirement{Key: "a", Operator: "Near", Values: []string{"x"}}), terms + `.operator: Unsupported value: "Near"`},
		{asking(corev1.NodeSelectorRequirement{Key: "a", Operator: "Gt", Values: []string{"x"}}), terms + ".values[0]: "},
		{asking(corev1.NodeSelectorRequirement{Key: "a", Operator: "In"}), terms + ".values: "},
		{askingEither(), "nodeSelectorTerms: must have at least one"},
		{tolerating(corev1.Toleration{Key: "a"}, corev1.Toleration{Key: "a", Operator: "Exist"}), `spec.tolerations[1].operator: unknown operator "Exist"`},
		{tolerating(corev1.Toleration{Value: "x"}), "spec.tolerations[0].key: may be empty only with operator Exists"},
		{tolerating(corev1.Toleration{Key: "a", Effect: "Never"}), `spec.tolerations[0].effect: unknown effect "Never"`},
		{avoiding("x", func(t *corev1.PodAffinityTerm) { t.TopologyKey = "" }), "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: must not be empty"},
		{avoiding("x", func(t *corev1.PodAffinityTerm) {
			t.LabelSelector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}
		}), "[0].labelSelector: "},
		{avoiding("x", func(t *corev1.PodAffinityTerm) {
			t.NamespaceSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "In"}}}
		}), "[0].namespaceSelector: "},
		{func(p *corev1.Pod) { p.Spec.Containers[0] = container("cpu", "-1") }, "spec.containers[0].resources.requests[cpu]: must not be negative"},
	} {
		t.Run(test.want, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, nodePool("default"), sold("m", 4), waits("bad", 1, test.edit), waits("good", 1))
			require.Len(t, c.invalid, 1)
			require.Equal(t, "bad", c.invalid[0].pod.Name)
			require.Equal(t, v1alpha1.UnplacedInvalidPod, c.invalid[0].reason)
			require.Contains(t, c.invalid[0].message, test.want)
			require.Equal(t, []string{"good"}, podNames(c.pending), "the rest is planned")
		})
	}
}
