package snapshot

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// lesson is what live nodes teach about: an instance type in a pool, on one node class.
type lesson struct {
	pool         *pool
	nodeClass    string
	instanceType string
}

// taught are the resources of which a live node knows better than a catalog.
var taught = []corev1.ResourceName{
	corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourcePods,
}

// learnCapacity notes the least that initialized nodes of each kind report, and
// measures those on their way by it, and all by what limits count.
func (c *Compiled) learnCapacity() {
	c.learned = map[lesson]corev1.ResourceList{}
	for _, m := range c.nodes {
		if m.pool == nil || !m.initialized || m.instanceType == nil {
			continue
		}
		key := lesson{m.pool, m.nodeClass(), m.instanceType.Name}
		least := c.learned[key]
		if least == nil {
			least = corev1.ResourceList{}
			c.learned[key] = least
		}
		for _, name := range taught {
			q := m.allocatable[name]
			if have, ok := least[name]; !q.IsZero() && (!ok || q.Cmp(have) < 0) {
				least[name] = q
			}
		}
	}
	for _, m := range c.nodes {
		if !m.initialized {
			c.foresee(m)
		}
		c.completeCapacity(m)
	}
}

// nodeClass is the name of the node class that the machine was made with.
func (m *machine) nodeClass() string {
	if m.claim != nil && m.claim.Spec.NodeClassRef != nil {
		return m.claim.Spec.NodeClassRef.Name
	}
	if ref := m.pool.object.Spec.Template.Spec.NodeClassRef; ref != nil {
		if name, ok := m.labels[nodeClassLabel(ref)]; ok {
			return name
		}
	}
	return m.pool.nodeClass()
}

// allocatable is what pods and daemons can have on a new node of the type: the
// catalog's figure and what overlays add, or less where live nodes report less.
func (c *Compiled) allocatable(p *pool, nodeClass string, t *v1alpha1.InstanceType) corev1.ResourceList {
	base := c.typeByName[t.Name].allocatable
	added := c.overlaid.capacity(p, t)
	least := c.learned[lesson{p, nodeClass, t.Name}]
	if len(added) == 0 && len(least) == 0 {
		return base
	}
	out := maps.Clone(base)
	maps.Copy(out, added)
	for name, q := range least {
		if have, ok := out[name]; ok && q.Cmp(have) < 0 {
			out[name] = q
		}
	}
	return out
}

// capacity is what limits count of a new node of the type.
func (c *Compiled) capacity(p *pool, t *v1alpha1.InstanceType) corev1.ResourceList {
	added := c.overlaid.capacity(p, t)
	if len(added) == 0 {
		return t.Capacity
	}
	out := maps.Clone(t.Capacity)
	maps.Copy(out, added)
	return out
}
