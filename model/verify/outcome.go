package verify

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// outcome is the cluster that the plan leads to.
type outcome struct {
	launches []*machine // in the plan's order, each ID once
	byLaunch map[string]*machine
	removals []*removal // in the plan's order, each machine once
	gone     map[*machine]*removal
	// placed and moved are where pods go, by pod, the first destination that names one.
	placed, moved map[*pod]*arrival
	// arrivals are the pods that come to each machine, by key.
	arrivals map[*machine][]*arrival
	// left are the pods left waiting.
	left map[*pod]bool
}

// removal is a removal of the plan, resolved.
type removal struct {
	*v1alpha1.Removal
	machine *machine
	// reason that counts for rules: the stated one if the node has it, else the one it has.
	reason string
}

// forced says whether the node goes whatever the plan decides.
func (r *removal) forced() bool { return forcedReasons[r.reason] }

// voluntary says whether the node is removed to save money.
func (r *removal) voluntary() bool {
	return r.reason == v1alpha1.RemovalEmpty || r.reason == v1alpha1.RemovalUnderutilized
}

// arrival is a pod that comes to a machine.
type arrival struct {
	pod *pod
	// from is the removal it makes way for; nil for a pending pod.
	from *removal
	to   *machine // nil if there is none such
	dest v1alpha1.Destination
}

func (p *pod) object() string { return "pod " + p.key }

// apply finds what the plan's names stand for. What is malformed is left out
// here and reported by the rule it belongs to.
func (c *check) apply() {
	c.outcome = outcome{
		byLaunch: map[string]*machine{},
		gone:     map[*machine]*removal{},
		placed:   map[*pod]*arrival{},
		moved:    map[*pod]*arrival{},
		arrivals: map[*machine][]*arrival{},
		left:     map[*pod]bool{},
	}
	for i := range c.plan.Launches {
		c.applyLaunch(&c.plan.Launches[i])
	}
	for i := range c.plan.Removals {
		c.applyRemoval(&c.plan.Removals[i])
	}
	for _, d := range c.plan.Placements {
		if p := c.pod[d.Pod]; p != nil && c.mayBePlaced(p) && c.placed[p] == nil {
			c.placed[p] = &arrival{pod: p, dest: d}
		}
	}
	for _, u := range c.plan.Unplaced {
		for _, key := range u.Pods {
			if p := c.pod[key]; p != nil && c.mayWait(p) {
				c.left[p] = true
			}
		}
	}
	c.arrive(c.placed)
	c.arrive(c.moved)
	for _, list := range c.arrivals {
		slices.SortFunc(list, func(a, b *arrival) int { return cmp.Compare(a.pod.key, b.pod.key) })
	}
}

// applyLaunch makes the machine that a launch is to become. Its offering may
// be nil, or not for sale.
func (c *check) applyLaunch(l *v1alpha1.Launch) {
	if l.ID == "" || c.byLaunch[l.ID] != nil {
		return
	}
	p := c.pool[l.NodePool]
	m := newMachine(l, p, c.launchOffer(l, p))
	c.byLaunch[l.ID] = m
	c.launches = append(c.launches, m)
}

// launchOffer is the offering that the launch names: if several do, one that is
// for sale and can have the labels that the launch states, at its price if there is one.
func (c *cluster) launchOffer(l *v1alpha1.Launch, p *pool) *offer {
	if p == nil {
		return nil
	}
	all := c.offersOf(identity{l.InstanceType, l.Zone, l.CapacityType, l.Reservation}, p)
	fit := slices.DeleteFunc(slices.Clone(all), func(o *offer) bool {
		return o.refused != "" || !c.available(o.offering) || !o.agrees(l.Labels)
	})
	if len(fit) > 0 {
		return atPrice(fit, l.PricePerHour)
	}
	return atPrice(all, l.PricePerHour)
}

// atPrice is the first offer at the price, or the first of all; nil if there is none.
func atPrice(offers []*offer, price float64) *offer {
	for _, o := range offers {
		if samePrice(o.price, price) {
			return o
		}
	}
	if len(offers) > 0 {
		return offers[0]
	}
	return nil
}

func (c *check) applyRemoval(r *v1alpha1.Removal) {
	m := c.removed(r)
	if m == nil || c.gone[m] != nil {
		return
	}
	out := &removal{Removal: r, machine: m, reason: c.effectiveReason(m, r.Reason)}
	c.removals = append(c.removals, out)
	c.gone[m] = out
	for _, d := range r.Moves {
		if p := c.pod[d.Pod]; p != nil && p.on == m && p.movable() && c.moved[p] == nil {
			c.moved[p] = &arrival{pod: p, from: out, dest: d}
		}
	}
}

// removed is the machine that a removal names; nil if its names stand for none or for two.
func (c *cluster) removed(r *v1alpha1.Removal) *machine {
	m := c.byName[r.Node]
	if r.Node == "" {
		m = c.byClaim[r.NodeClaim]
	}
	if m == nil || r.NodeClaim != "" && c.byClaim[r.NodeClaim] != m {
		return nil
	}
	return m
}

// arrive brings the pods to the machines that their destinations name.
func (c *check) arrive(pods map[*pod]*arrival) {
	for _, a := range pods {
		a.to = c.destination(a.dest)
		if a.to != nil && a.to != a.pod.nominee { // else its room is taken already
			c.arrivals[a.to] = append(c.arrivals[a.to], a)
		}
	}
}

// destination is the machine at the end that a destination names; nil if there is none such.
func (c *check) destination(d v1alpha1.Destination) *machine {
	var m *machine
	switch {
	case named(d) != 1:
		return nil
	case d.Launch != "":
		return c.byLaunch[d.Launch]
	case d.Node != "":
		if m = c.byName[d.Node]; m != nil && m.node == nil {
			return nil
		}
	default:
		if m = c.byClaim[d.NodeClaim]; m != nil && !m.onItsWay {
			return nil
		}
	}
	if m == nil || c.gone[m] != nil {
		return nil
	}
	return m
}

// named counts the kinds of destination that d names; one is right.
func named(d v1alpha1.Destination) int {
	n := 0
	for _, name := range []string{d.Node, d.NodeClaim, d.Launch} {
		if name != "" {
			n++
		}
	}
	return n
}

// after lists the machines at the end, in a fixed order.
func (c *check) after() []*machine {
	var out []*machine
	for _, m := range c.machines {
		if c.gone[m] == nil {
			out = append(out, m)
		}
	}
	return append(out, c.launches...)
}

// receivers are the machines at the end that pods come to, in a fixed order;
// without those whose offering is unknown.
func (c *check) receivers() []*machine {
	var out []*machine
	for _, m := range c.after() {
		if len(c.arrivals[m]) > 0 && (m.launch == nil || m.offer != nil) {
			out = append(out, m)
		}
	}
	return out
}

// arrivingAt lists the pods that come to m.
func (c *check) arrivingAt(m *machine) []*pod {
	var out []*pod
	for _, a := range c.arrivals[m] {
		out = append(out, a.pod)
	}
	return out
}

// residents are the pods that are on m at the end beside those that the plan
// brings: pods being deleted are gone by then, nominated ones there.
func (c *check) residents(m *machine) []*pod {
	var out []*pod
	for _, p := range m.pods {
		if !p.deleting() {
			out = append(out, p)
		}
	}
	return append(out, m.nominated...)
}
