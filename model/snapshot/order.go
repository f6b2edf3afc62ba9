package snapshot

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// compareShapes orders shapes by pool, type, zone, capacity type and reservation.
func (c *Compiled) compareShapes(a, b model.ShapeIndex) int {
	x, y := &c.shapes[a], &c.shapes[b]
	return cmp.Or(
		cmp.Compare(c.poolName(x.pool), c.poolName(y.pool)),
		compareOfferings(x, y),
		cmp.Compare(a, b),
	)
}

// compareOfferings orders shapes of one pool by name.
func compareOfferings(x, y *shape) int {
	return cmp.Or(
		cmp.Compare(x.instanceType.Name, y.instanceType.Name),
		cmp.Compare(x.offering.Zone, y.offering.Zone),
		cmp.Compare(x.offering.CapacityType, y.offering.CapacityType),
		cmp.Compare(reservationOf(x.offering), reservationOf(y.offering)),
	)
}

func compareCounts(a, b model.Count) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(b.N, a.N))
}

func comparePods(a, b *groupPod) int {
	return cmp.Or(cmp.Compare(a.pod.Namespace, b.pod.Namespace), cmp.Compare(a.pod.Name, b.pod.Name))
}

// byName lists the machines by name.
func (c *Compiled) byName() []*machine {
	machines := slices.Clone(c.nodes)
	slices.SortFunc(machines, func(a, b *machine) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.index, b.index))
	})
	return machines
}

// sortedKeys returns the keys of m in ascending order.
func sortedKeys[K ~string, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
