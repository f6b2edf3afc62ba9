package cpsat

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// launch is a shape worth launching.
type launch struct {
	shape  model.ShapeIndex
	slots  int // how often at most
	groups int // how many it can carry
}

// launches are the shapes worth launching, and how often at most.
func (x *program) launches() []launch {
	var out []launch
	for _, s := range x.undominated() {
		l := launch{shape: s}
		each, alike := int64(0), int64(0) // a machine for each pod; machines of one group each
		for g := range x.p.Groups {
			if most := x.most(model.GroupIndex(g), x.p.Shapes[s].Allocatable); most > 0 && x.p.Groups[g].Shapes.Has(s) {
				l.groups++
				each += x.need[g]
				alike += (x.need[g] + most - 1) / most
			}
		}
		if each == 0 {
			continue
		}
		l.slots = int(min(each, mostVariables))
		if x.sortable(s) {
			l.slots = int(min(int64(l.slots), alike))
		}
		if r := x.p.Shapes[s].Reservation; r != model.None {
			l.slots = min(l.slots, x.p.Reservations[r].Count)
		}
		out = append(out, l)
	}
	return out
}

// sortable says whether all pods on machines of the shape can as well be sorted
// onto machines of one group each: no rule looks at what is on a machine, nor
// at how many machines there are other than that fewer are better.
func (x *program) sortable(s model.ShapeIndex) bool {
	shape := &x.p.Shapes[s]
	balanced := slices.ContainsFunc(x.p.Pools, func(k model.Pool) bool { return k.Balanced })
	return !balanced && !(shape.Spot && (x.p.Rules.SpotFlexibility > 1 || x.p.Rules.SpotDiversity > 0)) && shape.Cost() >= 0
}

// undominated are the shapes that no other one beats: none that differs in
// nothing that a rule looks at, has as much room, and costs no more.
func (x *program) undominated() []model.ShapeIndex {
	order := make([]model.ShapeIndex, len(x.p.Shapes))
	room := make([]model.Quantities, len(x.p.Shapes))
	kind := make([]string, len(x.p.Shapes))
	for s := range order {
		order[s] = model.ShapeIndex(s)
		room[s], kind[s] = x.usable(model.ShapeIndex(s)), x.kind(model.ShapeIndex(s))
	}
	slices.SortStableFunc(order, func(a, b model.ShapeIndex) int {
		return cmp.Or(cmp.Compare(x.p.Shapes[a].Cost(), x.p.Shapes[b].Cost()), slices.Compare(room[b], room[a]))
	})
	kept := map[string][]model.ShapeIndex{} // only looked up
	var out []model.ShapeIndex
	for _, s := range order {
		beaten := slices.ContainsFunc(kept[kind[s]], func(better model.ShapeIndex) bool {
			return noLess(room[better], room[s]) && x.noMore(better, s)
		})
		if !beaten {
			kept[kind[s]] = append(kept[kind[s]], s)
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// usable is the room of a shape that pods can fill.
func (x *program) usable(s model.ShapeIndex) model.Quantities {
	all := make(model.Quantities, len(x.p.Resources))
	for g := range x.p.Groups {
		if x.p.Groups[g].Shapes.Has(s) {
			for r, q := range x.p.Groups[g].Request {
				all[r] += q * x.need[g]
			}
		}
	}
	for r := range all {
		all[r] = min(all[r], max(0, x.p.Shapes[s].Allocatable[r]))
	}
	return all
}

// kind is equal for shapes that no rule tells apart but by room and cost.
func (x *program) kind(s model.ShapeIndex) string {
	shape := &x.p.Shapes[s]
	var allowed []int
	for g := range x.p.Groups {
		if x.need[g] > 0 && x.p.Groups[g].Shapes.Has(s) {
			allowed = append(allowed, g)
		}
	}
	key := fmt.Sprint(shape.Pool, shape.Spot, shape.Reservation, allowed)
	if shape.Spot && x.p.Rules.SpotDiversity > 0 {
		key += fmt.Sprint(" in ", shape.Type, shape.Zone)
	}
	return key
}

// noMore says whether a counts for no more than b in any rule that sums.
func (x *program) noMore(a, b model.ShapeIndex) bool {
	s, t := &x.p.Shapes[a], &x.p.Shapes[b]
	for k := range x.p.Limits {
		if l := &x.p.Limits[k]; l.Covers(s.Pool) && l.Of(s.Capacity, s.Price) > l.Of(t.Capacity, t.Price) {
			return false
		}
	}
	return s.Cost() <= t.Cost() && s.Price <= t.Price // prices count towards Balanced
}

func noLess(a, b model.Quantities) bool {
	for r := range a {
		if a[r] < b[r] {
			return false
		}
	}
	return true
}

// addSlots adds the slots of a shape: used from the first on, fuller ones first.
func (x *program) addSlots(l launch) {
	shape := &x.p.Shapes[l.shape]
	for k := range l.slots {
		used := x.m.NewBool()
		s := slot{shape: l.shape, place: k, machine: x.newMachine(used, shape.Allocatable, func(g model.GroupIndex) bool { return x.p.Groups[g].Shapes.Has(l.shape) })}
		x.m.AddLinear(s.pods().AddBool(-1, used), 0, sat.Highest) // not for nothing
		if k > 0 {
			last := &x.slots[len(x.slots)-1]
			x.m.AddImplication(used, last.present)
			x.m.AddLinear(last.pods().AddTimes(-1, s.pods()), 0, sat.Highest)
		}
		x.slots = append(x.slots, s)
	}
}
