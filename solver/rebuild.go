package solver

import (
	"slices"

	"github.com/mortise-io/mortise/model"
)

// ruin is the part of a state that is to be decided anew: launches that are
// dropped, and nodes with the fate that they are to have.
type ruin struct {
	launches []*launch
	// nodes lose what was added to them: it needs another place, or the same
	// again. They get their pods first, as far as these need a place.
	nodes []nodeChange
	// waiting is how many pods that wait to try and place, too; nil for a
	// moderate number of each group.
	waiting []model.Count
	// seeds are launches to make first, as far as the pods and limits allow.
	seeds []*launch
}

// maxWaiting is how many waiting pods of each group a rebuild tries to place if nothing else is said.
const maxWaiting = 256

// rebuild drops the ruin and packs its pods, and those that wait, in the best
// way that the recipes find. It changes the state only for a better score, and
// says whether it did.
func (s *state) rebuild(r ruin, recipes []recipe) bool {
	before := s.total
	return s.rebuildIf(r, recipes, func(after *score) bool { return after.compare(&before) < 0 })
}

// rebuildIf is rebuild with another test of what is good enough; among several
// the best score wins.
func (s *state) rebuildIf(r ruin, recipes []recipe, accept func(*score) bool) bool {
	d := s.w.newDemand()
	for _, l := range r.launches {
		d.addAll(l.pods, 1)
	}
	for _, x := range r.nodes {
		old := &s.nodes[x.node]
		d.addAll(old.pods, 1)
		if own := s.w.p.Nodes[x.node].Pods; (old.removal == model.Stays) != (x.removal == model.Stays) {
			if x.removal == model.Stays {
				d.addAll(own, -1)
			} else {
				d.addAll(own, 1)
			}
		}
	}
	for _, g := range d.groups {
		if d.n[g] < 0 { // a node that comes back asks for pods that are elsewhere
			return false
		}
	}
	waiting := r.waiting
	if waiting == nil {
		waiting = s.waiting(maxWaiting)
	}
	d.addAll(waiting, 1)
	s.w.spend(200)

	first := change{drop: r.launches}
	for _, x := range r.nodes {
		first.nodes = append(first.nodes, nodeChange{node: x.node, removal: x.removal, pods: d.part(x.pods)})
	}
	undo := s.apply(&first)
	var sown []*launch
	if len(r.seeds) > 0 {
		undoDrop := undo
		sown = s.sow(r.seeds, d, recipes[0].view)
		undoSeeds := s.apply(&change{add: sown})
		undo = func() { undoSeeds(); undoDrop() }
	}
	receivers := s.receivers(d)
	var best *change
	var bestScore score
	for _, how := range recipes {
		c := s.packed(s.pack(d, receivers, &s.tally, how), waiting)
		if c == nil {
			continue
		}
		undoPack := s.apply(c)
		if (best == nil || s.total.compare(&bestScore) < 0) && accept(&s.total) && s.valid(&change{add: slices.Concat(sown, c.add), nodes: first.nodes}) {
			best, bestScore = c, s.total
		}
		undoPack()
		if s.w.exhausted() {
			break
		}
	}
	if best == nil {
		undo()
		return false
	}
	s.apply(best)
	return true
}

// sow makes launches of the seeds, as far as the limits and the demand go, and
// takes their pods off the demand. A seed of which only a part is asked for
// goes onto the cheapest shape that holds that part.
func (s *state) sow(seeds []*launch, d *demand, v *view) []*launch {
	t := &tally{limits: slices.Clone(s.tally.limits), reserved: slices.Clone(s.tally.reserved)}
	var out []*launch
	for _, l := range seeds {
		pods, shape := d.part(l.pods), l.shape
		if countAll(pods) < countAll(l.pods) {
			shape = v.cheapest(pods, shape)
		}
		if len(pods) > 0 && t.allows(s.w.p, shape) {
			t.count(s.w.p, shape, 1)
			out = append(out, &launch{shape: shape, pods: pods})
		} else {
			d.addAll(pods, 1)
		}
	}
	return out
}

func countAll(pods []model.Count) int {
	n := 0
	for _, c := range pods {
		n += c.N
	}
	return n
}

// cheapest is the cheapest shape that holds the pods, or the given one, which does.
func (v *view) cheapest(pods []model.Count, or model.ShapeIndex) model.ShapeIndex {
	for _, s := range v.shapes {
		if s == or || v.w.p.Shapes[s].Reservation == model.None && v.w.holds(s, pods) {
			return s
		}
	}
	return or
}

// waiting lists the pods that wait, at most so many of each group.
func (s *state) waiting(most int) []model.Count {
	out := []model.Count{}
	for g, n := range s.unplaced {
		if n > 0 {
			out = append(out, model.Count{Group: model.GroupIndex(g), N: min(n, most)})
		}
	}
	return out
}

// packed is the change that a packing makes; nil if it leaves a pod waiting that must not.
func (s *state) packed(pk *packing, waiting []model.Count) *change {
	c := &change{nodes: pk.nodes, add: pk.add}
	for _, g := range pk.left.groups {
		n := s.unplaced[g] - countOf(waiting, g) + pk.left.n[g]
		if n > s.w.p.Groups[g].Demand {
			return nil
		}
		if n != s.unplaced[g] {
			c.unplaced = append(c.unplaced, model.Count{Group: g, N: n})
		}
	}
	return c
}

// receivers are the nodes that stay and could take a pod of the demand.
func (s *state) receivers(d *demand) []model.NodeIndex {
	var out []model.NodeIndex
	for _, i := range s.w.open {
		if s.nodes[i].removal != model.Stays {
			continue
		}
		for _, g := range d.groups {
			if d.n[g] > 0 && s.w.p.Groups[g].Nodes.Has(i) && fits(s.w.p.Groups[g].Request, s.nodes[i].free) {
				out = append(out, i)
				break
			}
		}
	}
	s.w.spend(4 * len(s.w.open))
	return out
}

// hosts are the launches and nodes that carry pods of the groups of the given counts.
func (s *state) hosts(pods []model.Count) ([]*launch, []model.NodeIndex) {
	carries := func(content []model.Count) bool {
		return slices.ContainsFunc(content, func(c model.Count) bool { return countOf(pods, c.Group) > 0 })
	}
	var launches []*launch
	for _, l := range s.launches {
		if carries(l.pods) {
			launches = append(launches, l)
		}
	}
	var nodes []model.NodeIndex
	for _, i := range s.w.open {
		if carries(s.nodes[i].pods) {
			nodes = append(nodes, i)
		}
	}
	return launches, nodes
}
