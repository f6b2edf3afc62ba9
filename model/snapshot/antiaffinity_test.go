package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// avoiding keeps the pod off hosts with pods that have the app label.
func avoiding(app string, edits ...func(*corev1.PodAffinityTerm)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = apartFrom("app", app)
		for _, edit := range edits {
			edit(&p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0])
		}
	}
}

func TestAntiAffinity(t *testing.T) {
	t.Parallel()
	inNamespace := func(name string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Namespace = name } }
	namespaces := func(names ...string) func(*corev1.PodAffinityTerm) {
		return func(t *corev1.PodAffinityTerm) { t.Namespaces = names }
	}
	teams := func(labels ...string) func(*corev1.PodAffinityTerm) {
		return func(t *corev1.PodAffinityTerm) { t.NamespaceSelector = labelsAre(labels...) }
	}
	far := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "far", Labels: map[string]string{"team": "x"}}}
	for _, test := range []struct {
		name  string
		other *corev1.Pod
		pod   *corev1.Pod
		apart bool
	}{
		{"pods without terms share", waits("b", 2), waits("a", 1), false},
		{"a term keeps its pod away", waits("b", 2), waits("a", 1, avoiding("b")), true},
		{"a term keeps others away from its pod", waits("b", 2, avoiding("a")), waits("a", 1), true},
		{"a term for others does not", waits("b", 2), waits("a", 1, avoiding("c")), false},
		{"a term looks at its own namespace", waits("b", 2, inNamespace("far")), waits("a", 1, avoiding("b")), false},
		{"or at those it lists", waits("b", 2, inNamespace("far")), waits("a", 1, avoiding("b", namespaces("far"))), true},
		{"or at those with labels", waits("b", 2, inNamespace("far")), waits("a", 1, avoiding("b", teams("team", "x"))), true},
		{"but not with other labels", waits("b", 2, inNamespace("far")), waits("a", 1, avoiding("b", teams("team", "y"))), false},
		{"an empty namespace selector means all", waits("b", 2, inNamespace("nowhere")), waits("a", 1, avoiding("b", teams())), true},
		{"a namespace bears its name", waits("b", 2, inNamespace("nowhere")), waits("a", 1, avoiding("b", teams(corev1.LabelMetadataName, "nowhere"))), true},
		{"an empty selector means all pods", waits("b", 2), waits("a", 1, avoiding("", func(t *corev1.PodAffinityTerm) { t.LabelSelector = &metav1.LabelSelector{} })), true},
		{"no selector means none", waits("b", 2), waits("a", 1, avoiding("", func(t *corev1.PodAffinityTerm) { t.LabelSelector = nil })), false},
		{"another topology is not this rule's", waits("b", 2), waits("a", 1, avoiding("b", func(t *corev1.PodAffinityTerm) { t.TopologyKey = corev1.LabelTopologyZone })), false},
		{
			"matchLabelKeys narrow the selector to the pod's own values", waits("b", 2, func(p *corev1.Pod) { p.Labels["v"] = "1" }),
			waits("a", 1, func(p *corev1.Pod) { p.Labels["v"] = "2" }, avoiding("b", func(t *corev1.PodAffinityTerm) { t.MatchLabelKeys = []string{"v"} })), false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			running := test.other.DeepCopy()
			running.Name, running.Spec.NodeName = "running", "n1"
			c := compileOf(t, far, nodePool("default"), sold("m", 4), runs("n1"), running, test.other, test.pod)
			a, b := groupFor(c, "a"), groupFor(c, "b")
			require.Equal(t, !test.apart, len(nodesFor(c, "a")) == 1, "with a running pod")
			require.Equal(t, test.apart, len(c.Problem.Groups[a].Conflicts) == 1 && int(c.Problem.Groups[a].Conflicts[0]) == b, "with a pending pod")
			require.Equal(t, len(c.Problem.Groups[a].Conflicts), len(c.Problem.Groups[b].Conflicts), "in both directions")
		})
	}
}

func TestAntiAffinityWithItself(t *testing.T) {
	t.Parallel()
	app := func(p *corev1.Pod) { p.Labels["app"] = "db" }
	c := compileOf(t, nodePool("default"), sold("m", 4), runs("n1"), runs("n2"),
		waits("db-0", 1, on("n1"), app, avoiding("db")), waits("db-1", 1, app, avoiding("db")), waits("db-2", 1, app, avoiding("db")))
	g := c.Problem.Groups[groupFor(c, "db-1")]
	require.Equal(t, 1, g.MaxPerMachine)
	require.Equal(t, 2, g.Demand)
	require.Empty(t, g.Conflicts)
	require.Equal(t, []string{"n2"}, nodesFor(c, "db-1"))
}

func TestLabelsMatterOnlyIfATermLooksAtThem(t *testing.T) {
	t.Parallel()
	things := []any{nodePool("default"), sold("m", 4), waits("a", 1), waits("b", 1)}
	require.Len(t, compileOf(t, things...).Problem.Groups, 1)
	require.Len(t, compileOf(t, append(things, waits("c", 1, avoiding("a")))...).Problem.Groups, 3)
}
