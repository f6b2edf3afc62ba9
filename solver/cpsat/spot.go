package cpsat

import (
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// addSpotFlexibility asks of a spot launch that carries pods of a removed spot
// node that enough instance types would do.
func (x *program) addSpotFlexibility() {
	if x.p.Rules.SpotFlexibility <= 1 {
		return
	}
	replaced := func(g model.GroupIndex) bool {
		o := x.p.Groups[g].Origin
		return o.Kind == model.Resident && o.Spot
	}
	for i := range x.slots {
		s := &x.slots[i]
		if !x.p.Shapes[s.shape].Spot || !s.takes(replaced) {
			continue
		}
		types := sat.Sum(x.typesFor(s)...)
		x.m.AddLinear(types, int64(x.p.Rules.SpotFlexibility), sat.Highest, x.carries(&s.machine, replaced))
	}
}

// typesFor are literals, one for each instance type, that hold only where a
// spot shape of the type in the slot's pool could carry what is on the slot.
func (x *program) typesFor(s *slot) []sat.Bool {
	var order []model.TypeIndex
	fitting := map[model.TypeIndex][]sat.Bool{}
	for k := range x.p.Shapes {
		shape := &x.p.Shapes[k]
		if !shape.Spot || shape.Pool != x.p.Shapes[s.shape].Pool {
			continue
		}
		if fitting[shape.Type] == nil {
			order = append(order, shape.Type)
		}
		fitting[shape.Type] = append(fitting[shape.Type], x.fits(s, model.ShapeIndex(k)))
	}
	var out []sat.Bool
	for _, t := range order {
		would := x.m.NewBool()
		x.m.AddOr(fitting[t], would)
		out = append(out, would)
	}
	return out
}

// fits is a literal that holds only where the shape could carry what is on the slot.
func (x *program) fits(s *slot, k model.ShapeIndex) sat.Bool {
	fits := x.m.NewBool()
	for r := range x.p.Resources {
		x.m.AddLinear(x.load(&s.machine, r), 0, max(0, x.p.Shapes[k].Allocatable[r]), fits)
	}
	for _, c := range s.counts {
		if !x.p.Groups[c.group].Shapes.Has(k) {
			x.m.AddLinear((&sat.Linear{}).Add(1, c.n), 0, 0, fits)
		}
	}
	return fits
}

// market is where spot nodes are alike to fail together.
type market struct {
	pool model.PoolIndex
	typ  model.TypeIndex
	zone model.ZoneIndex
}

// addSpotDiversity keeps each market that is launched to its share of the
// pool's spot nodes, or to one node.
func (x *program) addSpotDiversity() {
	share := x.p.Rules.SpotDiversity
	if share <= 0 {
		return
	}
	all := make([][]sat.Bool, len(x.p.Pools))
	here, launched := map[market][]sat.Bool{}, map[market][]sat.Bool{}
	var markets []market // that can be launched, in order
	for i := range x.p.Nodes {
		if n := &x.p.Nodes[i]; n.Spot && n.Pool != model.None && !n.Goes {
			m := market{n.Pool, n.Type, n.Zone}
			all[n.Pool] = append(all[n.Pool], x.nodes[i].present)
			here[m] = append(here[m], x.nodes[i].present)
		}
	}
	for i := range x.slots {
		if s := &x.p.Shapes[x.slots[i].shape]; s.Spot {
			m := market{s.Pool, s.Type, s.Zone}
			if launched[m] == nil {
				markets = append(markets, m)
			}
			all[s.Pool] = append(all[s.Pool], x.slots[i].present)
			here[m] = append(here[m], x.slots[i].present)
			launched[m] = append(launched[m], x.slots[i].present)
		}
	}
	for _, m := range markets {
		buys, single := x.any(launched[m]), x.m.NewBool()
		x.m.AddLinear(sat.Sum(here[m]...), 0, 1, buys, single)
		within := (&sat.Linear{}).AddTimes(share, sat.Sum(all[m.pool]...)).AddTimes(-1_000_000, sat.Sum(here[m]...))
		x.m.AddLinear(within, 0, sat.Highest, buys, single.Not())
	}
}
