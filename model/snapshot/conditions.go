package snapshot

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// String names the machine as messages do.
func (m *machine) String() string {
	if m.node == nil && m.claim != nil {
		return "NodeClaim " + m.claim.Name
	}
	return "node " + m.name
}

func (m *machine) nodeAnnotation(key string) string {
	if m.node == nil {
		return ""
	}
	return m.node.Annotations[key]
}

func (m *machine) claimAnnotation(key string) string {
	if m.claim == nil {
		return ""
	}
	return m.claim.Annotations[key]
}

// ready says whether the machine's node is Ready; one that does not say is.
func (m *machine) ready() bool {
	if m.node == nil {
		return false
	}
	cond := m.readyCondition()
	return cond == nil || cond.Status == corev1.ConditionTrue
}

// readyCondition is the node's word on its health; nil if it has none.
func (m *machine) readyCondition() *corev1.NodeCondition {
	if m.node == nil {
		return nil
	}
	for i := range m.node.Status.Conditions {
		if cond := &m.node.Status.Conditions[i]; cond.Type == corev1.NodeReady {
			return cond
		}
	}
	return nil
}

// beingDisrupted says whether somebody has announced that the node will be deleted.
func (m *machine) beingDisrupted() bool {
	return m.node != nil && slices.ContainsFunc(m.node.Spec.Taints, func(t corev1.Taint) bool {
		return t.Key == karpv1.DisruptedTaintKey
	})
}

// claimIs says whether the machine's claim has the condition, and it is True.
func (m *machine) claimIs(condition string) bool {
	cond := m.claimCondition(condition)
	return cond != nil && cond.Status == metav1.ConditionTrue
}

// claimCondition is a condition of the machine's claim; nil if there is none.
func (m *machine) claimCondition(condition string) *metav1.Condition {
	if m.claim == nil {
		return nil
	}
	for i := range m.claim.Status.Conditions {
		if m.claim.Status.Conditions[i].Type == condition {
			return (*metav1.Condition)(&m.claim.Status.Conditions[i])
		}
	}
	return nil
}
