package snapshot

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func TestOpenLabels(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		pool *karpv1.NodePool
		pods []*corev1.Pod
		want []string // label team of each shape, "-" without
	}{
		{"a label that nobody asks for is left open", nodePool("default", requiring("team", "In", "a", "b")), nil, []string{"-"}},
		{"a single value is the label", nodePool("default", requiring("team", "In", "a")), nil, []string{"a"}},
		{"a value asked for gets a shape, and so does another", nodePool("default", requiring("team", "In", "a", "b", "c")), []*corev1.Pod{waits("p", 1, selecting("team", "b"))}, []string{"b", "a"}},
		{"when all values are asked for there is no other", nodePool("default", requiring("team", "In", "a", "b")), []*corev1.Pod{waits("p", 1, selecting("team", "b")), waits("q", 1, selecting("team", "a"))}, []string{"a", "b"}},
		{"a value that the pool does not allow gets none", nodePool("default", requiring("team", "In", "a", "b")), []*corev1.Pod{waits("p", 1, selecting("team", "x"))}, []string{"a"}},
		{"Exists allows any value, and makes one up", nodePool("default", requiring("team", "Exists")), []*corev1.Pod{waits("p", 1, selecting("team", "x"))}, []string{"x", "0"}},
		{"NotIn allows all others", nodePool("default", requiring("team", "NotIn", "x", "0")), []*corev1.Pod{waits("p", 1, selecting("team", "x")), waits("q", 1, selecting("team", "y"))}, []string{"y", "1"}},
		{"bounds allow numbers", nodePool("default", requiring("team", "Gt", "5")), []*corev1.Pod{waits("p", 1, selecting("team", "5")), waits("q", 1, selecting("team", "6"))}, []string{"6", "7"}},
		{"a comparison asks for the next number", nodePool("default", requiring("team", "Exists")), []*corev1.Pod{waits("p", 1, asking(corev1.NodeSelectorRequirement{Key: "team", Operator: "Gt", Values: []string{"9"}}))}, []string{"10", "0"}},
		{"a label that the pool forbids is not there", nodePool("default", requiring("team", "DoesNotExist")), []*corev1.Pod{waits("p", 1, selecting("team", "x"))}, []string{"-"}},
		{"a label that the pool does not speak of is not there", nodePool("default"), []*corev1.Pod{waits("p", 1, selecting("team", "x"))}, []string{"-"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			things := []any{test.pool, sold("m", 4)}
			for _, p := range test.pods {
				things = append(things, p)
			}
			c := compileOf(t, things...)
			var got []string
			for i := range c.shapes {
				value, ok := c.shapes[i].labels["team"]
				if !ok {
					value = "-"
				}
				got = append(got, value)
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestPodsOfOpenLabelsGetTheirOwnShapes(t *testing.T) {
	t.Parallel()
	c := compileOf(t, nodePool("default", requiring("team", "Exists")), sold("m", 4),
		waits("a", 1, selecting("team", "a")), waits("b", 1, selecting("team", "b")), waits("other", 1, asking(corev1.NodeSelectorRequirement{Key: "team", Operator: "NotIn", Values: []string{"a", "b"}})))
	require.Equal(t, []string{"default/m/z1/on-demand/team=a"}, shapesFor(c, "a"))
	require.Equal(t, []string{"default/m/z1/on-demand/team=b"}, shapesFor(c, "b"))
	require.Equal(t, []string{"default/m/z1/on-demand/team=0"}, shapesFor(c, "other"))
}

func TestTypesThatRunSeveralSystemsAreLinux(t *testing.T) {
	t.Parallel()
	either := func(it *v1alpha1.InstanceType) { it.Requirements[1].Values = []string{"windows", "linux"} }
	c := compileOf(t, nodePool("default"), sold("m", 4, either), waits("p", 1), waits("l", 2, selecting(corev1.LabelOSStable, "linux")))
	require.Len(t, shapesFor(c, "p"), 1)
	require.Equal(t, shapesFor(c, "p"), shapesFor(c, "l"))

	c = compileOf(t, nodePool("default"), sold("m", 4, either), waits("w", 2, selecting(corev1.LabelOSStable, "windows")))
	require.Len(t, shapesFor(c, "w"), 1)
}

func TestTooManyOpenLabelsAreSaid(t *testing.T) {
	t.Parallel()
	things := []any{nodePool("default", requiring("a", "Exists"), requiring("b", "Exists")), sold("m", 4)}
	for i := range 10 {
		things = append(things, waits(fmt.Sprintf("p%d", i), 1, func(p *corev1.Pod) {
			p.Spec.NodeSelector = map[string]string{"a": fmt.Sprint("x", i), "b": fmt.Sprint("y", i)}
		}))
	}
	c := compileOf(t, things...)
	require.LessOrEqual(t, len(c.shapes), mostVariants)
	require.Contains(t, c.Warnings, "node pool default leaves labels open (a, b) in more ways than are planned with: the first 64 are")
}

func TestUnspokenValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"0", "1", "2", "3", "a", "b"}), 1, 5, rapid.ID)
		r := scheduling.NewRequirement("k", rapid.SampledFrom([]corev1.NodeSelectorOperator{"In", "NotIn"}).Draw(t, "operator"), values.Draw(t, "values")...)
		if rapid.Bool().Draw(t, "bound") {
			r = r.Intersection(scheduling.NewRequirement("k", karpv1.NodeSelectorOpGte, fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "from"))))
		}
		if rapid.Bool().Draw(t, "capped") {
			r = r.Intersection(scheduling.NewRequirement("k", karpv1.NodeSelectorOpLte, fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "to"))))
		}
		spoken := values.Draw(t, "spoken")
		got, ok := unspoken(r, spoken)
		if ok {
			require.True(t, r.Has(got))
			require.NotContains(t, spoken, got)
			return
		}
		for _, candidate := range append(r.Values(), "0", "1", "2", "3", "4", "5", "6", "7", "8", "9") {
			require.True(t, !r.Has(candidate) || slices.Contains(spoken, candidate), "%s was missed", candidate)
		}
	})
}
