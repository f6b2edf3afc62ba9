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
	for i := range c.groups {
		g := &c.groups[i]
		out[i] = model.PodGroup{
			Name:     g.pods[0].key(),
			Request:  g.traits.request,
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
