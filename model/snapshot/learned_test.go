package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

func having(pairs ...string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		for name, q := range amountsOf(pairs...) {
			n.Status.Allocatable[name] = q
		}
	}
}

func TestLiveNodesTeachCapacity(t *testing.T) {
	t.Parallel()
	const class = "vendor.example/nodeclass"
	for _, test := range []struct {
		name  string
		nodes []any
		want  int64 // millicores of a new node, 4000 in the catalog
	}{
		{"without nodes the catalog is believed", nil, 4000},
		{"a node with less is believed", []any{runs("n1", having("cpu", "3900m"))}, 3900},
		{"the least of several is", []any{runs("n1", having("cpu", "3900m")), runs("n2", having("cpu", "3800m")), runs("n3")}, 3800},
		{"a node with more is not", []any{runs("n1", having("cpu", "5"))}, 4000},
		{"a node on its way teaches nothing", []any{runs("n1", having("cpu", "3"), withoutLabel(karpv1.NodeInitializedLabelKey))}, 4000},
		{"nor does one of another pool", []any{runs("n1", having("cpu", "3"), labeledNode(karpv1.NodePoolLabelKey, "other"))}, 4000},
		{"nor one of another type", []any{runs("n1", having("cpu", "3"), labeledNode(corev1.LabelInstanceTypeStable, "l"))}, 4000},
		{"nor one of another node class", []any{runs("n1", having("cpu", "3"), labeledNode(class, "old"))}, 4000},
		{"one of the same node class does", []any{runs("n1", having("cpu", "3"), labeledNode(class, "standard"))}, 3000},
		{"nor one that nobody manages", []any{runs("n1", having("cpu", "3"), withoutLabel(karpv1.NodePoolLabelKey))}, 4000},
		{"nothing at all is not believed", []any{runs("n1", having("cpu", "0"))}, 4000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, append(test.nodes, sold("l", 8), sold("m", 4), nodePool("default", requiring(corev1.LabelInstanceTypeStable, "In", "m")), nodePool("other", requiring("no", "In", "x"), requiring("no", "NotIn", "x")), waits("p", 1))...)
			require.Equal(t, "default/m/z1/on-demand", c.Problem.Shapes[0].Name)
			require.EqualValues(t, test.want, c.Problem.Shapes[0].Allocatable[0])
			require.EqualValues(t, 4000, c.Problem.Shapes[0].Capacity[0], "limits count the catalog's capacity")
		})
	}
}

func TestOnlySomeResourcesAreTaught(t *testing.T) {
	t.Parallel()
	c := compileOf(t, nodePool("default"), sold("m", 4, carrying("x", "y")), runs("n1", having("memory", "15Gi", "vendor.example/gpu", "1")), waits("p", 1, func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Requests = amountsOf("memory", "1Gi", "vendor.example/gpu", "1")
	}))
	require.EqualValues(t, []int64{15 << 30, 110, 0}, c.Problem.Shapes[0].Allocatable, "memory is, a device is not")
}
