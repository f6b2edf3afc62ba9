package snapshot

import (
	"cmp"
	"slices"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model"
)

// presence is what stays on a machine while it is kept, and bears on the pods that may come.
type presence struct {
	free    model.Quantities
	ports   []hostPort
	owned   []termIndex
	matched model.Set[termIndex]
}

// gatherPresences looks at what is on each machine, will be by the scheduler's
// word, or should be as a daemon.
func (c *Compiled) gatherPresences() {
	coming := map[*machine][]*corev1.Pod{}
	for _, n := range c.nominated {
		coming[n.on] = append(coming[n.on], n.pod)
	}
	c.presences = make([]presence, len(c.nodes))
	for i, m := range c.nodes {
		c.presences[i] = c.presenceOn(m, coming[m])
	}
}

// presenceOn counts pods in full, and of those being deleted and those
// promised the machine whichever is more: the one takes the other's room.
func (c *Compiled) presenceOn(m *machine, coming []*corev1.Pod) presence {
	free := c.vector(m.allocatable)
	going, come := make(model.Quantities, len(free)), make(model.Quantities, len(free))
	var out presence
	note := func(p *corev1.Pod) {
		out.ports = append(out.ports, hostPorts(&p.Spec)...)
		out.owned = append(out.owned, c.separations.owned(p)...)
		for i := range c.matching(p).All() {
			out.matched.Add(i)
		}
	}
	for _, p := range m.pods {
		note(p)
		request := c.vector(c.requests(p))
		if p.DeletionTimestamp != nil {
			add(going, request, 1)
		} else {
			add(free, request, -1)
		}
	}
	for _, p := range coming {
		note(p)
		add(come, c.vector(c.requests(p)), 1)
	}
	for _, d := range c.missingDaemons(m) {
		add(free, c.vector(d.requests), -1)
		out.ports = append(out.ports, d.ports...)
	}
	for i := range free {
		free[i] = max(0, free[i]-max(going[i], come[i]))
	}
	slices.Sort(out.owned)
	out.owned = slices.Compact(out.owned)
	out.free = free
	return out
}

func add(sum, v model.Quantities, times int64) {
	for i := range sum {
		sum[i] += times * v[i]
	}
}

// missingDaemons are those that the machine should run, and does not yet.
func (c *Compiled) missingDaemons(m *machine) []*daemon {
	present := map[daemonKey]bool{}
	for _, p := range m.pods {
		if key, ok := daemonOf(p); ok {
			present[key] = true
		}
	}
	var out []*daemon
	for _, d := range c.daemons {
		if !present[d.key()] && c.nodeLabels.admitted(d.rule)[m.index] && d.tolerant.untolerated(m.taints) == nil {
			out = append(out, d)
		}
	}
	return out
}

func censusOfMachines(machines []*machine) *census {
	names, labels := make([]string, len(machines)), make([]map[string]string, len(machines))
	for i, m := range machines {
		names[i], labels[i] = m.name, m.labels
	}
	return newCensus(names, labels)
}

// modelNodes writes the machines down. Groups are known by then.
func (c *Compiled) modelNodes() []model.Node {
	ranks := c.driftRanks()
	out := make([]model.Node, len(c.nodes))
	for i, m := range c.nodes {
		spot := m.capacityType == karpv1.CapacityTypeSpot
		out[i] = model.Node{
			Name:       m.name,
			Pool:       model.None,
			Type:       c.typeIndex(label(m.labels, corev1.LabelInstanceTypeStable)),
			Zone:       c.zoneIndex(m.zone),
			Spot:       spot,
			Free:       c.presences[i].free,
			Capacity:   c.vector(m.capacity),
			Price:      m.price,
			Fee:        c.charges.fee(m.labels),
			Penalty:    c.charges.penalty(m.labels, spot),
			Disruption: c.disruption(m),
			Goes:       m.goes != "",
			Voluntary:  model.Stays,
			Drift:      ranks[m],
		}
		if m.pool != nil {
			out[i].Pool = m.pool.index
		}
		if m.mayGo() {
			out[i].Evict, out[i].Hurdle = c.evictCost(m), c.hurdle(m)
			if m.voluntary == "" {
				out[i].Voluntary = c.voluntaryRemoval(m)
			}
		}
	}
	for g := range c.groups {
		for _, p := range c.groups[g].pods {
			if p.on != nil && p.on.goes == "" {
				n := &out[p.on.index]
				n.Pods = counted(n.Pods, model.GroupIndex(g))
			}
		}
	}
	return out
}

// counted adds one pod of the group, the highest so far.
func counted(counts []model.Count, g model.GroupIndex) []model.Count {
	if k := len(counts) - 1; k >= 0 && counts[k].Group == g {
		counts[k].N++
		return counts
	}
	return append(counts, model.Count{Group: g, N: 1})
}

// driftRanks is the place of each machine that is to go as drifted: from 1 for
// the one that drifted first, then the oldest.
func (c *Compiled) driftRanks() map[*machine]int {
	var drifted []*machine
	for _, m := range c.nodes {
		if m.goes == "" && m.drifted && m.drift == "" {
			drifted = append(drifted, m)
		}
	}
	slices.SortStableFunc(drifted, func(a, b *machine) int {
		return cmp.Or(a.driftedSince.Compare(b.driftedSince), a.created().Compare(b.created()), cmp.Compare(a.name, b.name))
	})
	out := map[*machine]int{}
	for i, m := range drifted {
		out[m] = i + 1
	}
	return out
}
