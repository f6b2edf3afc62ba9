package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/resource"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// amountsByName reads pairs of a name and a quantity.
func amountsByName(pairs ...string) map[string]resource.Quantity {
	out := map[string]resource.Quantity{}
	for name, q := range amountsOf(pairs...) {
		out[string(name)] = q
	}
	return out
}

func TestLimits(t *testing.T) {
	t.Parallel()
	limited := nodePool("default", func(p *karpv1.NodePool) {
		p.Spec.Limits = karpv1.Limits(amountsOf("cpu", "10", "nodes", "3", "vendor.example/gpu", "2"))
		p.Annotations = map[string]string{v1alpha1.AnnotationPriceLimit: "1.25"}
	})
	c := compileOf(t, sold("m", 4), limited, nodePool("other"), runs("n1"), waits("p", 100),
		v1alpha1.Policy{Limits: amountsByName("perHour", "2.5", "nodes", "7", "memory", "1Ki")})
	require.Equal(t, []string{"cpu", "memory", "pods", "vendor.example/gpu"}, c.Problem.Resources)
	require.Equal(t, []model.Limit{
		{Pool: 0, Measure: 0, Max: 10_000},
		{Pool: 0, Measure: model.Machines, Max: 3},
		{Pool: 0, Measure: 3, Max: 2},
		{Pool: 0, Measure: model.Spending, Max: int64(model.Dollars(1.25))},
		{Pool: model.None, Measure: 1, Max: 1024},
		{Pool: model.None, Measure: model.Machines, Max: 7},
		{Pool: model.None, Measure: model.Spending, Max: int64(model.Dollars(2.5))},
	}, c.Problem.Limits)
	require.EqualValues(t, []int64{4000, 16 << 30, 110, 0}, c.Problem.Nodes[0].Capacity, "limits count what nodes have, not what pods can have")
}

func TestPriceLimit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]model.Money{"1.00": model.Dollar, "0.000000001": 1, "2": 2 * model.Dollar} {
		got, err := priceLimit(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "much", "-1"} {
		_, err := priceLimit(text)
		require.Error(t, err, text)
	}
}
