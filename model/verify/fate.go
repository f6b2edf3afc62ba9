package verify

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// forcedReasons are those of nodes that go whatever a plan decides.
var forcedReasons = map[string]bool{
	v1alpha1.RemovalDeleted:     true,
	v1alpha1.RemovalExpired:     true,
	v1alpha1.RemovalInterrupted: true,
	v1alpha1.RemovalUnhealthy:   true,
}

// interruptionTaints are put on a node that its provider is about to take away.
var interruptionTaints = []string{
	"aws-node-termination-handler/spot-itn",
	"aws-node-termination-handler/asg-lifecycle-termination",
	"cloud.google.com/impending-node-termination",
}

// spotTaints say the same on a spot node of AKS; elsewhere they announce a repair.
var spotTaints = []string{
	"remediator.kubernetes.azure.com/unschedulable",
	"remediator.aks.microsoft.com/unschedulable",
}

// goesAnyway lists the reasons why the machine goes whatever a plan decides,
// none if it does not. A node that is being deleted goes for that alone.
func (c *cluster) goesAnyway(m *machine) []string {
	if m.launch != nil || m.pool == nil {
		return nil
	}
	if m.deleting() {
		return []string{v1alpha1.RemovalDeleted}
	}
	var out []string
	if c.expired(m) {
		out = append(out, v1alpha1.RemovalExpired)
	}
	if m.interrupted() {
		out = append(out, v1alpha1.RemovalInterrupted)
	}
	if c.unhealthy(m) {
		out = append(out, v1alpha1.RemovalUnhealthy)
	}
	return out
}

// expired says whether the claim has lived as long as it may.
func (c *cluster) expired(m *machine) bool {
	if m.claim == nil || m.claim.Spec.ExpireAfter.Duration == nil || m.claim.CreationTimestamp.IsZero() {
		return false
	}
	return !m.claim.CreationTimestamp.Add(*m.claim.Spec.ExpireAfter.Duration).After(c.now)
}

// interrupted says whether the provider is about to take the machine away.
func (m *machine) interrupted() bool {
	const key = v1alpha1.AnnotationInterruption
	if m.claim != nil && m.claim.Annotations[key] != "" || m.node != nil && m.node.Annotations[key] != "" {
		return true
	}
	return m.node != nil && slices.ContainsFunc(m.node.Spec.Taints, func(t corev1.Taint) bool {
		return slices.Contains(interruptionTaints, t.Key) || m.boughtSpot() && slices.Contains(spotTaints, t.Key)
	})
}

// unhealthy says whether the node has not been ready for as long as the policy bears.
func (c *cluster) unhealthy(m *machine) bool {
	if !m.notReady() {
		return false
	}
	since := m.readyCondition().LastTransitionTime
	return !since.IsZero() && !since.Add(c.policy.RepairAfter.Duration).After(c.now)
}

// drifted says whether the machine no longer is what its pool asks for.
func (m *machine) drifted() bool {
	return m.claim != nil && claimIs(m.claim, karpv1.ConditionTypeDrifted)
}

// reasons are those for which the machine may be removed, what forbids it
// left aside: the first is the one to take if none is stated.
func (c *cluster) reasons(m *machine) []string {
	if forced := c.goesAnyway(m); len(forced) > 0 {
		return forced
	}
	if m.pool == nil && m.deleting() {
		return []string{v1alpha1.RemovalDeleted}
	}
	out := []string{v1alpha1.RemovalUnderutilized}
	switch pods := m.movable(); {
	case len(pods) == 0:
		out = []string{v1alpha1.RemovalEmpty}
	case !slices.ContainsFunc(pods, func(p *pod) bool { return !p.bare() }):
		out = append(out, v1alpha1.RemovalEmpty) // all of its pods are lost
	}
	if m.drifted() {
		out = append(out, v1alpha1.RemovalDrifted)
	}
	return out
}

// effectiveReason is the stated reason if the machine has it, else the first it has.
func (c *cluster) effectiveReason(m *machine, stated string) string {
	all := c.reasons(m)
	if slices.Contains(all, stated) {
		return stated
	}
	return all[0]
}

// since is how long ago t was; negative if it is still to come.
func (c *cluster) since(t time.Time) time.Duration { return c.now.Sub(t) }
