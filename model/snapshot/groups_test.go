package snapshot

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestPodsAreGroupedByWhatRulesLookAt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		edit func(*corev1.Pod)
		want int
	}{
		{"pods alike are one group", func(*corev1.Pod) {}, 1},
		{"names, labels and owners make no difference", func(p *corev1.Pod) {
			p.Namespace, p.Labels = "other", map[string]string{"x": "y"}
			p.OwnerReferences = nil
		}, 1},
		{"requests do", func(p *corev1.Pod) { p.Spec.Containers[0] = container("cpu", "2") }, 2},
		{"requests that come to the same do not", func(p *corev1.Pod) { p.Spec.Containers[0] = container("cpu", "0.1") }, 1},
		{"selectors do", selecting("a", "b"), 2},
		{"affinity does", asking(in("a", "b")), 2},
		{"tolerations do", tolerating(corev1.Toleration{Operator: "Exists"}), 2},
		{"host ports do", taking(hostPort80("", "")), 2},
		{"priority does", func(p *corev1.Pod) { p.Spec.Priority = ptr.To[int32](1) }, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, nodePool("default"), sold("m", 4), waits("a", 100), waits("b", 100, test.edit), waits("c", 100))
			require.Len(t, c.Problem.Groups, test.want)
			demand := 0
			for _, g := range c.Problem.Groups {
				demand += g.Demand
			}
			require.Equal(t, 3, demand)
			require.Equal(t, "default/a", c.Problem.Groups[0].Name)
		})
	}
}

func TestPodsThatNeedAPlaceComeFirst(t *testing.T) {
	t.Parallel()
	gone := runs("n1", func(n *corev1.Node) { now := ago(0); n.DeletionTimestamp = &now })
	c := compileOf(t, nodePool("default"), sold("m", 4), gone, runs("n2"),
		waits("a", 100, on("n2")), waits("b", 100, on("n1")), waits("c", 100), waits("d", 100, on("n2")))
	require.Len(t, c.groups, 1)
	require.Equal(t, []string{"b", "c", "a", "d"}, podNames(c.groups[0].pods))
	require.Equal(t, 2, c.Problem.Groups[0].Demand)
	require.Equal(t, "default/b", c.Problem.Groups[0].Name)
	require.Equal(t, model.Origin{Pool: model.None}, c.Problem.Groups[0].Origin)
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	gone := runs("n1", func(n *corev1.Node) { now := ago(0); n.DeletionTimestamp = &now })
	spot := runs("n3", labeledNode(karpv1.CapacityTypeLabelKey, "spot"))
	balanced := func(p *karpv1.NodePool) {
		p.Spec.Disruption.ConsolidationPolicy = karpv1.ConsolidationPolicyBalanced
	}
	any, pending, displaced, resident := "any", "pending", "displaced", "resident"
	kinds := map[model.OriginKind]string{model.AnyOrigin: any, model.Pending: pending, model.Displaced: displaced, model.Resident: resident}
	for _, test := range []struct {
		name   string
		things []interface{}
		want   []string // of the pods pending, on n1 (going), n2 and n3 (spot)
	}{
		{"no rule asks", []interface{}{nodePool("default")}, []string{any, any, any, any}},
		{"a node on its way asks", []interface{}{nodePool("default"), nodeClaim("c")}, []string{pending, displaced, resident, resident}},
		{"movePending asks", []interface{}{nodePool("default"), v1alpha1.Policy{MovePending: ptr.To(false)}}, []string{pending, displaced}},
		{"a Balanced pool asks for the pool", []interface{}{nodePool("default", balanced)}, []string{pending, displaced + "/0", resident + "/0", resident + "/0"}},
		{"spot flexibility asks for spot", []interface{}{nodePool("default"), v1alpha1.Policy{SpotFlexibility: ptr.To[int32](2)}}, []string{pending, displaced, resident, resident + "/spot"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			things := append([]interface{}{
				sold("m", 4, offered(v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand"}, v1alpha1.Offering{Zone: "z1", CapacityType: "spot"})),
				gone, runs("n2"), spot, waits("p", 100), waits("a", 100, on("n1")), waits("b", 100, on("n2")), waits("c", 100, on("n3")),
			}, test.things...)
			c := compileOf(t, things...)
			for i, pod := range []string{"p", "a", "b", "c"}[:len(test.want)] {
				o := c.Problem.Groups[groupFor(c, pod)].Origin
				got := kinds[o.Kind]
				if o.Pool != model.None {
					got += fmt.Sprintf("/%d", o.Pool)
				}
				if o.Spot {
					got += "/spot"
				}
				require.Equal(t, test.want[i], got, pod)
			}
		})
	}
}
