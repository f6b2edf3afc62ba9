package verify

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// instanceType is a type of the catalogue.
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
	room  resources // allocatable of a new node
	blank *machine  // a new node
}

type offerKey struct {
	pool     *pool
	offering *v1alpha1.Offering
}

// addInstanceTypes reads the catalogue. Of several types of a name the last counts.
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
	if extra := c.overlayCapacity(out); len(extra) > 0 {
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

// settleLabels finds what labels the nodes of the offering have, what they may
// have, and whether the pool's requirements allow them.
//
// A key that the type and the offering leave out is the pool's to give.
func (o *offer) settleLabels() {
	given := o.given()
	asked := map[string][]requirement{}
	if o.pool != nil {
		for _, r := range o.pool.requirements {
			asked[r.key] = append(asked[r.key], r)
		}
		given[karpv1.NodePoolLabelKey] = []requirement{is(karpv1.NodePoolLabelKey, o.pool.Name)}
	}
	o.labels, o.open = map[string]string{}, map[string][]requirement{}
	keys := maps.Clone(given)
	maps.Copy(keys, asked)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		o.settle(key, slices.Concat(given[key], asked[key]))
	}
	for old, stable := range karpv1.NormalizedLabels {
		if value, ok := o.labels[stable]; ok {
			o.labels[old] = value
		}
	}
	if o.pool != nil {
		o.labels[karpv1.NodeRegisteredLabelKey] = "true"
		o.labels[karpv1.NodeInitializedLabelKey] = "true"
	}
}

// given are the labels that the provider gives to the offering's nodes.
func (o *offer) given() map[string][]requirement {
	out := map[string][]requirement{}
	for _, list := range [][]requirement{o.kind.requirements, fromCore(o.offering.Requirements)} {
		for _, r := range list {
			out[r.key] = append(out[r.key], r)
		}
	}
	for key, value := range map[string]string{
		corev1.LabelInstanceTypeStable: o.kind.Name,
		corev1.LabelTopologyZone:       o.offering.Zone,
		karpv1.CapacityTypeLabelKey:    o.offering.CapacityType,
	} {
		out[key] = []requirement{is(key, value)}
	}
	return out
}

// settle finds the value of one key under all that is asked of it.
func (o *offer) settle(key string, rs []requirement) {
	values, listed := choices(rs)
	switch {
	case forbidden(rs):
		if !allAllow(rs, "", false) {
			o.refuse(key)
		}
	case !listed:
		o.open[key] = rs
	case len(values) == 0:
		o.refuse(key)
	case len(values) == 1:
		o.labels[key] = values[0]
	default:
		o.open[key] = rs
	}
}

func (o *offer) refuse(key string) {
	if o.refused == "" {
		o.refused = fmt.Sprintf("the pool's requirements on %s exclude it", key)
	}
}

// choices are the values that all requirements allow, if any of them lists values.
func choices(rs []requirement) (values []string, listed bool) {
	for _, r := range rs {
		if r.operator != corev1.NodeSelectorOpIn {
			continue
		}
		listed = true
		for _, v := range r.values {
			if allAllow(rs, v, true) && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values, listed
}

func forbidden(rs []requirement) bool {
	return slices.ContainsFunc(rs, func(r requirement) bool { return r.operator == corev1.NodeSelectorOpDoesNotExist })
}

// available says whether the offering can be bought at the instant.
func (c *cluster) available(o *v1alpha1.Offering) bool {
	if o.Available == nil || *o.Available {
		return true
	}
	return o.UnavailableUntil != nil && !o.UnavailableUntil.After(c.now)
}

// offerOf is the offering that the machine's labels name, as the pool buys it; nil if the catalogue has none.
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

// agrees says whether a node with these labels can be one of the offering's own:
// offerings of one zone and capacity type may differ in further labels.
func (o *offer) agrees(labels map[string]string) bool {
	for _, r := range fromCore(o.offering.Requirements) {
		value, present := labels[r.key]
		if present && !r.allows(value, true) {
			return false
		}
	}
	return true
}
