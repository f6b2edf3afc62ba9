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
		switch kind := c.kindOf(m); {
		case kind == nil:
		case m.pool == nil:
			maps.Copy(out, kind.allocatable)
		default:
			maps.Copy(out, c.taughtRoom(lesson{m.pool, m.class(), kind}))
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

// taughtRoom is what a new node has for pods and daemons: what the catalog
// says, or less where live nodes of its kind report less.
func (c *cluster) taughtRoom(key lesson) resources {
	out := maps.Clone(key.kind.allocatable)
	for name, n := range c.learned[key] {
		if stated, ok := out[name]; ok {
			out[name] = min(stated, n)
		}
	}
	maps.Copy(out, c.overlayCapacity(key.pool, key.kind))
	return out
}
