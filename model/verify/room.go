package verify

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
)

// countedCapacity is what limits count: what the node, its claim or its type
// says, the first that does, and else what there is for pods.
func (m *machine) countedCapacity() resources {
	out := resources{}
	if m.claim != nil {
		maps.Copy(out, nonZero(m.claim.Status.Allocatable))
	}
	if m.node != nil {
		maps.Copy(out, nonZero(m.node.Status.Allocatable))
	}
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

// room is what the machine has for pods and daemons: what its node reports. Of
// a machine on its way it is what the node, its claim or its type says of each
// resource, the first that does.
func (c *cluster) room(m *machine) resources {
	out := resources{}
	if m.node != nil && !m.onItsWay {
		out = resourcesOf(m.node.Status.Allocatable)
	} else {
		if m.offer != nil {
			maps.Copy(out, c.allocatable(m.offer))
		} else if kind := c.kinds[m.view.Labels[corev1.LabelInstanceTypeStable]]; kind != nil {
			maps.Copy(out, kind.allocatable)
		}
		if m.claim != nil {
			maps.Copy(out, nonZero(m.claim.Status.Allocatable))
		}
		if m.node != nil {
			maps.Copy(out, nonZero(m.node.Status.Allocatable))
		}
	}
	if _, ok := out[corev1.ResourcePods]; !ok {
		out[corev1.ResourcePods] = defaultPods
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
