package verify

import (
	corev1 "k8s.io/api/core/v1"
)

// lesson is what something is known about: new nodes of a type in a pool.
type lesson struct {
	pool *pool
	kind *instanceType
}

// taught are the resources that live nodes teach.
var taught = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourcePods}

// learn notes the least that initialized nodes of each type, pool and node class report.
func (c *cluster) learn() {
	for _, m := range c.machines {
		if m.onItsWay || m.pool == nil || m.offer == nil || !m.ofPoolClass() {
			continue
		}
		key := lesson{m.pool, m.offer.kind}
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

// ofPoolClass says whether the machine is of the node class that its pool now
// uses: its claim says, or its label. A node of which neither says is taken to be.
func (m *machine) ofPoolClass() bool {
	pools := m.pool.Spec.Template.Spec.NodeClassRef
	if m.claim != nil && m.claim.Spec.NodeClassRef != nil {
		return pools != nil && m.claim.Spec.NodeClassRef.Name == pools.Name
	}
	for key, want := range classLabels(pools) {
		if name, ok := m.view.Labels[key]; ok {
			return name == want
		}
	}
	return true
}
