package snapshot

import (
	"slices"

	"github.com/mortise-io/mortise/model"
)

// groupKey tells groups apart.
type groupKey struct {
	traits traitsKey
	origin model.Origin
}

// groupPods puts pods that every rule treats alike into groups, by the name of their first pod.
func (c *Compiled) groupPods() {
	asked := c.askedOrigins()
	byKey := map[groupKey]*podGroup{}
	var found []*podGroup
	for _, list := range []struct {
		pods []*groupPod
		kind model.OriginKind
	}{{c.pending, model.Pending}, {c.displaced, model.Displaced}, {c.residents, model.Resident}} {
		for _, p := range list.pods {
			t := c.traitsOf(p.pod)
			key := groupKey{t.key(), asked.of(p, list.kind)}
			g := byKey[key]
			if g == nil {
				g = &podGroup{traits: t, origin: key.origin}
				byKey[key] = g
				found = append(found, g)
			}
			if list.kind != model.Resident {
				g.demand++
			}
			g.pods = append(g.pods, p)
		}
	}
	for _, g := range found {
		slices.SortFunc(g.pods[:g.demand], comparePods)
	}
	slices.SortFunc(found, func(a, b *podGroup) int { return comparePods(a.pods[0], b.pods[0]) })
	for _, g := range found {
		c.groups = append(c.groups, *g)
	}
}

// modelGroups writes the groups down.
func (c *Compiled) modelGroups() []model.PodGroup {
	out := make([]model.PodGroup, len(c.groups))
	places := newPlaces(c)
	beyond := c.beyondAny()
	for i := range c.groups {
		g := &c.groups[i]
		out[i] = model.PodGroup{
			Name:     g.pods[0].key(),
			Request:  atMost(g.traits.request, beyond),
			Demand:   g.demand,
			Priority: g.traits.priority,
			Shapes:   places.shapes(g.traits),
			Nodes:    places.nodes(g.traits, g.origin.Kind),
			Origin:   g.origin,
		}
		if g.traits.apart(g.traits) {
			out[i].MaxPerMachine = 1
		}
	}
	c.noteConflicts(out)
	return out
}

// beyondAny is a little more of each resource than any machine has.
func (c *Compiled) beyondAny() model.Quantities {
	out := make(model.Quantities, len(c.Problem.Resources))
	note := func(has model.Quantities) {
		for i := range out {
			out[i] = max(out[i], has[i]+1)
		}
	}
	for i := range c.Problem.Shapes {
		note(c.Problem.Shapes[i].Allocatable)
	}
	for i := range c.Problem.Nodes {
		note(c.vector(c.nodes[i].allocatable))
	}
	return out
}

// atMost is q, held to the limits: what no machine has is as far out of reach
// however much it is, and a small number does no harm in a sum.
func atMost(q, limits model.Quantities) model.Quantities {
	out := make(model.Quantities, len(q))
	for i := range q {
		out[i] = min(q[i], limits[i])
	}
	return out
}

// noteConflicts finds the groups whose pods must not share a machine.
func (c *Compiled) noteConflicts(groups []model.PodGroup) {
	for i := range c.groups {
		t := c.groups[i].traits
		if len(t.ports) == 0 && len(t.owned) == 0 {
			continue
		}
		for j := range c.groups {
			o := c.groups[j].traits
			// A pair in which both look at each other is found from its first.
			if i == j || j < i && (len(o.ports) > 0 || len(o.owned) > 0) || !t.apart(o) {
				continue
			}
			groups[i].Conflicts = append(groups[i].Conflicts, model.GroupIndex(j))
			groups[j].Conflicts = append(groups[j].Conflicts, model.GroupIndex(i))
		}
	}
	for i := range groups {
		slices.Sort(groups[i].Conflicts)
	}
}
