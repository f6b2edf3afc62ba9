package snapshot

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// leaving is why the machine is taken away whatever anybody asks for, the most
// pressing reason first, or empty. No budget, hold, window or protection stops
// it. Machines that are not managed are left to others.
func (c *Compiled) leaving(m *machine) string {
	switch {
	case m.pool == nil:
		return ""
	case m.beingDeleted():
		return v1alpha1.RemovalDeleted
	case m.interrupted():
		return v1alpha1.RemovalInterrupted
	case c.unhealthy(m):
		return v1alpha1.RemovalUnhealthy
	case c.expired(m):
		return v1alpha1.RemovalExpired
	}
	return ""
}

// beingDeleted says whether the node or its claim is being deleted already.
func (m *machine) beingDeleted() bool {
	return m.node != nil && m.node.DeletionTimestamp != nil || m.claim != nil && m.claim.DeletionTimestamp != nil
}

// expired says whether the claim is older than it may grow.
func (c *Compiled) expired(m *machine) bool {
	if m.claim == nil || m.claim.Spec.ExpireAfter.Duration == nil || m.claim.CreationTimestamp.IsZero() {
		return false
	}
	end := m.claim.CreationTimestamp.Add(*m.claim.Spec.ExpireAfter.Duration)
	return !end.After(c.cluster.now)
}

// unhealthy says whether the node has not been ready for as long as the policy waits.
func (c *Compiled) unhealthy(m *machine) bool {
	cond := m.readyCondition()
	if cond == nil || cond.Status == corev1.ConditionTrue || cond.LastTransitionTime.IsZero() {
		return false
	}
	return c.cluster.now.Sub(cond.LastTransitionTime.Time) >= c.policy.RepairAfter.Duration
}

// interrupted says whether the provider has announced that it takes the machine away.
func (m *machine) interrupted() bool {
	return m.interruption() != "" || m.node != nil && slices.ContainsFunc(m.node.Spec.Taints, m.isNotice)
}

// interruption is the deadline that the provider's feed has written on the node or its claim.
func (m *machine) interruption() string {
	return cmp.Or(m.nodeAnnotation(v1alpha1.AnnotationInterruption), m.claimAnnotation(v1alpha1.AnnotationInterruption))
}

// noticeTaints are what the clouds' agents put on a node whose machine is about to be taken away.
var noticeTaints = []string{
	"aws-node-termination-handler/spot-itn",
	"aws-node-termination-handler/asg-lifecycle-termination",
	"cloud.google.com/impending-node-termination",
}

// spotNoticeTaints say the same on a spot node of AKS; on others they announce a repair.
var spotNoticeTaints = []string{
	"remediator.kubernetes.azure.com/unschedulable",
	"remediator.aks.microsoft.com/unschedulable",
}

func (m *machine) isNotice(t corev1.Taint) bool {
	return slices.Contains(noticeTaints, t.Key) ||
		slices.Contains(spotNoticeTaints, t.Key) && m.node.Labels["kubernetes.azure.com/scalesetpriority"] == "spot"
}

// warnOfDeadlines names the interruptions whose deadline cannot be read.
func (c *Compiled) warnOfDeadlines() {
	for _, m := range c.nodes {
		deadline := m.interruption()
		if _, err := time.Parse(time.RFC3339, deadline); deadline != "" && m.pool != nil && err != nil {
			c.warn("%s: annotation %s %q is no RFC 3339 time: the interruption counts all the same", m, v1alpha1.AnnotationInterruption, deadline)
		}
	}
}
