package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// packing is where the pods of a demand go: onto nodes, into new launches, or nowhere.
type packing struct {
	nodes []nodeChange // receivers with their new content
	add   []*launch
	left  *demand
}

// recipe says how to pack.
type recipe struct {
	view *view
	// order sorts the groups before they are put onto nodes.
	order groupOrder
	// fresh puts everything into new launches and nothing onto nodes.
	fresh bool
	// tiers buys for the highest priority first, then for the next, and tops
	// the launches up: where limits bind, nothing may be bought for less.
	tiers bool
}

type groupOrder int

const (
	largestFirst  groupOrder = iota // of the highest priority
	smallestFirst                   // whatever the priority
	dearestFirst                    // of the highest priority
	cheapestLast                    // whatever the priority, the other way round among equals
)

// pack finds a place for the demand: on the receivers first, the rest in new
// launches. The tally is that of the state once the packing's own drops are made.
func (s *state) pack(d *demand, receivers []model.NodeIndex, t *tally, how recipe) *packing {
	out := &packing{left: d.clone()}
	s.w.sortGroups(out.left, how)
	if !how.fresh {
		s.fill(out, receivers)
	}
	after := &tally{limits: slices.Clone(t.limits), reserved: slices.Clone(t.reserved)}
	if !how.tiers {
		s.launchFor(out, out.left, after, how)
		return out
	}
	for level := range maxGoals {
		tier := s.w.newDemand()
		for _, g := range out.left.groups {
			if s.w.goals.priority[g] == level && out.left.n[g] > 0 {
				tier.add(g, out.left.n[g])
			}
		}
		if !tier.empty() {
			s.launchFor(out, tier, after, how)
			s.topUp(out)
		}
	}
	return out
}

// topUp puts what is left into the room of the launches.
func (s *state) topUp(out *packing) {
	for _, l := range out.add {
		free := less(s.w.p.Shapes[l.shape].Allocatable, s.w.p, l.pods)
		for _, g := range out.left.groups {
			if !s.w.p.Groups[g].Shapes.Has(l.shape) {
				continue
			}
			if n := min(s.w.most(g, free, l.pods), out.left.n[g]); n > 0 {
				l.pods = with(l.pods, g, n)
				take(free, s.w.p.Groups[g].Request, n)
				out.left.n[g] -= n
			}
		}
	}
}

// sortGroups puts the groups into the recipe's order.
func (w *work) sortGroups(d *demand, how recipe) {
	type key struct {
		priority int
		size     float64
		tie      model.GroupIndex
	}
	keys := make(map[model.GroupIndex]key, len(d.groups))
	for _, g := range d.groups {
		switch how.order {
		case largestFirst:
			keys[g] = key{w.goals.priority[g], -w.bulk(g), g}
		case smallestFirst:
			keys[g] = key{0, w.bulk(g), g}
		case dearestFirst:
			keys[g] = key{w.goals.priority[g], -how.view.value[g], g}
		case cheapestLast:
			keys[g] = key{0, -how.view.value[g], -g}
		}
	}
	slices.SortFunc(d.groups, func(a, b model.GroupIndex) int {
		x, y := keys[a], keys[b]
		return cmp.Or(cmp.Compare(x.priority, y.priority), cmp.Compare(x.size, y.size), cmp.Compare(x.tie, y.tie))
	})
}

// bulk is how large a pod of the group is, as a share of the largest room that anything has.
func (w *work) bulk(g model.GroupIndex) float64 {
	b := 0.0
	for r, q := range w.p.Groups[g].Request {
		if q > 0 && w.largest[r] > 0 {
			b += float64(q) / float64(w.largest[r])
		}
	}
	return b
}

// fill puts pods onto the receivers, each group where it leaves the least room.
func (s *state) fill(out *packing, receivers []model.NodeIndex) {
	p := s.w.p
	touched := map[model.NodeIndex]int{} // place in out.nodes
	room := func(i model.NodeIndex) (model.Quantities, []model.Count) {
		if k, ok := touched[i]; ok {
			return less(p.Nodes[i].Free, p, out.nodes[k].pods), out.nodes[k].pods
		}
		return s.nodes[i].free, s.nodes[i].pods
	}
	for _, g := range out.left.groups {
		group := &p.Groups[g]
		for out.left.n[g] > 0 {
			best, bestSlack, bestN := model.NodeIndex(model.None), math.Inf(1), 0
			for _, i := range receivers {
				if !group.Nodes.Has(i) {
					continue
				}
				free, pods := s.nodes[i].free, s.nodes[i].pods
				if len(out.nodes) > 0 {
					free, pods = room(i)
				}
				n := min(s.w.most(g, free, pods), out.left.n[g])
				if n == 0 {
					continue
				}
				if slack := s.w.slack(free, group.Request, n); slack < bestSlack {
					best, bestSlack, bestN = i, slack, n
				}
			}
			s.w.spend(8 * len(receivers))
			if best == model.None {
				break
			}
			out.left.n[g] -= bestN
			k, ok := touched[best]
			if !ok {
				k = len(out.nodes)
				touched[best] = k
				out.nodes = append(out.nodes, nodeChange{best, model.Stays, s.nodes[best].pods})
			}
			out.nodes[k].pods = with(out.nodes[k].pods, g, bestN)
		}
	}
}

// slack is the room left after n pods, as shares of the largest room of each resource.
func (w *work) slack(free, request model.Quantities, n int) float64 {
	x := 0.0
	for r, f := range free {
		if w.largest[r] > 0 {
			x += float64(f-request[r]*int64(n)) / float64(w.largest[r])
		}
	}
	return x
}

// launchFor buys machines for the demand, which is out.left or a part of it,
// as far as limits and reservations go.
func (s *state) launchFor(out *packing, d *demand, t *tally, how recipe) {
	for !d.empty() && !s.w.exhausted() {
		v := how.view.within(t)
		launches := v.reserved(d)
		if len(launches) == 0 {
			c := v.cover(d)
			if launches = c.launches; !c.exact {
				launches = v.greedy(d)
			}
		}
		progress := false
		for _, l := range launches {
			if t.allows(s.w.p, l.shape) {
				t.count(s.w.p, l.shape, 1)
				out.add = append(out.add, &launch{shape: l.shape, pods: l.pods}) // a cover is shared; a state needs launches of its own
				d.addAll(l.pods, -1)
				if d != out.left {
					out.left.addAll(l.pods, -1)
				}
				progress = true
			}
		}
		if !progress {
			return
		}
	}
}

// count adds launches of the shape to limits and reservations, or takes them off.
func (t *tally) count(p *model.Problem, s model.ShapeIndex, n int) {
	shape := &p.Shapes[s]
	for k := range p.Limits {
		if l := &p.Limits[k]; l.Covers(shape.Pool) {
			t.limits[k] += int64(n) * l.Of(shape.Capacity, shape.Price)
		}
	}
	if shape.Reservation != model.None {
		t.reserved[shape.Reservation] += n
	}
}

// reserved fills one machine of a reservation that has room, if that saves
// more than its pods are worth elsewhere. Nil if there is none.
func (v *view) reserved(d *demand) []*launch {
	var best *launch
	bestGain := 0.0
	for k, s := range v.shapes {
		if v.w.p.Shapes[s].Reservation == model.None {
			continue
		}
		l, worth := v.fillShape(s, d, byValue)
		if gain := worth - v.cost[k]; l != nil && (best == nil && gain >= 0 || gain > bestGain) {
			best, bestGain = l, gain
		}
	}
	if best == nil {
		return nil
	}
	return []*launch{best}
}

// greedy covers a large demand: again and again the launch that costs least
// for what its pods are worth, as often as the demand holds it.
func (v *view) greedy(d *demand) []*launch {
	d = d.clone()
	var out []*launch
	for !d.empty() && !v.w.exhausted() {
		best, times := v.bestRatio(d)
		if best == nil {
			return out
		}
		for range times {
			out = append(out, best)
			d.addAll(best.pods, -1)
			best = &launch{shape: best.shape, pods: best.pods}
		}
		if c := v.cover(d); c.exact { // the tail is small enough for the exact cover
			return append(out, c.launches...)
		}
	}
	return out
}

// bestRatio is the launch with the least cost for the worth of its pods, and
// how often the demand holds it. Nil if nothing can carry any pod.
func (v *view) bestRatio(d *demand) (*launch, int) {
	var best *launch
	bestRatio := math.Inf(1)
	for k, s := range v.shapes {
		if v.w.p.Shapes[s].Reservation != model.None {
			continue
		}
		for fill := range numFills {
			l, worth := v.fillShape(s, d, fill)
			if l == nil {
				break
			}
			ratio := v.cost[k] / max(worth, 1e-9)
			if v.w.p.Rules.PoolWeights {
				ratio += v.podCharge(k)
			}
			if ratio < bestRatio*(1-1e-9) {
				best, bestRatio = l, ratio
			}
		}
	}
	if best == nil {
		return nil, 0
	}
	times := math.MaxInt
	for _, c := range best.pods {
		times = min(times, d.n[c.Group]/c.N)
	}
	return best, times
}

type fillOrder int

const (
	byValue fillOrder = iota // most worth for the share of the machine it takes
	byBulk                   // largest share of the machine first
	numFills
)

// fillShape fills one machine of the shape from the demand. It returns nil if
// nothing fits, and what its pods are worth.
func (v *view) fillShape(s model.ShapeIndex, d *demand, by fillOrder) (*launch, float64) {
	w := v.w
	free := slices.Clone(w.p.Shapes[s].Allocatable)
	type item struct {
		g   model.GroupIndex
		key float64
	}
	items := make([]item, 0, len(d.groups))
	for _, g := range d.groups {
		if d.n[g] == 0 || !w.p.Groups[g].Shapes.Has(s) || !fits(w.p.Groups[g].Request, free) {
			continue
		}
		share := w.share(g, free)
		key := -share
		if by == byValue {
			key = -v.value[g] / max(share, 1e-12)
		}
		items = append(items, item{g, key})
	}
	w.spend(80 * (len(items) + 1))
	slices.SortFunc(items, func(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.g, b.g)) })
	var pods []model.Count
	worth := 0.0
	for _, x := range items {
		if n := min(w.most(x.g, free, pods), d.n[x.g]); n > 0 {
			pods = with(pods, x.g, n)
			take(free, w.p.Groups[x.g].Request, n)
			worth += v.value[x.g] * float64(n)
		}
	}
	if len(pods) == 0 {
		return nil, 0
	}
	return &launch{shape: s, pods: pods}, worth
}

// share is how much of a machine's room one pod takes: the largest share of any resource.
func (w *work) share(g model.GroupIndex, room model.Quantities) float64 {
	x := 0.0
	for r, q := range w.p.Groups[g].Request {
		if q > 0 {
			x = max(x, float64(q)/float64(room[r]))
		}
	}
	return x
}
