package snapshot

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model"
)

// modelNodes writes the machines down. Groups are known by then.
func (c *Compiled) modelNodes() []model.Node {
	ranks := c.driftRanks()
	out := make([]model.Node, len(c.nodes))
	for i, m := range c.nodes {
		spot := m.spot()
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
