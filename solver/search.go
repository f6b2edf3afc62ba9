package solver

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// search betters a state step by step: it closes, merges, splits, swaps and
// reopens machines, first each alone, then in pairs and small sets, then in
// random sets around the most wasteful. It ends when nothing helps any more or
// the work is spent.
type search struct {
	s       *state
	recipes []recipe
	rng     *rand.Rand
	// worthwhile is the least waste of machines that are worth a look: what
	// they cost above what a relaxation says their pods are worth bounds what
	// a change of them alone can save.
	worthwhile float64
}

func newSearch(s *state, views []*view, seed uint64) *search {
	x := &search{s: s, rng: rand.New(rand.NewPCG(seed, 0x6d6f7274697365))}
	for _, v := range views {
		x.recipes = append(x.recipes, recipe{view: v, order: largestFirst}, recipe{view: v, order: dearestFirst, fresh: true})
	}
	x.recipes = append(x.recipes, recipe{view: views[0], order: smallestFirst}, recipe{view: views[0], order: cheapestLast})
	if len(s.w.p.Limits) > 0 && s.w.goals.weight > 1 {
		for _, v := range views {
			x.recipes = append(x.recipes, recipe{view: v, order: largestFirst, tiers: true})
		}
	}
	return x
}

// Sizes up to which neighborhoods are searched completely.
const (
	allPairs   = 60
	allTriples = 16
	allQuads   = 9
	partners   = 12 // of each machine, where pairs are not searched completely
	idleRounds = 300
)

// place packs all that waits; where a rule refuses that as a whole, in
// smaller and smaller lots, at last pod by pod.
func (x *search) place() {
	for lot := math.MaxInt32; lot > 0 && !x.s.w.exhausted(); {
		if !x.s.rebuild(ruin{waiting: x.s.waiting(lot)}, x.recipes) {
			lot = min(lot, slices.Max(append([]int{1}, x.s.unplaced...))) / 2
		}
	}
	for x.placeOne() {
	}
}

// placeOne tries to place one pod of each group that waits, one at a time.
func (x *search) placeOne() bool {
	better := false
	for _, c := range x.s.waiting(1) {
		if x.s.w.exhausted() {
			break
		}
		better = x.s.rebuild(ruin{waiting: []model.Count{c}}, x.recipes) || better
	}
	return better
}

// run searches until a round through all neighborhoods betters nothing.
func (x *search) run() {
	for better := true; better && !x.s.w.exhausted(); {
		better = false
		for x.each() {
			better = true
		}
		better = x.reopen() || better
		better = x.pairs() || better
		better = x.sets(3, allTriples) || better
		better = x.sets(4, allQuads) || better
		better = x.random() || better
	}
}

// machine is something that a search may open up: a launch, a node that may
// go, or a node that stays and whose added pods may go elsewhere.
type machine struct {
	launch *launch
	node   model.NodeIndex
	to     model.Removal // what becomes of the node
	waste  float64       // cost less what its pods are worth
}

// worth is what the pods are worth, as the first view has it.
func (x *search) worth(pods []model.Count) float64 {
	v := 0.0
	for _, c := range pods {
		v += x.recipes[0].view.value[c.Group] * float64(c.N)
	}
	return v
}

// machines lists what may be closed, the most wasteful first.
func (x *search) machines() []machine {
	s, worth := x.s, x.worth
	var out []machine
	for _, l := range s.launches {
		out = append(out, machine{launch: l, node: model.None, waste: float64(s.w.p.Shapes[l.shape].Cost()) - worth(l.pods)})
	}
	for i := range s.nodes {
		if n := &s.w.p.Nodes[i]; s.nodes[i].removal == model.Stays && s.w.voluntary(model.NodeIndex(i)) {
			gone := s.w.nodeScore(model.NodeIndex(i), n.Voluntary)
			waste := float64(n.KeepCost()) - float64(gone.cost) - worth(n.Pods) - worth(s.nodes[i].pods)
			out = append(out, machine{node: model.NodeIndex(i), to: n.Voluntary, waste: waste})
		} else if len(s.nodes[i].pods) > 0 {
			out = append(out, machine{node: model.NodeIndex(i), to: model.Stays, waste: -worth(s.nodes[i].pods)})
		}
	}
	slices.SortStableFunc(out, func(a, b machine) int { return cmp.Compare(b.waste, a.waste) })
	s.w.spend(50 * len(out))
	return out
}

// voluntary says whether the search may take the node away or bring it back.
func (w *work) voluntary(i model.NodeIndex) bool {
	return w.p.Nodes[i].Voluntary.Voluntary() && !w.fixed[i]
}

// close rebuilds the state without the machines. A machine that is gone by now
// makes it a no.
func (x *search) close(machines ...machine) bool {
	var r ruin
	waste := 0.0
	for _, m := range machines {
		waste += m.waste
	}
	if waste < x.worthwhile {
		return false
	}
	for _, m := range machines {
		if m.launch != nil {
			if !x.s.has(m.launch) {
				return false
			}
			r.launches = append(r.launches, m.launch)
			continue
		}
		if x.s.nodes[m.node].removal != model.Stays {
			return false
		}
		r.nodes = append(r.nodes, nodeChange{node: m.node, removal: m.to})
	}
	return x.s.rebuild(r, x.recipes)
}

// each closes one machine at a time, and packs what waits.
func (x *search) each() bool {
	better := x.s.rebuild(ruin{}, x.recipes) || x.placeOne()
	for _, m := range x.machines() {
		if x.s.w.exhausted() {
			break
		}
		better = x.close(m) || better
	}
	return better
}

// pairs closes two machines at a time.
func (x *search) pairs() bool {
	ms := x.machines()
	better := false
	for i := range ms {
		last := len(ms)
		if len(ms) > allPairs {
			last = min(last, i+1+partners)
		}
		for j := i + 1; j < last && !x.s.w.exhausted(); j++ {
			better = x.close(ms[i], ms[j]) || better
		}
	}
	return better
}

// sets closes every set of so many machines, where there are few.
func (x *search) sets(size, most int) bool {
	ms := x.machines()
	if len(ms) < size || len(ms) > most {
		return false
	}
	better := false
	pick := make([]machine, 0, size)
	var choose func(from int)
	choose = func(from int) {
		if len(pick) == size {
			better = x.close(pick...) || better
			return
		}
		for i := from; i < len(ms) && !x.s.w.exhausted(); i++ {
			pick = append(pick, ms[i])
			choose(i + 1)
			pick = pick[:len(pick)-1]
		}
	}
	choose(0)
	return better
}

// reopen brings back nodes that are gone: each alone with the machines that
// carry its pods, and in exchange for another node where a budget is used up.
func (x *search) reopen() bool {
	better := false
	for i := range x.s.nodes {
		if x.s.w.exhausted() {
			break
		}
		if !x.s.nodes[i].removal.Voluntary() || !x.s.w.voluntary(model.NodeIndex(i)) || !x.mayPay(model.NodeIndex(i)) {
			continue
		}
		better = x.exchange(model.NodeIndex(i)) || better
	}
	return better
}

// mayPay says whether a node that is gone could be worth its cost again: with
// a relaxation's word on what pods are worth, its own have to pay for half of it.
func (x *search) mayPay(i model.NodeIndex) bool {
	n := &x.s.w.p.Nodes[i]
	gone := x.s.w.nodeScore(i, n.Voluntary)
	return x.worthwhile == 0 || 2*x.worth(n.Pods) >= float64(n.KeepCost())-float64(gone.cost)
}

// maxHosts is how many machines a reopened node may take its pods back from.
const maxHosts = 4

func (x *search) exchange(i model.NodeIndex) bool {
	own := x.s.w.p.Nodes[i].Pods
	launches, nodes := x.s.hosts(own)
	r := ruin{nodes: []nodeChange{{node: i, removal: model.Stays}}}
	if len(own) > 0 {
		r.launches = launches[:min(len(launches), maxHosts)]
		for _, j := range nodes[:min(len(nodes), maxHosts)] {
			r.nodes = append(r.nodes, nodeChange{node: j, removal: model.Stays})
		}
	}
	if x.s.rebuild(r, x.recipes) {
		return true
	}
	pool := x.s.w.p.Nodes[i].Pool
	if pool == model.None || !x.s.w.budgeted[pool] {
		return false
	}
	for k, m := range x.machines() {
		if k == partners {
			break
		}
		if m.launch == nil && m.to != model.Stays && x.s.w.p.Nodes[m.node].Pool == pool && x.s.nodes[m.node].removal == model.Stays && !slices.ContainsFunc(r.nodes, func(c nodeChange) bool { return c.node == m.node }) {
			swap := ruin{launches: r.launches, nodes: append(slices.Clone(r.nodes), nodeChange{node: m.node, removal: x.s.w.p.Nodes[m.node].Voluntary})}
			if x.s.rebuild(swap, x.recipes) {
				return true
			}
		}
	}
	return false
}

// random closes random sets of machines near the most wasteful, until that has
// not helped for a while.
func (x *search) random() bool {
	better := false
	ms := x.machines()
	for idle := 0; len(ms) > 4 && idle < idleRounds && !x.s.w.exhausted(); idle++ {
		start := int(float64(len(ms)) * x.rng.Float64() * x.rng.Float64())
		size := 3 + x.rng.IntN(6)
		var pick []machine
		for k := start; k < len(ms) && len(pick) < size; k += 1 + x.rng.IntN(3) {
			pick = append(pick, ms[k])
		}
		if x.close(pick...) {
			idle, better = 0, true
			ms = x.machines()
		}
	}
	return better
}
