package verify

import (
	corev1 "k8s.io/api/core/v1"
)

// lesson is what live nodes teach about: nodes of a type in a pool, made by one node class.
type lesson struct {
	pool  *pool
	class string
	kind  *instanceType
}

// taught are the resources that live nodes teach.
var taught = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourcePods}

// learn notes the least that initialized nodes of each type, pool and node class report.
func (c *cluster) learn() {
	for _, m := range c.machines {
		kind := c.kindOf(m)
		if m.onItsWay || m.pool == nil || kind == nil {
			continue
		}
		key := lesson{m.pool, m.class(), kind}
		if c.learned[key] == nil {
			c.learned[key] = resources{}
		}
		reported := nonZero(m.node.Status.Allocatable)
		for _, name := range taught {
			n, ok := reported[name]
			if least, known := c.learned[key][name]; ok && (!known || n < least) {
				c.learned[key][name] = n
			}
		}
	}
}

// class is the node class that the machine of a pool was made with: its claim
// says, or its label, or else it is the one that its pool uses.
func (m *machine) class() string {
	if m.claim != nil && m.claim.Spec.NodeClassRef != nil {
		return m.claim.Spec.NodeClassRef.Name
	}
	for key := range classLabels(m.pool.Spec.Template.Spec.NodeClassRef) {
		if name, ok := m.view.Labels[key]; ok {
			return name
		}
	}
	return m.pool.class()
}

// class is the node class that the pool uses; empty if it names none.
func (p *pool) class() string {
	if p == nil || p.Spec.Template.Spec.NodeClassRef == nil {
		return ""
	}
	return p.Spec.Template.Spec.NodeClassRef.Name
}

// kindOf is the instance type that the machine's labels name; nil if the catalog has none.
func (c *cluster) kindOf(m *machine) *instanceType {
	return c.kinds[m.view.Labels[corev1.LabelInstanceTypeStable]]
}
