package scenarios_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// TestASecondPlanIsEmpty carries each scenario's plan out and plans the outcome:
// where the first was proved the best, nothing is left to do by choice.
func TestASecondPlanIsEmpty(t *testing.T) {
	for name, s := range load(t, casesFolder) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := s.cluster
			first := makePlan(t, c.snapshot(), false)
			c.apply(first, 1)
			second := makePlan(t, c.snapshot(), false)
			require.LessOrEqual(t, second.Cost.Objective.Total, first.Cost.Objective.Total+1e-6)
			if !settled(s, first) {
				return
			}
			require.Empty(t, second.Launches)
			require.Empty(t, second.Removals)
		})
	}
}

// settled says whether the plan is proved to be the best, and once it is carried
// out no rule opens that it had to obey: budgets are free again, pods wait no
// longer, pool weights are asked of launches only, and what is taken of a
// reservation is still in the short form's catalog.
func settled(s *scenario, p *v1alpha1.Plan) bool {
	opens := slices.ContainsFunc(p.Kept, func(k v1alpha1.Kept) bool {
		return k.Reason == v1alpha1.KeptBudget || k.Reason == v1alpha1.KeptConsolidationOff || k.Reason == v1alpha1.KeptNominated
	})
	reserved := slices.ContainsFunc(p.Launches, func(l v1alpha1.Launch) bool { return l.CapacityType == karpv1.CapacityTypeReserved })
	return p.Outcome == v1alpha1.Optimal && !opens && !reserved && ptr.Deref(s.Policy.MovePending, true) && s.Policy.PoolOrder != v1alpha1.PoolOrderWeight
}
