package solver

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"time"

	"github.com/mortise-io/mortise/model"
)

// work is a problem prepared for the search, and the meter of the work done.
type work struct {
	p     *model.Problem
	highs bool // linear programs are solved by HiGHS
	goals goalIndex
	ranks []int // by pool
	// groupsOf are the groups that a shape may carry, in groups' order, by shape.
	groupsOf [][]model.GroupIndex
	allowed  allowed
	// frontier are the shapes worth launching: those that another one that may
	// carry the same pods does not beat in room and cost at once. Ascending cost.
	frontier []model.ShapeIndex
	// need is the most pods of a group that can ever need a place.
	need []int
	// largest is the largest room that any shape or node has of each resource.
	largest model.Quantities
	// open are the nodes that any pod may be put on.
	open []model.NodeIndex
	// budgeted says of each pool whether any budget can bind.
	budgeted []bool
	// fixed are nodes whose fate is decided before the search.
	fixed []bool

	meter
}

// defaultWorkLimit is about ten seconds of one core.
const defaultWorkLimit = 20_000_000_000

// meter counts work in units of about half a nanosecond, the same everywhere, and
// watches the clock only as a safety stop.
type meter struct {
	ctx      context.Context
	done     uint64
	limit    uint64
	deadline time.Time
	timedOut bool
}

// spend adds work and says whether there is any left.
func (m *meter) spend(units int) bool {
	before := m.done
	m.done += uint64(units)
	if before>>20 != m.done>>20 && !m.timedOut { // about every millisecond
		m.timedOut = m.ctx.Err() != nil || !m.deadline.IsZero() && time.Now().After(m.deadline)
	}
	return !m.exhausted()
}

func (m *meter) exhausted() bool { return m.timedOut || m.done >= m.limit }

// within runs f with at most a share of the work that is left.
func (m *meter) within(share float64, f func()) {
	limit := m.limit
	if m.done < limit {
		m.limit = m.done + uint64(share*float64(limit-m.done))
	}
	f()
	m.limit = limit
}

func newWork(ctx context.Context, p *model.Problem, o Options) *work {
	w := &work{p: p, goals: newGoalIndex(p), ranks: model.WeightRanks(p)}
	w.meter = meter{ctx: ctx, limit: cmp.Or(o.WorkLimit, defaultWorkLimit)}
	if o.TimeLimit > 0 {
		w.deadline = time.Now().Add(o.TimeLimit)
	}
	w.need = make([]int, len(p.Groups))
	for g := range p.Groups {
		w.need[g] = p.Groups[g].Demand
	}
	for i := range p.Nodes {
		if mayGo(&p.Nodes[i]) {
			for _, x := range p.Nodes[i].Pods {
				w.need[x.Group] += x.N
			}
		}
	}
	w.largest = make(model.Quantities, len(p.Resources))
	for r := range p.Resources {
		for i := range p.Shapes {
			w.largest[r] = max(w.largest[r], p.Shapes[i].Allocatable[r])
		}
		for i := range p.Nodes {
			w.largest[r] = max(w.largest[r], p.Nodes[i].Free[r])
		}
	}
	w.groupsOf = make([][]model.GroupIndex, len(p.Shapes))
	for g := range p.Groups {
		if w.need[g] == 0 {
			continue
		}
		for s := range p.Groups[g].Shapes.All() {
			if fits(p.Groups[g].Request, p.Shapes[s].Allocatable) {
				w.groupsOf[s] = append(w.groupsOf[s], model.GroupIndex(g))
			}
		}
	}
	w.allowed = w.newAllowed()
	w.frontier = w.undominated()
	w.fixed = make([]bool, len(p.Nodes))
	for i := range p.Nodes {
		if !p.Nodes[i].Goes && w.receives(model.NodeIndex(i)) {
			w.open = append(w.open, model.NodeIndex(i))
		}
	}
	for k := range p.Pools {
		w.budgeted = append(w.budgeted, slices.Min(p.Pools[k].Budget[:]) < model.Unlimited)
	}
	return w
}

// receives says whether any group that can need a place may be put on the node.
func (w *work) receives(i model.NodeIndex) bool {
	for g := range w.p.Groups {
		if w.need[g] > 0 && w.p.Groups[g].Nodes.Has(i) && fits(w.p.Groups[g].Request, w.p.Nodes[i].Free) {
			return true
		}
	}
	return false
}

// mayGo says whether the node may be taken away by decision.
func mayGo(n *model.Node) bool {
	return !n.Goes && (n.Voluntary.Voluntary() || n.Drift > 0)
}

// fits says whether one pod fits into the room.
func fits(request, room model.Quantities) bool {
	for r, q := range request {
		if q > 0 && q > room[r] {
			return false
		}
	}
	return true
}

// shapeScore is what one launch of a shape adds to the score, its pods' weights apart.
func (w *work) shapeScore(s model.ShapeIndex) score {
	shape := &w.p.Shapes[s]
	return score{cost: int64(shape.Cost()), launches: 1, rank: int64(w.ranks[shape.Pool])}
}

// compareShapes orders shapes by what a launch costs, best first.
func (w *work) compareShapes(a, b model.ShapeIndex) int {
	x, y := &w.p.Shapes[a], &w.p.Shapes[b]
	byWeight := 0
	if w.p.Rules.PoolWeights {
		byWeight = cmp.Compare(w.ranks[x.Pool], w.ranks[y.Pool])
	}
	return cmp.Or(
		byWeight,
		cmp.Compare(x.Cost(), y.Cost()),
		cmp.Compare(w.ranks[x.Pool], w.ranks[y.Pool]),
		cmp.Compare(x.Name, y.Name),
		cmp.Compare(a, b),
	)
}

// undominated returns the frontier. Shapes are compared only where no rule
// tells them apart: the same groups, the same limits, no reservation, and
// under spot diversity the same market.
func (w *work) undominated() []model.ShapeIndex {
	order := make([]model.ShapeIndex, 0, len(w.p.Shapes))
	for s := range w.p.Shapes {
		if len(w.groupsOf[s]) > 0 {
			order = append(order, model.ShapeIndex(s))
		}
	}
	slices.SortFunc(order, w.compareShapes)

	classes := map[shapeClass][]model.ShapeIndex{} // only looked up: its order reaches nothing
	seed := maphash.MakeSeed()
	var out []model.ShapeIndex
	for _, s := range order {
		class := w.classOf(s, seed)
		beaten := slices.ContainsFunc(classes[class], func(t model.ShapeIndex) bool { return w.dominates(t, s) })
		if !beaten {
			classes[class] = append(classes[class], s)
			out = append(out, s)
		}
	}
	return out
}

// shapeClass is equal for shapes that no rule tells apart.
type shapeClass struct {
	groups      uint64 // hash of the groups; dominates compares them in full
	pool        model.PoolIndex
	reservation model.ReservationIndex
	typ         model.TypeIndex
	zone        model.ZoneIndex
}

func (w *work) classOf(s model.ShapeIndex, seed maphash.Seed) shapeClass {
	var h maphash.Hash
	h.SetSeed(seed)
	var word [8]byte
	for _, g := range w.groupsOf[s] {
		binary.LittleEndian.PutUint64(word[:], uint64(g))
		h.Write(word[:])
	}
	shape := &w.p.Shapes[s]
	class := shapeClass{groups: h.Sum64(), pool: model.None, reservation: shape.Reservation, typ: model.None, zone: model.None}
	if len(w.p.Limits) > 0 || w.p.Rules.PoolWeights {
		class.pool = shape.Pool
	}
	if w.p.Rules.SpotDiversity > 0 && shape.Spot {
		class.pool, class.typ, class.zone = shape.Pool, shape.Type, shape.Zone
	}
	return class
}

// dominates says whether t, which costs no more, can always stand in for s of the same class.
func (w *work) dominates(t, s model.ShapeIndex) bool {
	x, y := &w.p.Shapes[t], &w.p.Shapes[s]
	if x.Spot && !y.Spot && w.p.Rules.SpotFlexibility > 1 {
		return false
	}
	if !slices.Equal(w.groupsOf[t], w.groupsOf[s]) {
		return false
	}
	for r := range y.Allocatable {
		if x.Allocatable[r] < y.Allocatable[r] && w.asked(model.ResourceIndex(r), s) {
			return false
		}
	}
	for i := range w.p.Limits {
		l := &w.p.Limits[i]
		if l.Covers(x.Pool) && l.Of(x.Capacity, x.Price) > l.Of(y.Capacity, y.Price) {
			return false
		}
	}
	return true
}

// asked says whether any pod that the shape may carry requests the resource.
func (w *work) asked(r model.ResourceIndex, s model.ShapeIndex) bool {
	return slices.ContainsFunc(w.groupsOf[s], func(g model.GroupIndex) bool { return w.p.Groups[g].Request[r] > 0 })
}
