package snapshot

import (
	"fmt"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// noteDrift says of the machine whether it is no longer what its pool asks
// for, since when, and what stops it from going for that.
func (r *restraints) noteDrift(m *machine) {
	if m.pool == nil || !m.claimIs(karpv1.ConditionTypeDrifted) {
		return
	}
	m.drifted = true
	m.driftedSince = m.claimCondition(karpv1.ConditionTypeDrifted).LastTransitionTime.Time
	m.drift, m.driftMessage = r.first(m, model.Drifted)
}

// bounded says whether the machine's pods may stay only so long once it is
// deleted: then their protections do not stop it from drifting away.
func (m *machine) bounded() bool {
	if m.claim != nil {
		return m.claim.Spec.TerminationGracePeriod != nil
	}
	return m.pool.object.Spec.Template.Spec.TerminationGracePeriod != nil
}

// driftReported: the policy wants to hear of drift, and nothing done.
func (r *restraints) driftReported(m *machine, _ model.Removal) string {
	if r.c.policy.Drift != v1alpha1.DriftReport || !m.claimIs(karpv1.ConditionTypeDrifted) {
		return ""
	}
	return fmt.Sprintf("%s has drifted (%s), and the policy only reports drift", m, m.claimCondition(karpv1.ConditionTypeDrifted).Reason)
}
