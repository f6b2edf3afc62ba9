package solver

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// state is a solution under search, with everything that rules and goals sum up.
// It is valid at all times; a change that would break a rule is refused.
type state struct {
	w        *work
	launches []*launch
	nodes    []node // by model.NodeIndex
	unplaced []int  // by model.GroupIndex

	total score
	tally tally
}

// launch is one new machine. Its content is never changed once it is in a state.
type launch struct {
	shape model.ShapeIndex
	pods  []model.Count // ascending groups
	at    int           // place in the launches of its state
}

// node is what becomes of an existing node.
type node struct {
	removal model.Removal
	pods    []model.Count    // added to it, ascending groups
	free    model.Quantities // left after them
}

// tally sums up what limits, budgets and reservations count.
type tally struct {
	limits    []int64 // by limit: what the nodes and launches in its scope amount to
	scoped    []int   // by limit: launches in its scope
	reserved  []int   // by reservation
	removed   [][model.NumBudgets]int
	voluntary int // nodes removed to save money
	pending   int // launches that carry a pending pod
}

// change is a step of the search: some launches dropped and added, some nodes
// and unplaced counts set anew.
type change struct {
	drop     []*launch
	add      []*launch
	nodes    []nodeChange
	unplaced []model.Count
}

type nodeChange struct {
	node    model.NodeIndex
	removal model.Removal
	pods    []model.Count
}

// newState leaves every demanded pod waiting and keeps every node that may be kept.
func newState(w *work) *state {
	p := w.p
	s := &state{w: w, nodes: make([]node, len(p.Nodes)), unplaced: make([]int, len(p.Groups))}
	s.tally = tally{
		limits:   make([]int64, len(p.Limits)),
		scoped:   make([]int, len(p.Limits)),
		reserved: make([]int, len(p.Reservations)),
		removed:  make([][model.NumBudgets]int, len(p.Pools)),
	}
	for i := range p.Nodes {
		s.nodes[i] = node{removal: model.Stays, free: p.Nodes[i].Free}
		if p.Nodes[i].Goes {
			s.nodes[i].removal = model.Forced
		}
		s.count(model.NodeIndex(i), &s.nodes[i], 1)
	}
	for g := range p.Groups {
		s.setUnplaced(model.GroupIndex(g), p.Groups[g].Demand)
	}
	return s
}

// setUnplaced leaves n pods of the group waiting.
func (s *state) setUnplaced(g model.GroupIndex, n int) {
	s.total.goals[s.w.goals.priority[g]] += int64(n - s.unplaced[g])
	s.unplaced[g] = n
}

// nodeScore is what the node's fate adds to the score.
func (w *work) nodeScore(i model.NodeIndex, r model.Removal) score {
	n := &w.p.Nodes[i]
	switch r {
	case model.Stays:
		return score{cost: int64(n.KeepCost())}
	case model.Forced:
		return score{}
	}
	x := score{cost: int64(n.Evict)}
	if r.Voluntary() {
		x.cost += int64(n.Hurdle)
	}
	for _, c := range n.Pods {
		x.moves += int64(c.N)
	}
	return x
}

// launchScore is what a launch adds to the score.
func (w *work) launchScore(l *launch) score {
	x := w.shapeScore(l.shape)
	if w.p.Rules.PoolWeights {
		rank := w.ranks[w.p.Shapes[l.shape].Pool]
		for _, c := range l.pods {
			for r := range min(rank, maxGoals-w.goals.weight) {
				x.goals[w.goals.weight+r] += int64(c.N)
			}
		}
	}
	return x
}

// count adds the node to the tally and the score, or with sign −1 takes it off.
func (s *state) count(i model.NodeIndex, f *node, sign int) {
	w, n := s.w, &s.w.p.Nodes[i]
	x := w.nodeScore(i, f.removal)
	s.addScore(&x, sign)
	if f.removal == model.Stays {
		for k := range w.p.Limits {
			if l := &w.p.Limits[k]; l.Covers(n.Pool) {
				s.tally.limits[k] += int64(sign) * l.Of(n.Capacity, n.Price)
			}
		}
		return
	}
	if f.removal < model.NumBudgets && n.Pool != model.None {
		s.tally.removed[n.Pool][f.removal] += sign
	}
	if f.removal.Voluntary() {
		s.tally.voluntary += sign
		if once := w.p.Rules.SavingsOnce; once != 0 && s.tally.voluntary == max(0, sign) {
			s.total.cost += int64(sign) * int64(once)
		}
	}
}

// countLaunch adds the launch to the tally and the score, or takes it off.
func (s *state) countLaunch(l *launch, sign int) {
	w := s.w
	x := w.launchScore(l)
	s.addScore(&x, sign)
	s.tally.count(w.p, l.shape, sign)
	for k := range w.p.Limits {
		if w.p.Limits[k].Covers(w.p.Shapes[l.shape].Pool) {
			s.tally.scoped[k] += sign
		}
	}
	if w.p.Rules.PendingApart && slices.ContainsFunc(l.pods, func(c model.Count) bool { return w.p.Groups[c.Group].Origin.Kind == model.Pending }) {
		s.tally.pending += sign
	}
}

func (s *state) addScore(x *score, sign int) {
	if sign > 0 {
		s.total.add(x)
	} else {
		s.total.sub(x)
	}
}

// setNode gives the node another fate and content, and returns what undoes it.
func (s *state) setNode(c nodeChange) nodeChange {
	f := &s.nodes[c.node]
	undo := nodeChange{c.node, f.removal, f.pods}
	s.count(c.node, f, -1)
	f.removal, f.pods = c.removal, c.pods
	f.free = s.w.p.Nodes[c.node].Free
	if len(c.pods) > 0 {
		f.free = less(f.free, s.w.p, c.pods)
	}
	s.count(c.node, f, 1)
	return undo
}

// less is the room that is left when pods are put into it.
func less(room model.Quantities, p *model.Problem, pods []model.Count) model.Quantities {
	room = slices.Clone(room)
	for _, c := range pods {
		for r, q := range p.Groups[c.Group].Request {
			room[r] -= q * int64(c.N)
		}
	}
	return room
}

// apply makes the change and returns what undoes it.
func (s *state) apply(c *change) func() {
	for _, l := range c.drop {
		s.remove(l)
	}
	for _, l := range c.add {
		s.insert(l)
	}
	undoNodes := make([]nodeChange, len(c.nodes))
	for i := range c.nodes {
		undoNodes[i] = s.setNode(c.nodes[i])
	}
	undoUnplaced := make([]int, len(c.unplaced))
	for i, x := range c.unplaced {
		undoUnplaced[i] = s.unplaced[x.Group]
		s.setUnplaced(x.Group, x.N)
	}
	return func() {
		for i := len(c.unplaced) - 1; i >= 0; i-- {
			s.setUnplaced(c.unplaced[i].Group, undoUnplaced[i])
		}
		for i := len(undoNodes) - 1; i >= 0; i-- {
			s.setNode(undoNodes[i])
		}
		for _, l := range c.add {
			s.remove(l)
		}
		for _, l := range c.drop {
			s.insert(l)
		}
	}
}

// insert adds a launch, which belongs to no other state.
func (s *state) insert(l *launch) {
	l.at = len(s.launches)
	s.launches = append(s.launches, l)
	s.countLaunch(l, 1)
}

// remove takes a launch out; the last one takes its place.
func (s *state) remove(l *launch) {
	last := s.launches[len(s.launches)-1]
	s.launches[l.at], last.at = last, l.at
	s.launches = s.launches[:len(s.launches)-1]
	s.countLaunch(l, -1)
}

// has says whether the launch is in the state.
func (s *state) has(l *launch) bool {
	return l.at < len(s.launches) && s.launches[l.at] == l
}

// solution is the state as an answer, launches in a fixed order.
func (s *state) solution() model.Solution {
	out := model.Solution{
		Launches: make([]model.Machine, 0, len(s.launches)),
		Nodes:    make([]model.Fate, len(s.nodes)),
		Unplaced: slices.Clone(s.unplaced),
	}
	for _, l := range s.launches {
		out.Launches = append(out.Launches, model.Machine{Shape: l.shape, Pods: slices.Clone(l.pods)})
	}
	slices.SortFunc(out.Launches, func(a, b model.Machine) int {
		return cmp.Or(cmp.Compare(a.Shape, b.Shape), slices.CompareFunc(a.Pods, b.Pods, func(x, y model.Count) int {
			return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(y.N, x.N))
		}))
	})
	for i := range s.nodes {
		out.Nodes[i] = model.Fate{Removal: s.nodes[i].removal, Pods: slices.Clone(s.nodes[i].pods)}
	}
	return out
}

// clone is a copy that can be changed apart from s.
func (s *state) clone() *state {
	c := *s
	c.launches = make([]*launch, len(s.launches))
	for i, l := range s.launches {
		c.launches[i] = &launch{l.shape, l.pods, i}
	}
	c.nodes = slices.Clone(s.nodes)
	c.unplaced = slices.Clone(s.unplaced)
	c.tally = tally{
		limits:    slices.Clone(s.tally.limits),
		scoped:    slices.Clone(s.tally.scoped),
		reserved:  slices.Clone(s.tally.reserved),
		removed:   slices.Clone(s.tally.removed),
		voluntary: s.tally.voluntary,
		pending:   s.tally.pending,
	}
	return &c
}
