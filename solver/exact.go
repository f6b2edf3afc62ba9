package solver

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// Bounds on what is small enough to be tried out completely.
const (
	exactPods   = 24
	exactShapes = 16
	exactNodes  = 10
	exactShare  = 0.3 // of the work
)

// exact is a depth-first search through all solutions of a small problem: the
// fate of each node, then where the pods of each group go, a place at a time.
// What is decided only ever adds to a score, so a branch ends as soon as its
// part is no better than the best whole.
type exact struct {
	w *work
	// s holds the decided fates; what the pods are put into is beside it.
	s        *state
	groups   []model.GroupIndex // in the order in which they are placed
	nodes    []model.NodeIndex  // that may go
	todo     []int              // by group: pods that need a place
	places   []place
	unplaced []int
	partial  model.Score
	// priorities are those of the problem, highest first, as scores list them.
	priorities []int32

	best  *model.Solution
	score model.Score
}

// place is a machine that pods are put into.
type place struct {
	node  model.NodeIndex  // None for a launch
	shape model.ShapeIndex // of a launch
	free  model.Quantities
	pods  []model.Count
}

// small says whether the problem is worth trying out completely.
func (w *work) small() bool {
	pods, nodes := 0, 0
	for _, n := range w.need {
		pods += n
	}
	for i := range w.p.Nodes {
		if mayGo(&w.p.Nodes[i]) {
			nodes++
		}
	}
	return pods <= exactPods && nodes <= exactNodes && len(w.frontier) <= exactShapes && len(w.open) <= 2*exactNodes
}

// exhaust betters the incumbent to the optimum. It returns false if the work
// that it may use does not suffice; then it has changed nothing, or bettered it.
func (w *work) exhaust(r *Result) bool {
	e := &exact{w: w, s: newState(w), todo: make([]int, len(w.p.Groups)), unplaced: make([]int, len(w.p.Groups)), best: &r.Solution, score: r.Score}
	e.priorities = model.Priorities(w.p)
	for g, n := range w.need {
		if n > 0 {
			e.groups = append(e.groups, model.GroupIndex(g))
		}
	}
	slices.SortStableFunc(e.groups, func(a, b model.GroupIndex) int {
		return cmp.Or(cmp.Compare(w.goals.priority[a], w.goals.priority[b]), cmp.Compare(w.bulk(b), w.bulk(a)))
	})
	for i := range w.p.Nodes {
		if mayGo(&w.p.Nodes[i]) {
			e.nodes = append(e.nodes, model.NodeIndex(i))
		}
	}
	for g := range w.p.Groups {
		e.s.setUnplaced(model.GroupIndex(g), 0)
	}
	done := false
	w.within(exactShare, func() {
		e.fate(0)
		done = !w.exhausted()
	})
	r.Score = e.score
	return done
}

// fate decides the nodes from k on.
func (e *exact) fate(k int) {
	if !e.w.spend(100) {
		return
	}
	if k == len(e.nodes) {
		e.start()
		return
	}
	n := &e.w.p.Nodes[e.nodes[k]]
	options := make([]model.Removal, 0, 3)
	if n.Drift > 0 {
		options = append(options, model.Drifted)
	}
	if n.Voluntary.Voluntary() {
		options = append(options, n.Voluntary)
	}
	for _, to := range append(options, model.Stays) {
		c := change{nodes: []nodeChange{{node: e.nodes[k], removal: to}}}
		undo := e.s.apply(&c)
		if pool := n.Pool; pool == model.None || withinBudget(&e.w.p.Pools[pool], e.s.tally.removed[pool]) {
			e.fate(k + 1)
		}
		undo()
	}
}

// start lists what needs a place under the decided fates, and where it may go.
func (e *exact) start() {
	for g := range e.todo {
		e.todo[g] = e.w.p.Groups[g].Demand
	}
	e.places = e.places[:0]
	for i := range e.s.nodes {
		if n := &e.w.p.Nodes[i]; !n.Goes && e.s.nodes[i].removal != model.Stays {
			for _, c := range n.Pods {
				e.todo[c.Group] += c.N
			}
		}
	}
	for _, i := range e.w.open {
		if e.s.nodes[i].removal == model.Stays {
			e.places = append(e.places, place{node: i, free: slices.Clone(e.w.p.Nodes[i].Free)})
		}
	}
	solution := e.s.solution()
	e.partial = model.ScoreOf(e.w.p, &solution)
	e.group(0)
}

// hopeless says whether what is decided is already no better than the best.
func (e *exact) hopeless() bool { return e.partial.Compare(e.score) >= 0 }

// group places the pods of the groups from k on.
func (e *exact) group(k int) {
	if e.hopeless() {
		return
	}
	for k < len(e.groups) && e.todo[e.groups[k]] == 0 {
		k++
	}
	if k == len(e.groups) {
		e.judge()
		return
	}
	e.put(k, e.todo[e.groups[k]], 0)
}

// put puts the n pods of the k-th group that are left into the places from at on.
func (e *exact) put(k, n, at int) {
	if !e.w.spend(50) || e.hopeless() {
		return
	}
	if n == 0 {
		e.group(k + 1)
		return
	}
	g := e.groups[k]
	if at == len(e.places) {
		e.buy(k, n, 0, n)
		return
	}
	most := 0
	if e.takes(&e.places[at], g) {
		most = min(n, e.w.most(g, e.places[at].free, e.places[at].pods))
	}
	for m := most; m >= 0; m-- {
		undo := e.into(at, g, m)
		e.put(k, n-m, at+1)
		undo()
	}
}

// buy launches for the n pods of the k-th group that are left: shapes from the
// given place in the frontier on, with at most so many pods each while the
// shape stays the same. Or it leaves them waiting.
func (e *exact) buy(k, n, from, most int) {
	if !e.w.spend(50) || e.hopeless() {
		return
	}
	if n == 0 {
		e.group(k + 1)
		return
	}
	g := e.groups[k]
	for f := from; f < len(e.w.frontier); f++ {
		s := e.w.frontier[f]
		if !e.w.p.Groups[g].Shapes.Has(s) || !e.s.tally.allows(e.w.p, s) {
			continue
		}
		largest := min(n, e.w.most(g, e.w.p.Shapes[s].Allocatable, nil))
		if f == from {
			largest = min(largest, most)
		}
		for m := largest; m > 0; m-- {
			undo := e.launch(s, g, m)
			e.buy(k, n-m, f, m)
			undo()
		}
	}
	if n <= e.w.p.Groups[g].Demand {
		undo := e.leave(g, n)
		e.group(k + 1)
		undo()
	}
}

func (e *exact) takes(p *place, g model.GroupIndex) bool {
	if p.node != model.None {
		return e.w.p.Groups[g].Nodes.Has(p.node)
	}
	return e.w.p.Groups[g].Shapes.Has(p.shape)
}

// into puts m pods of the group into a place.
func (e *exact) into(at int, g model.GroupIndex, m int) (undo func()) {
	if m == 0 {
		return func() {}
	}
	old := e.places[at].pods
	e.places[at].pods = with(old, g, m)
	take(e.places[at].free, e.w.p.Groups[g].Request, m)
	e.weigh(e.places[at].shape, e.places[at].node, m)
	return func() {
		e.places[at].pods = old
		take(e.places[at].free, e.w.p.Groups[g].Request, -m)
		e.weigh(e.places[at].shape, e.places[at].node, -m)
	}
}

// weigh counts pods on a launch towards the weight goals.
func (e *exact) weigh(s model.ShapeIndex, node model.NodeIndex, m int) {
	if node != model.None || !e.w.p.Rules.PoolWeights {
		return
	}
	for r := range e.w.ranks[e.w.p.Shapes[s].Pool] {
		e.partial.Weight[r] += m
	}
}

// launch buys one machine with m pods of the group.
func (e *exact) launch(s model.ShapeIndex, g model.GroupIndex, m int) (undo func()) {
	shape := &e.w.p.Shapes[s]
	free := slices.Clone(shape.Allocatable)
	take(free, e.w.p.Groups[g].Request, m)
	e.places = append(e.places, place{node: model.None, shape: s, free: free, pods: []model.Count{{Group: g, N: m}}})
	e.s.tally.count(e.w.p, s, 1)
	e.partial.Cost += shape.Cost()
	e.partial.Launches++
	e.partial.Rank += e.w.ranks[shape.Pool]
	e.weigh(s, model.None, m)
	return func() {
		e.places = e.places[:len(e.places)-1]
		e.s.tally.count(e.w.p, s, -1)
		e.partial.Cost -= shape.Cost()
		e.partial.Launches--
		e.partial.Rank -= e.w.ranks[shape.Pool]
		e.weigh(s, model.None, -m)
	}
}

// leave leaves n pods of the group waiting.
func (e *exact) leave(g model.GroupIndex, n int) (undo func()) {
	level, _ := slices.BinarySearchFunc(e.priorities, e.w.p.Groups[g].Priority, func(a, b int32) int { return cmp.Compare(b, a) })
	e.partial.Unplaced[level] += n
	e.unplaced[g] += n
	return func() {
		e.partial.Unplaced[level] -= n
		e.unplaced[g] -= n
	}
}

// judge keeps the solution if it breaks no rule of the whole.
func (e *exact) judge() {
	c := change{}
	for i := range e.places {
		p := &e.places[i]
		if p.node == model.None {
			c.add = append(c.add, &launch{shape: p.shape, pods: p.pods})
		} else if len(p.pods) > 0 {
			c.nodes = append(c.nodes, nodeChange{p.node, model.Stays, p.pods})
		}
	}
	for g, n := range e.unplaced {
		if n > 0 {
			c.unplaced = append(c.unplaced, model.Count{Group: model.GroupIndex(g), N: n})
		}
	}
	for i := range c.add { // counted already; apply counts them again
		e.s.tally.count(e.w.p, c.add[i].shape, -1)
	}
	undo := e.s.apply(&c)
	if e.s.valid(&c) {
		solution := e.s.solution()
		if score := model.ScoreOf(e.w.p, &solution); score.Compare(e.score) < 0 {
			*e.best, e.score = solution, score
		}
	}
	undo()
	for i := range c.add {
		e.s.tally.count(e.w.p, c.add[i].shape, 1)
	}
}
