package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// TestAntiAffinityTerms: p-1 is placed beside b-1, which is of namespace
// "other" with label env=prod, and has labels app=b and version=1; p-1 has version=1, too.
func TestAntiAffinityTerms(t *testing.T) {
	t.Parallel()
	prod := &metav1.LabelSelector{MatchLabels: map[string]string{"env": "prod"}}
	for _, tt := range []struct {
		name string
		term corev1.PodAffinityTerm
		want []string
	}{
		{"of its own namespace", corev1.PodAffinityTerm{LabelSelector: selectApp("b")}, nil},
		{"of a namespace by name", corev1.PodAffinityTerm{LabelSelector: selectApp("b"), Namespaces: []string{"other"}}, []string{verify.RulePodAntiAffinity}},
		{"of namespaces by label", corev1.PodAffinityTerm{LabelSelector: selectApp("b"), NamespaceSelector: prod}, []string{verify.RulePodAntiAffinity}},
		{"of all namespaces", corev1.PodAffinityTerm{LabelSelector: selectApp("b"), NamespaceSelector: &metav1.LabelSelector{}}, []string{verify.RulePodAntiAffinity}},
		{"of a namespace by the label of its name", corev1.PodAffinityTerm{LabelSelector: selectApp("b"), NamespaceSelector: &metav1.LabelSelector{
			MatchLabels: map[string]string{corev1.LabelMetadataName: "other"},
		}}, []string{verify.RulePodAntiAffinity}},
		{"of another namespace", corev1.PodAffinityTerm{LabelSelector: selectApp("b"), Namespaces: []string{"third"}}, nil},
		{"without a selector", corev1.PodAffinityTerm{Namespaces: []string{"other"}}, nil},
		{"of every pod", corev1.PodAffinityTerm{LabelSelector: &metav1.LabelSelector{}, Namespaces: []string{"other"}}, []string{verify.RulePodAntiAffinity}},
		{"of the same version", corev1.PodAffinityTerm{LabelSelector: selectApp("b"), Namespaces: []string{"other"}, MatchLabelKeys: []string{"version"}}, []string{verify.RulePodAntiAffinity}},
		{"of another version", corev1.PodAffinityTerm{LabelSelector: selectApp("b"), Namespaces: []string{"other"}, MismatchLabelKeys: []string{"version"}}, nil},
		{"that cannot be read", corev1.PodAffinityTerm{Namespaces: []string{"other"}, LabelSelector: &metav1.LabelSelector{
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Near"}},
		}}, nil},
	} {
		c, p := purchase()
		b := newPod("b-1", "1", "1Gi")
		b.Namespace, b.Labels["version"] = "other", "1"
		c.run("n1", "s", "default", b)
		c.add(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other", Labels: prod.MatchLabels}})
		tt.term.TopologyKey = corev1.LabelHostname
		c.pods["p-1"].Labels["version"] = "1"
		c.pods["p-1"].Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{tt.term},
		}}
		p.Launches, p.Steps = nil, nil
		p.Placements = []v1alpha1.Destination{toNode("p-1", "n1")}
		p.keep(v1alpha1.KeptOptimal, "n1")
		p.cost(0.2, 0.2, 0, 0, 0)
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)

		b.DeletionTimestamp = ptr.To(ago(0))
		require.Empty(t, verify.Plan(c.Snapshot, p.Plan), tt.name+", and b-1 goes")
	}
}
