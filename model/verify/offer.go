package verify

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// instanceType is a type of the catalog.
type instanceType struct {
	*v1alpha1.InstanceType
	requirements          []requirement
	capacity, allocatable resources
}

// offer is an offering of an instance type as one pool buys it.
type offer struct {
	pool     *pool // nil for nodes that no pool manages
	kind     *instanceType
	offering *v1alpha1.Offering
	// refused says why the pool does not buy it; empty if it does.
	refused string
	// labels that its nodes have for certain, and the keys whose value is open,
	// each with what the value has to meet.
	labels map[string]string
	open   map[string][]requirement
	// price is USD per hour after overlays.
	price float64
	// capacity is what limits count, the overlays' included.
	capacity resources

	// Computed when asked for:
	blank *machine // a new node
}

type offerKey struct {
	pool     *pool
	offering *v1alpha1.Offering
}

// addInstanceTypes reads the catalog. Of several types of a name the last counts.
func (c *cluster) addInstanceTypes(list []v1alpha1.InstanceType) {
	for i := range list {
		t := &list[i]
		kind := &instanceType{InstanceType: t, requirements: fromCore(t.Requirements), capacity: resourcesOf(t.Capacity)}
		if _, ok := kind.capacity[corev1.ResourcePods]; !ok {
			kind.capacity[corev1.ResourcePods] = defaultPods
		}
		kind.allocatable = maps.Clone(kind.capacity)
		kind.allocatable.subtract(resourcesOf(t.Overhead))
		c.kinds[t.Name] = kind
	}
}

// offersOf lists the offerings that an identity names, as the pool buys them.
// An empty reservation matches any.
func (c *cluster) offersOf(id identity, p *pool) []*offer {
	kind := c.kinds[id.instanceType]
	if kind == nil {
		return nil
	}
	var out []*offer
	for i := range kind.Offerings {
		o := &kind.Offerings[i]
		if o.Zone == id.zone && o.CapacityType == id.capacityType && (id.reservation == "" || reservationOf(o) == id.reservation) {
			out = append(out, c.offer(p, kind, o))
		}
	}
	return out
}

func reservationOf(o *v1alpha1.Offering) string {
	if o.Reservation == nil {
		return ""
	}
	return o.Reservation.ID
}

// offer is the offering as the pool buys it.
func (c *cluster) offer(p *pool, kind *instanceType, o *v1alpha1.Offering) *offer {
	key := offerKey{p, o}
	if known := c.offers[key]; known != nil {
		return known
	}
	out := &offer{pool: p, kind: kind, offering: o}
	c.offers[key] = out
	out.settleLabels()
	out.price = c.priceOf(out, out.labels)
	out.capacity = kind.capacity
	if extra := c.overlayCapacity(p, kind); len(extra) > 0 {
		out.capacity = maps.Clone(kind.capacity)
		maps.Copy(out.capacity, extra)
	}
	if out.refused == "" && p != nil {
		out.refused = refusal(p, kind)
	}
	return out
}

// refusal says why the pool buys no machine of this type at all.
func refusal(p *pool, kind *instanceType) string {
	class := p.Spec.Template.Spec.NodeClassRef
	switch {
	case p.DeletionTimestamp != nil:
		return "the pool is being deleted"
	case p.static():
		return "the pool keeps a fixed number of nodes"
	case p.broken():
		return "the pool is not ready"
	case class != nil && len(kind.NodeClasses) > 0 && !slices.Contains(kind.NodeClasses, class.Name):
		return fmt.Sprintf("node class %s does not offer %s", class.Name, kind.Name)
	}
	return ""
}

// available says whether the offering can be bought at the instant.
func (c *cluster) available(o *v1alpha1.Offering) bool {
	if o.Available == nil || *o.Available {
		return true
	}
	return o.UnavailableUntil != nil && !o.UnavailableUntil.After(c.now)
}

// offerOf is the offering that the machine's labels name, as the pool buys it; nil if the catalog has none.
func (c *cluster) offerOf(m *machine, p *pool) *offer {
	all := c.offersOf(identify(m.view.Labels), p)
	for _, o := range all {
		if o.agrees(m.view.Labels) {
			return o
		}
	}
	if len(all) > 0 {
		return all[0]
	}
	return nil
}
