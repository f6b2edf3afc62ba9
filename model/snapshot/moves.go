package snapshot

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// planRemovals lists the machines that go, by name, each with where its pods
// go. A pod of a node that goes anyway and finds no place is among the unplaced.
func (d *deal) planRemovals() []v1alpha1.Removal {
	moves := d.moves()
	out := []v1alpha1.Removal{}
	for _, m := range d.c.byName() {
		if !d.goes(m) {
			continue
		}
		r := v1alpha1.Removal{
			NodePool: d.c.poolName(m.pool),
			Reason:   d.removalReason(m),
			Moves:    append([]v1alpha1.Destination{}, moves[m]...),
		}
		if m.node != nil {
			r.Node = m.node.Name
		}
		if m.claim != nil {
			r.NodeClaim = m.claim.Name
		}
		if m.priced {
			r.PricePerHour = m.price.USD()
		}
		out = append(out, r)
	}
	return out
}

// removalReason is why the machine goes.
func (d *deal) removalReason(m *machine) string {
	switch d.fate(m).Removal {
	case model.Empty:
		return v1alpha1.RemovalEmpty
	case model.Underutilized:
		return v1alpha1.RemovalUnderutilized
	case model.Drifted:
		return v1alpha1.RemovalDrifted
	default:
		return m.goes
	}
}

// moves are the destinations of running pods by the machine they leave, by pod.
func (d *deal) moves() map[*machine][]v1alpha1.Destination {
	moves := map[*machine][]v1alpha1.Destination{}
	for _, g := range d.c.groups {
		for _, p := range g.pods {
			if to, ok := d.destination(p); ok && p.on != nil {
				moves[p.on] = append(moves[p.on], to)
			}
		}
	}
	for _, list := range moves {
		slices.SortFunc(list, byPodKey)
	}
	return moves
}

// planPlacements are the destinations of pending pods, by pod. A pod that the
// scheduler has promised a node is placed there.
func (d *deal) planPlacements() []v1alpha1.Destination {
	out := []v1alpha1.Destination{}
	for _, n := range d.c.nominated {
		out = append(out, n.on.destination(podKey(n.pod)))
	}
	for _, g := range d.c.groups {
		for _, p := range g.pods {
			if to, ok := d.destination(p); ok && p.on == nil {
				out = append(out, to)
			}
		}
	}
	slices.SortFunc(out, byPodKey)
	return out
}

func byPodKey(a, b v1alpha1.Destination) int { return cmp.Compare(a.Pod, b.Pod) }
