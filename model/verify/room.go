package verify

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
)

// countedCapacity is what limits count: what the node, its claim or its type says, the first that does.
func (m *machine) countedCapacity() resources {
	out := resources{}
	if m.offer != nil {
		maps.Copy(out, m.offer.capacity)
	}
	if m.claim != nil {
		maps.Copy(out, nonZero(m.claim.Status.Capacity))
	}
	if m.node != nil {
		maps.Copy(out, nonZero(m.node.Status.Capacity))
	}
	return out
}

func nonZero(list corev1.ResourceList) resources {
	out := resourcesOf(list)
	maps.DeleteFunc(out, func(_ corev1.ResourceName, n int64) bool { return n == 0 })
	return out
}

// room is what the machine has for pods and daemons. A machine on its way is
// taken to have what its instance type has.
func (c *cluster) room(m *machine) resources {
	out := c.allocatableOf(m)
	if _, ok := out[corev1.ResourcePods]; !ok {
		out[corev1.ResourcePods] = defaultPods
	}
	return out
}

func (c *cluster) allocatableOf(m *machine) resources {
	switch {
	case m.launch == nil && !m.onItsWay:
		return resourcesOf(m.node.Status.Allocatable)
	case m.offer != nil:
		return maps.Clone(c.allocatable(m.offer))
	}
	out := resources{}
	if m.claim != nil {
		maps.Copy(out, nonZero(m.claim.Status.Allocatable))
	}
	if m.node != nil {
		maps.Copy(out, nonZero(m.node.Status.Allocatable))
	}
	return out
}

// allocatable is what a new node of the offering has for pods and daemons:
// what the catalog says, or less where live nodes report less.
func (c *cluster) allocatable(o *offer) resources {
	if o.room == nil {
		o.room = maps.Clone(o.kind.allocatable)
		for name, n := range c.learned[lesson{o.pool, o.kind}] {
			if stated, ok := o.room[name]; ok {
				o.room[name] = min(stated, n)
			}
		}
		maps.Copy(o.room, c.overlayCapacity(o))
	}
	return o.room
}
