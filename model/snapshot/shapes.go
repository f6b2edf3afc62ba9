package snapshot

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/model"
)

// newHostname is the hostname of a node to come: one that nothing asks for.
const newHostname = "mortise.dev/new"

// expandShapes lists what can be launched, and what could be were it for sale:
// by pool, instance type, zone, capacity type, reservation and open labels.
func (c *Compiled) expandShapes() {
	spoken := c.gatherMentions()
	var all []shape
	for _, p := range c.pools {
		if p.closed != "" {
			continue
		}
		for _, t := range c.types {
			if offersFor(t, p) {
				all = append(all, c.shapesOf(p, t, spoken)...)
			}
		}
	}
	c.addDaemons(all)
	for _, s := range all {
		if forSale(s.offering, c.cluster.now) {
			c.shapes = append(c.shapes, s)
		} else {
			c.soldOut = append(c.soldOut, s)
		}
	}
	c.shapeLabels = censusOfShapes(c.shapes)
}

// offersFor says whether the type is offered for the pool's node class and
// allowed by its requirements, offerings apart.
func offersFor(t *instanceType, p *pool) bool {
	if len(t.NodeClasses) > 0 && !slices.Contains(t.NodeClasses, p.nodeClass()) {
		return false
	}
	return compatible(p.requirements, t.requirements)
}

// shapesOf lists the shapes of a type in a pool.
func (c *Compiled) shapesOf(p *pool, t *instanceType, spoken mentions) []shape {
	base := newLabeling(p, t)
	allocatable := c.allocatable(p, p.nodeClass(), t.InstanceType)
	var out []shape
	for i := range t.offerings {
		o := &t.offerings[i]
		if !compatible(p.requirements, o.requirements) || !compatible(t.requirements, o.requirements) {
			continue
		}
		for _, v := range c.label(p, base, o, spoken) {
			out = append(out, shape{
				pool:         p,
				instanceType: t.InstanceType,
				offering:     o.Offering,
				labels:       v.labels,
				taints:       p.taints(),
				pinned:       v.pinned,
				allocatable:  allocatable,
				price:        c.overlaid.price(p, o.Offering),
			})
		}
	}
	return out
}

// addDaemons finds out which daemons will run on nodes of each shape.
func (c *Compiled) addDaemons(shapes []shape) {
	labels := censusOfShapes(shapes)
	var lands [][]bool
	for _, d := range c.daemons {
		lands = append(lands, labels.admitted(d.rule))
	}
	type crew struct {
		requests corev1.ResourceList
		ports    []hostPort
	}
	crews := map[string]crew{}
	for i := range shapes {
		s := &shapes[i]
		var members []byte
		for k, d := range c.daemons {
			if lands[k][i] && d.tolerant.untolerated(s.taints) == nil {
				members = append(members, byte(k), byte(k>>8))
			}
		}
		all, ok := crews[string(members)]
		if !ok {
			for m := 0; m < len(members); m += 2 {
				d := c.daemons[int(members[m])|int(members[m+1])<<8]
				all.requests = plus(all.requests, d.requests)
				all.ports = append(all.ports, d.ports...)
			}
			crews[string(members)] = all
		}
		s.daemons, s.daemonPorts = all.requests, all.ports
	}
}

// name orders shapes of equal pool and names them in messages.
func (s *shape) name() string {
	parts := []string{s.pool.object.Name, s.instanceType.Name, s.offering.Zone, s.offering.CapacityType}
	if id := reservationOf(s.offering); id != "" {
		parts = append(parts, id)
	}
	for _, key := range sortedKeys(s.pinned) {
		parts = append(parts, key+"="+s.pinned[key])
	}
	return strings.Join(parts, "/")
}

// modelShapes writes the shapes down, and the reservations that they draw on.
func (c *Compiled) modelShapes() ([]model.Reservation, []model.Shape) {
	reservations, byID := c.reservations()
	out := make([]model.Shape, len(c.shapes))
	for i := range c.shapes {
		s := &c.shapes[i]
		spot := s.offering.CapacityType == karpv1.CapacityTypeSpot
		reservation := model.ReservationIndex(model.None)
		if id := reservationOf(s.offering); id != "" {
			reservation = byID[id]
		}
		out[i] = model.Shape{
			Name:        s.name(),
			Pool:        s.pool.index,
			Type:        c.typeIndex(s.instanceType.Name),
			Zone:        c.zoneIndex(s.offering.Zone),
			Spot:        spot,
			Allocatable: rest(c.vector(s.allocatable), c.vector(s.daemons)),
			Capacity:    c.vector(c.capacity(s.pool, s.instanceType)),
			Price:       s.price,
			Fee:         c.charges.fee(s.labels),
			Penalty:     c.charges.penalty(s.labels, spot),
			Startup:     c.charges.launch(s.labels),
			Reservation: reservation,
		}
	}
	return reservations, out
}

// rest returns a − b, and nothing below zero.
func rest(a, b model.Quantities) model.Quantities {
	out := make(model.Quantities, len(a))
	for i := range a {
		out[i] = max(0, a[i]-b[i])
	}
	return out
}

// reservations of the shapes by id. Where several offerings name one, the least count holds.
func (c *Compiled) reservations() ([]model.Reservation, map[string]model.ReservationIndex) {
	counts := map[string]int{}
	for i := range c.shapes {
		if r := c.shapes[i].offering.Reservation; r != nil {
			if have, ok := counts[r.ID]; !ok || int(r.Count) < have {
				counts[r.ID] = int(r.Count)
			}
		}
	}
	var out []model.Reservation
	byID := map[string]model.ReservationIndex{}
	for _, id := range sortedKeys(counts) {
		byID[id] = model.ReservationIndex(len(out))
		out = append(out, model.Reservation{Name: id, Count: counts[id]})
	}
	return out, byID
}
