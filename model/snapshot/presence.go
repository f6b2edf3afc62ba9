package snapshot

import (
	"math"
	"slices"

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
	for _, n := range slices.Concat(c.nominated, c.nominatedDaemons) {
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
	for _, d := range c.missingDaemons(m, coming) {
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

// add adds v so many times, and stops short of overflowing.
func add(sum, v model.Quantities, times int64) {
	const most = math.MaxInt64 / 2
	for i := range sum {
		sum[i] = min(max(sum[i]+times*v[i], -most), most)
	}
}

// missingDaemons are those that the machine should run, and that are neither on it nor coming.
func (c *Compiled) missingDaemons(m *machine, coming []*corev1.Pod) []*daemon {
	present := map[daemonKey]bool{}
	for _, p := range slices.Concat(m.pods, coming) {
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
