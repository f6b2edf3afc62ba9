package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func labelsAre(pairs ...string) *metav1.LabelSelector {
	s := &metav1.LabelSelector{MatchLabels: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		s.MatchLabels[pairs[i]] = pairs[i+1]
	}
	return s
}

func TestCharges(t *testing.T) {
	t.Parallel()
	spot := labelsAre(karpv1.CapacityTypeLabelKey, "spot")
	policy := v1alpha1.Policy{
		NodeFee:           ptr.To(0.01),
		NodeFees:          []v1alpha1.SelectorFee{{Selector: spot, Fee: 0.02}, {Selector: labelsAre(karpv1.NodePoolLabelKey, "default"), Fee: 0.04}},
		SpotRisk:          ptr.To(0.1),
		OfferingPenalties: []v1alpha1.SelectorAmount{{Selector: spot, PerHour: 0.2}, {Selector: nil, PerHour: 0.4}},
		StartupCost:       ptr.To(2.4),
		StartupCosts:      []v1alpha1.SelectorCost{{Selector: spot, Cost: 4.8}, {Selector: spot, Cost: 7.2}},
		Horizon:           &metav1.Duration{Duration: 24 * time.Hour},
	}
	both := offered(v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand"}, v1alpha1.Offering{Zone: "z1", CapacityType: "spot"})
	c := compileOf(t, policy, sold("m", 4, both), nodePool("default"),
		runs("n1", labeledNode(karpv1.CapacityTypeLabelKey, "spot")), runs("n2", withoutLabel(karpv1.NodePoolLabelKey)))

	onDemand, onSpot := c.Problem.Shapes[0], c.Problem.Shapes[1]
	require.Equal(t, model.Dollars(0.05), onDemand.Fee, "fees add up")
	require.Equal(t, model.Dollars(0.07), onSpot.Fee)
	require.Equal(t, model.Dollars(0.4), onDemand.Penalty, "an absent selector matches all")
	require.Equal(t, model.Dollars(0.7), onSpot.Penalty, "penalties add up")
	require.Equal(t, model.Dollars(0.1), onDemand.Startup, "spread over the horizon")
	require.Equal(t, model.Dollars(0.3), onSpot.Startup, "the last selector that matches decides")

	ours, others := c.Problem.Nodes[0], c.Problem.Nodes[1]
	require.Equal(t, model.Dollars(0.07), ours.Fee)
	require.Equal(t, model.Dollars(0.7), ours.Penalty)
	require.Equal(t, model.Dollars(0.01), others.Fee, "nodes of others bear fees, too")
	require.Equal(t, model.Dollars(0.4), others.Penalty)
}
