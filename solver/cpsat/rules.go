package cpsat

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// addBudgets takes the reasons of each pool from the tightest budget up: where
// any node goes for a reason, all removals up to it keep its budget.
func (x *program) addBudgets() {
	for k := range x.p.Pools {
		pool := &x.p.Pools[k]
		reasons := []model.Removal{model.Empty, model.Underutilized, model.Drifted}
		slices.SortStableFunc(reasons, func(a, b model.Removal) int { return cmp.Compare(pool.Budget[a], pool.Budget[b]) })
		var soFar []sat.Bool
		for _, reason := range reasons {
			going := x.going(model.PoolIndex(k), reason)
			soFar = append(soFar, going...)
			if len(going) > 0 && len(soFar) > pool.Budget[reason] {
				x.m.AddLinear(sat.Sum(soFar...), sat.Lowest, int64(pool.Budget[reason]), x.any(going))
			}
		}
	}
}

// going are the pool's nodes that go for the reason.
func (x *program) going(pool model.PoolIndex, reason model.Removal) []sat.Bool {
	var out []sat.Bool
	for i := range x.nodes {
		for _, r := range x.nodes[i].removals {
			if x.p.Nodes[i].Pool == pool && r.reason == reason {
				out = append(out, r.chosen)
			}
		}
	}
	return out
}

// addLimits holds each limit where anything is launched in its scope.
func (x *program) addLimits() {
	for k := range x.p.Limits {
		l := &x.p.Limits[k]
		sum := &sat.Linear{}
		var launched []sat.Bool
		for i := range x.slots {
			shape := &x.p.Shapes[x.slots[i].shape]
			if l.Covers(shape.Pool) {
				launched = append(launched, x.slots[i].present)
				sum.AddBool(l.Of(shape.Capacity, shape.Price), x.slots[i].present)
			}
		}
		for i := range x.p.Nodes {
			if n := &x.p.Nodes[i]; l.Covers(n.Pool) && !n.Goes {
				sum.AddBool(l.Of(n.Capacity, n.Price), x.nodes[i].present)
			}
		}
		if len(launched) > 0 {
			x.m.AddLinear(sum, sat.Lowest, l.Max, x.any(launched))
		}
	}
}

func (x *program) addReservations() {
	for r := range x.p.Reservations {
		var used []sat.Bool
		for i := range x.slots {
			if x.p.Shapes[x.slots[i].shape].Reservation == model.ReservationIndex(r) {
				used = append(used, x.slots[i].present)
			}
		}
		x.m.AddLinear(sat.Sum(used...), 0, int64(max(0, x.p.Reservations[r].Count)))
	}
}

// addPendingApart forbids to launch for pending pods and to remove voluntarily.
func (x *program) addPendingApart() {
	if !x.p.Rules.PendingApart {
		return
	}
	pending := func(g model.GroupIndex) bool { return x.p.Groups[g].Origin.Kind == model.Pending }
	for i := range x.slots {
		if s := &x.slots[i]; s.takes(pending) {
			x.m.AddAtMostOne(x.carries(&s.machine, pending), x.voluntary)
		}
	}
}
