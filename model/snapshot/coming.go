package snapshot

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// initialized says whether the machine is no longer on its way. Nodes that
// Karpenter has not made are taken to be.
func initialized(m *machine) bool {
	if m.node == nil {
		return false
	}
	if m.claim == nil && (m.pool == nil || m.adopted) {
		return true
	}
	return m.node.Labels[karpv1.NodeInitializedLabelKey] == "true" || m.claimIs(karpv1.ConditionTypeInitialized)
}

// registered says whether the machine's node speaks for itself.
func registered(m *machine) bool {
	return m.node.Labels[karpv1.NodeRegisteredLabelKey] == "true" || m.claimIs(karpv1.ConditionTypeRegistered) || initialized(m)
}

// claimedLabels are the labels of a machine on its way as its node, its claim,
// and the single values that the claim requires have them. Registration gives
// the claim's labels to the node; from then on the node's own word counts.
func claimedLabels(m *machine) map[string]string {
	out := map[string]string{}
	for _, r := range m.claim.Spec.Requirements {
		if r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1 {
			out[r.Key] = r.Values[0]
		}
	}
	if ref := m.claim.Spec.NodeClassRef; ref != nil && ref.Kind != "" {
		out[nodeClassLabel(ref)] = ref.Name
	}
	switch {
	case m.node == nil:
		maps.Copy(out, m.claim.Labels)
	case registered(m):
		maps.Copy(out, m.claim.Labels)
		maps.Copy(out, m.node.Labels)
	default:
		maps.Copy(out, m.node.Labels)
		maps.Copy(out, m.claim.Labels)
	}
	return out
}

// completeLabels adds what nodes of the machine's pool and offering have in any
// case, and what they get on their way.
func (c *Compiled) completeLabels(m *machine) {
	all := map[string]string{}
	if m.pool != nil {
		maps.Copy(all, m.pool.object.Spec.Template.Labels)
	}
	if o := c.offeringOf(m); o != nil {
		given, _ := newLabeling(m.pool, c.typeByName[m.instanceType.Name]).at(o)
		maps.Copy(all, given)
	}
	all[corev1.LabelHostname] = m.name
	maps.Copy(all, m.labels)
	all[karpv1.NodeRegisteredLabelKey] = "true"
	all[karpv1.NodeInitializedLabelKey] = "true"
	withAliases(all)
	m.labels = all
}

// foresee says what pods will be able to have on the machine on its way: what
// its node does not say yet is taken from its claim, then from its instance type.
func (c *Compiled) foresee(m *machine) {
	if m.claim != nil {
		m.allocatable = completed(m.allocatable, m.claim.Status.Allocatable)
	}
	switch {
	case m.instanceType != nil && m.pool != nil:
		m.allocatable = completed(m.allocatable, c.allocatable(m.pool, m.nodeClass(), m.instanceType))
	case m.instanceType != nil:
		m.allocatable = completed(m.allocatable, c.typeByName[m.instanceType.Name].allocatable)
	case m.claim != nil:
		m.allocatable = completed(m.allocatable, m.claim.Spec.Resources.Requests)
	}
}

// completeCapacity fills in what limits count of the machine and its node does
// not say, from the same sources, and else from what pods can have.
func (c *Compiled) completeCapacity(m *machine) {
	if m.claim != nil {
		m.capacity = completed(m.capacity, m.claim.Status.Capacity)
	}
	if m.instanceType != nil {
		m.capacity = completed(m.capacity, c.capacity(m.pool, m.instanceType))
	}
	m.capacity = completed(m.capacity, m.allocatable)
}
