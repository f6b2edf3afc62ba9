package verify

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
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
// uses. A node without a claim is taken to be.
func (m *machine) ofPoolClass() bool {
	return m.claim == nil || ptr.Equal(m.claim.Spec.NodeClassRef, m.pool.Spec.Template.Spec.NodeClassRef)
}
