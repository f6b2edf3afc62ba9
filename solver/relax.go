package solver

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp"
)

// relaxation is the linear relaxation of a problem, solved by column
// generation (Gilmore and Gomory 1961). A column is one machine's content.
// Over those found so far, the restricted master is
//
//	minimize    Σ cost·x
//	subject to  Σ pods(g)·x ≥ demand(g)              for each group, dual y(g) ≥ 0
//	            Σ kept(c) ≤ count(c)                  for each class of alike nodes
//	            Σ kept ≥ nodes − budget               for each disruption budget
//	            Σ use(l)·x ≤ rest(l)                  for each limit and reservation
//
// The demand counts the pods of all nodes that may go, and a node that is kept
// covers its own again. Whatever the duals are, bound turns them into a lower
// bound that holds.
//
// With a level, what is minimized is not cost but the pods of that priority
// level that wait, given that those above it are placed as well as the given
// solution does.
type relaxation struct {
	w       *work
	level   int         // costLevel: minimize cost
	goal    model.Score // the goals before cost that a solution has to meet as well
	demand  []int       // by group
	classes []nodeClass
	base    float64 // cost of what is not decided here
	groups  []model.GroupIndex

	senses  []lp.Sense
	rhs     []float64
	cover   []int // row by group; −1 without demand
	rows    []sideRow
	master  lp.Master
	columns []column          // by index in the master
	mu      map[int][]float64 // multipliers kept by shape (≥ 0) and class (< 0)
	best    float64
	duals   []float64 // those that gave the best bound
	scale   float64   // what they were scaled by for that
	scaled  float64   // what those of the last round were scaled by
	last    []float64 // those of the last optimum of the master, nil if there was none
	rounds  int
	// branches is how far each knapsack is searched; it grows when nothing is found.
	branches   int
	unfinished bool // some knapsack was cut off in this round
}

// The fewest and the most branches of a knapsack.
const (
	minBranches = 1_000
	maxBranches = 36_000
	// nodeBranches is the most for a node.
	nodeBranches = 2_000
)

// costLevel is the level of a relaxation that minimizes cost.
const costLevel = -1

// column is what a column of the master stands for.
type column struct {
	launch  *launch       // a launch
	class   int           // else a node of the class that is kept; −1: pods that wait
	extra   []model.Count // what is put onto that node
	cost    float64
	entries []lp.Entry
}

// nodeClass are nodes that no rule tells apart.
type nodeClass struct {
	nodes []model.NodeIndex
	row   int
	fixed bool // kept in any case: only the content is open
}

// sideRow is a row beside covers and classes.
type sideRow struct {
	row         int
	limit       int // index of the limit, or −1
	reservation int // index of the reservation, or −1
	weight      int // pods on launches of at least this weight rank; 0: none
	waiting     int // waiting pods of this level, plus one; 0: none
	classes     map[int]bool
	pool        model.PoolIndex        // of a budget
	reasons     [model.NumBudgets]bool // that the budget counts
}

// maxRows keeps the dense basis in bounds: 8 bytes for each pair.
const maxRows = 2500

// newRelaxation sets the program up for solutions that meet the goals before
// the level as well as the given one. Nil if there would be too many rows.
func (w *work) newRelaxation(r *Result, level int) *relaxation {
	x := &relaxation{w: w, level: level, goal: r.Score, demand: make([]int, len(w.p.Groups)), mu: map[int][]float64{}, best: math.Inf(-1)}
	for g := range w.p.Groups {
		x.demand[g] = w.p.Groups[g].Demand
		if level == costLevel {
			x.demand[g] -= r.Solution.Unplaced[g]
		}
	}
	drifted := level == costLevel && w.driftProved(r)
	index := map[string]int{}
	for i := range w.p.Nodes {
		n := &w.p.Nodes[i]
		switch {
		case n.Goes:
			continue
		case n.Drift > 0 && drifted && r.Solution.Nodes[i].Removal == model.Drifted:
			x.base += float64(n.Evict)
			x.ask(n.Pods)
			continue
		case mayGo(n):
			x.base += float64(x.gone(n)) // a column that keeps the node takes it off again
			x.ask(n.Pods)
		default:
			x.base += float64(n.KeepCost())
			if !slices.Contains(w.open, model.NodeIndex(i)) {
				continue
			}
		}
		key := w.nodeKey(model.NodeIndex(i))
		if c, ok := index[key]; ok {
			x.classes[c].nodes = append(x.classes[c].nodes, model.NodeIndex(i))
			continue
		}
		index[key] = len(x.classes)
		x.classes = append(x.classes, nodeClass{nodes: []model.NodeIndex{model.NodeIndex(i)}, fixed: !mayGo(n)})
	}
	if len(x.classes)+len(x.demand) > maxRows {
		return nil
	}
	if level != costLevel {
		x.base = 0
	}
	x.buildRows(r, drifted)
	return x
}

func (x *relaxation) ask(pods []model.Count) {
	for _, c := range pods {
		x.demand[c.Group] += c.N
	}
}

// gone is the least that taking the node away costs.
func (x *relaxation) gone(n *model.Node) model.Money {
	cost := n.Evict
	if n.Drift == 0 {
		cost += n.Hurdle
	}
	return cost
}

// nodeKey is equal for nodes that no rule tells apart.
func (w *work) nodeKey(i model.NodeIndex) string {
	n := &w.p.Nodes[i]
	allowed := make([]model.GroupIndex, 0, 8)
	for g := range w.p.Groups {
		if w.need[g] > 0 && w.p.Groups[g].Nodes.Has(i) {
			allowed = append(allowed, model.GroupIndex(g))
		}
	}
	return fmt.Sprint(n.Pool, n.Free, n.Capacity, n.Price, n.Fee, n.Penalty, n.Pods, n.Evict, n.Hurdle, n.Voluntary, n.Drift > 0, allowed)
}

// driftProved says whether the drifted nodes that the result takes away are the
// best that any solution can: all of them, or the oldest that budgets allow.
func (w *work) driftProved(r *Result) bool {
	removed := make([][model.NumBudgets]int, len(w.p.Pools))
	for rank := 1; ; rank++ {
		i := slices.IndexFunc(w.p.Nodes, func(n model.Node) bool { return n.Drift == rank })
		if i < 0 {
			return true
		}
		n := &w.p.Nodes[i]
		if r.Solution.Nodes[i].Removal == model.Drifted {
			if n.Pool != model.None {
				removed[n.Pool][model.Drifted]++
			}
			continue
		}
		if n.Pool == model.None {
			return false
		}
		removed[n.Pool][model.Drifted]++
		over := !withinBudget(&w.p.Pools[n.Pool], removed[n.Pool])
		removed[n.Pool][model.Drifted]--
		if !over {
			return false
		}
	}
}

func (x *relaxation) addRow(sense lp.Sense, rhs float64) int {
	x.senses = append(x.senses, sense)
	x.rhs = append(x.rhs, rhs)
	return len(x.rhs) - 1
}

func (x *relaxation) buildRows(r *Result, drifted bool) {
	x.cover = make([]int, len(x.demand))
	for g, n := range x.demand {
		x.cover[g] = -1
		if n > 0 {
			x.cover[g] = x.addRow(lp.AtLeast, float64(n))
			x.groups = append(x.groups, model.GroupIndex(g))
		}
	}
	for c := range x.classes {
		x.classes[c].row = x.addRow(lp.AtMost, float64(len(x.classes[c].nodes)))
	}
	x.budgetRows(r, drifted)
	x.limitRows(r, drifted)
	for k := range x.w.p.Reservations {
		row := x.addRow(lp.AtMost, float64(x.w.p.Reservations[k].Count))
		x.rows = append(x.rows, sideRow{row: row, limit: -1, reservation: k})
	}
	if x.level != costLevel {
		for level := range x.level {
			row := x.addRow(lp.AtMost, float64(x.w.waitingAt(r, level)))
			x.rows = append(x.rows, sideRow{row: row, limit: -1, reservation: -1, waiting: level + 1})
		}
		return
	}
	for k, n := range x.goal.Weight {
		row := x.addRow(lp.AtMost, float64(n))
		x.rows = append(x.rows, sideRow{row: row, limit: -1, reservation: -1, weight: k + 1})
	}
}

// budgetRows bound how many nodes may go. Nodes that might go for several
// reasons are left out, which only lowers the bound.
func (x *relaxation) budgetRows(r *Result, drifted bool) {
	for k := range x.w.p.Pools {
		pool := &x.w.p.Pools[k]
		if !x.w.budgeted[k] {
			continue
		}
		var reasons [model.NumBudgets]bool
		for _, reason := range budgetOrder(pool) {
			reasons[reason] = true
			budget := pool.Budget[reason]
			if budget >= model.Unlimited {
				break
			}
			classes, total, used := map[int]bool{}, 0, 0
			for c := range x.classes {
				n := &x.w.p.Nodes[x.classes[c].nodes[0]]
				if n.Pool == model.PoolIndex(k) && !x.classes[c].fixed && n.Drift == 0 && reasons[n.Voluntary] {
					classes[c] = true
					total += len(x.classes[c].nodes)
				}
			}
			if drifted && reasons[model.Drifted] {
				for i := range r.Solution.Nodes {
					if x.w.p.Nodes[i].Pool == model.PoolIndex(k) && r.Solution.Nodes[i].Removal == model.Drifted {
						used++
					}
				}
			}
			if len(classes) > 0 {
				row := x.addRow(lp.AtLeast, float64(max(0, total-max(0, budget-used))))
				x.rows = append(x.rows, sideRow{row: row, limit: -1, reservation: -1, classes: classes, pool: model.PoolIndex(k), reasons: reasons})
			}
		}
	}
}

// limitRows hold where the nodes of today keep the limit, so that a solution
// without launches keeps it, too.
func (x *relaxation) limitRows(r *Result, drifted bool) {
	for k := range x.w.p.Limits {
		l := &x.w.p.Limits[k]
		var today, fixed int64
		open := map[model.NodeIndex]bool{}
		for c := range x.classes {
			if !x.classes[c].fixed {
				for _, i := range x.classes[c].nodes {
					open[i] = true
				}
			}
		}
		for i := range x.w.p.Nodes {
			n := &x.w.p.Nodes[i]
			if n.Goes || !l.Covers(n.Pool) {
				continue
			}
			today += l.Of(n.Capacity, n.Price)
			if !open[model.NodeIndex(i)] && !(drifted && r.Solution.Nodes[i].Removal == model.Drifted) {
				fixed += l.Of(n.Capacity, n.Price)
			}
		}
		if today <= l.Max {
			row := x.addRow(lp.AtMost, float64(l.Max-fixed))
			x.rows = append(x.rows, sideRow{row: row, limit: k, reservation: -1})
		}
	}
}

// start makes the master with the incumbent's columns and the best homogeneous ones.
func (x *relaxation) start(r *Result, value []float64) {
	penalty := 10.0
	if x.level == costLevel {
		for _, v := range value {
			penalty = max(penalty, 200*v)
		}
	}
	x.master = x.w.newMaster(x.senses, x.rhs, penalty)
	if x.level != costLevel {
		for _, g := range x.groups {
			x.addWaiting(g)
		}
	}
	for i := range r.Solution.Launches {
		m := &r.Solution.Launches[i]
		if i == 0 || m.Shape != r.Solution.Launches[i-1].Shape || !slices.Equal(m.Pods, r.Solution.Launches[i-1].Pods) {
			x.addLaunch(m.Shape, m.Pods)
		}
	}
	for c := range x.classes {
		if !x.classes[c].fixed {
			x.addNode(c, nil)
		}
	}
	for c := range x.classes {
		for _, i := range x.classes[c].nodes {
			if f := &r.Solution.Nodes[i]; !f.Gone() && len(f.Pods) > 0 {
				x.addNode(c, f.Pods)
			}
		}
	}
	for _, g := range x.groups {
		best, bestRatio, bestN := model.ShapeIndex(model.None), math.Inf(1), 0
		for _, s := range x.w.frontier {
			if !x.w.p.Groups[g].Shapes.Has(s) {
				continue
			}
			n := min(x.demand[g], x.w.most(g, x.w.p.Shapes[s].Allocatable, nil))
			if n == 0 {
				continue
			}
			if ratio := float64(x.w.p.Shapes[s].Cost()) / float64(n); ratio < bestRatio {
				best, bestRatio, bestN = s, ratio, n
			}
		}
		if bestN > 0 {
			x.addLaunch(best, []model.Count{{Group: g, N: bestN}})
		}
	}
}

// addWaiting lets pods of the group wait.
func (x *relaxation) addWaiting(g model.GroupIndex) {
	if x.w.p.Groups[g].Demand == 0 {
		return
	}
	entries := []lp.Entry{{Row: x.cover[g], Value: 1}}
	if row := x.waitingRow(x.w.goals.priority[g]); row >= 0 {
		entries = append(entries, lp.Entry{Row: row, Value: 1})
	}
	x.add(column{class: -1, cost: x.waitingCost(g), entries: entries})
}

func (x *relaxation) add(c column) {
	x.master.AddColumn(c.cost, c.entries)
	x.columns = append(x.columns, c)
}

func (x *relaxation) waitingCost(g model.GroupIndex) float64 {
	if x.w.goals.priority[g] == x.level {
		return 1
	}
	return 0
}

func (x *relaxation) waitingRow(level int) int {
	for k := range x.rows {
		if x.rows[k].waiting == level+1 {
			return x.rows[k].row
		}
	}
	return -1
}

// launchCost is what a launch of the shape costs at this level.
func (x *relaxation) launchCost(s model.ShapeIndex) float64 {
	if x.level != costLevel {
		return 0
	}
	return float64(x.w.p.Shapes[s].Cost())
}

// newMaster is solved by the library if the engine asks for it.
func (w *work) newMaster(senses []lp.Sense, rhs []float64, penalty float64) lp.Master {
	if w.highs {
		return lp.NewMaster(senses, rhs, penalty)
	}
	return lp.NewSimplex(senses, rhs, penalty)
}

func (x *relaxation) coverEntries(pods []model.Count) []lp.Entry {
	entries := make([]lp.Entry, 0, len(pods)+4)
	for _, c := range pods {
		if row := x.cover[c.Group]; row >= 0 {
			entries = append(entries, lp.Entry{Row: row, Value: float64(c.N)})
		}
	}
	return entries
}

func (x *relaxation) addLaunch(s model.ShapeIndex, pods []model.Count) {
	entries := x.coverEntries(pods)
	for k := range x.rows {
		if use := x.launchUse(&x.rows[k], s); use != 0 {
			if x.rows[k].weight > 0 {
				use = 0
				for _, c := range pods {
					use += float64(c.N)
				}
			}
			entries = append(entries, lp.Entry{Row: x.rows[k].row, Value: use})
		}
	}
	x.add(column{launch: &launch{shape: s, pods: pods}, cost: x.launchCost(s), entries: entries})
}

// launchUse is what a launch of the shape counts in a side row; for weights, a pod of it.
func (x *relaxation) launchUse(row *sideRow, s model.ShapeIndex) float64 {
	shape := &x.w.p.Shapes[s]
	switch {
	case row.limit >= 0:
		if l := &x.w.p.Limits[row.limit]; l.Covers(shape.Pool) {
			return float64(l.Of(shape.Capacity, shape.Price))
		}
	case row.reservation >= 0:
		if shape.Reservation == model.ReservationIndex(row.reservation) {
			return 1
		}
	case row.weight > 0:
		if x.w.ranks[shape.Pool] >= row.weight {
			return 1
		}
	}
	return 0
}

// nodeUse is what a kept node of the class counts in a side row.
func (x *relaxation) nodeUse(row *sideRow, c int) float64 {
	switch {
	case row.limit >= 0 && !x.classes[c].fixed:
		n := &x.w.p.Nodes[x.classes[c].nodes[0]]
		if l := &x.w.p.Limits[row.limit]; l.Covers(n.Pool) {
			return float64(l.Of(n.Capacity, n.Price))
		}
	case row.classes[c]:
		return 1
	}
	return 0
}

// keepCost is what keeping a node of the class costs beyond taking it away.
func (x *relaxation) keepCost(c int) float64 {
	if x.classes[c].fixed || x.level != costLevel {
		return 0
	}
	n := &x.w.p.Nodes[x.classes[c].nodes[0]]
	return float64(n.KeepCost() - x.gone(n))
}

func (x *relaxation) addNode(c int, extra []model.Count) {
	pods := extra
	if !x.classes[c].fixed {
		for _, own := range x.w.p.Nodes[x.classes[c].nodes[0]].Pods {
			pods = with(pods, own.Group, own.N)
		}
	}
	entries := append(x.coverEntries(pods), lp.Entry{Row: x.classes[c].row, Value: 1})
	for k := range x.rows {
		if use := x.nodeUse(&x.rows[k], c); use != 0 {
			entries = append(entries, lp.Entry{Row: x.rows[k].row, Value: use})
		}
	}
	x.add(column{class: c, extra: extra, cost: x.keepCost(c), entries: entries})
}

// run generates columns until none helps, the bound reaches the target, or the
// work is spent.
func (x *relaxation) run(target float64) {
	x.branches = minBranches
	for !x.w.exhausted() {
		pivots, err := x.master.Solve(2000)
		x.w.spend(pivots * len(x.rhs) * x.w.pivotWork(len(x.rhs)))
		x.rounds++
		duals := x.master.Duals()
		added, bound := x.price(duals)
		if bound > x.best {
			x.best, x.duals, x.scale = bound, duals, x.scaled
		}
		if x.best >= target || err == nil && x.converged() {
			return
		}
		if added == 0 && err == nil {
			x.last = duals
			if !x.unfinished || x.branches >= maxBranches {
				return
			}
			x.branches *= 6
		}
	}
}

// converged says whether the bound has come so close to the master's value
// that more columns would hardly help. While rows are missed that value says nothing.
func (x *relaxation) converged() bool {
	return x.master.Infeasibility() < 1e-6 && x.best >= x.objective()*(1-2e-4)
}

// objective is the value of the master.
func (x *relaxation) objective() float64 {
	z := x.base
	for j, v := range x.master.Values() {
		z += v * x.columns[j].cost
	}
	return z
}

// pivotWork is what a pivot is counted as for each row: the built-in simplex
// keeps a dense inverse, the library sparse factors.
func (w *work) pivotWork(rows int) int {
	if w.highs {
		return 100
	}
	return rows + 10
}

// price adds columns of negative reduced cost, and returns how many, and the
// bound that the duals give.
func (x *relaxation) price(duals []float64) (added int, bound float64) {
	r := x.pricingAt(duals)
	x.unfinished = false
	for _, s := range x.w.frontier {
		r.launch(s)
	}
	// The best of each shape all enter: the master is small, pricing is not.
	slices.SortStableFunc(r.offers, func(a, b offer) int { return cmp.Compare(a.reduced, b.reduced) })
	for _, o := range r.offers[:min(len(r.offers), max(20, len(x.groups)/2))] {
		x.addLaunch(o.s, o.pods)
		added++
	}
	x.scaled = r.scale
	nodes, gain := x.priceNodes(r)
	return added + nodes, x.safe(r.bound() - gain)
}

func (x *relaxation) pricingAt(duals []float64) *pricing {
	return &pricing{x: x, duals: duals, value: x.values(duals), k: &knapsack{w: x.w}, scale: 1, limited: make([]float64, len(x.w.p.Reservations)), grids: map[gridKey]*grid{}}
}

// values are the duals of the groups' covers, by group.
func (x *relaxation) values(duals []float64) []float64 {
	value := make([]float64, len(x.w.p.Groups))
	for _, g := range x.groups {
		value[g] = max(0, duals[x.cover[g]])
		if x.level != costLevel && x.w.p.Groups[g].Demand > 0 { // no more than letting it wait costs
			most := x.waitingCost(g)
			if row := x.waitingRow(x.w.goals.priority[g]); row >= 0 {
				most += max(0, -duals[row])
			}
			value[g] = min(value[g], most)
		}
	}
	return value
}

// pricing is one round of pricing in progress.
type pricing struct {
	x      *relaxation
	duals  []float64
	value  []float64 // by group
	k      *knapsack
	offers []offer
	// Farley: all duals are scaled until no launch has a negative reduced cost.
	// Where launches cost nothing that would leave nothing: there the worst of
	// them is taken off once for each pod.
	scale, worst float64
	limited      []float64 // by reservation: what one of its launches gains at most
	grids        map[gridKey]*grid
}

// offer is a column of negative reduced cost.
type offer struct {
	s       model.ShapeIndex
	pods    []model.Count
	reduced float64
}

// launch prices one shape.
func (r *pricing) launch(s model.ShapeIndex) {
	x, shape := r.x, &r.x.w.p.Shapes[s]
	charge, perPod := 0.0, 0.0
	for k := range x.rows {
		row := &x.rows[k]
		if use := x.launchUse(row, s); use != 0 {
			if row.weight > 0 {
				perPod += max(0, -r.duals[row.row])
			} else if row.reservation < 0 {
				charge += max(0, -r.duals[row.row]) * use
			}
		}
	}
	worth := r.value
	if perPod > 0 {
		worth = make([]float64, len(r.value))
		for g, v := range r.value {
			worth[g] = v - perPod
		}
	}
	cost := x.launchCost(s)
	pods, top := x.solveKnapsack(r, int(s), x.w.allowed.shape[s], shape.Allocatable, x.w.groupsOf[s], worth, perPod == 0, cost+charge)
	best := 0.0
	for _, c := range pods {
		best += worth[c.Group] * float64(c.N)
	}
	price := cost + charge
	if shape.Reservation != model.None {
		price += max(0, -r.duals[x.reservationRow(shape.Reservation)])
		r.limited[shape.Reservation] = max(r.limited[shape.Reservation], top-charge-cost)
	} else if top > charge && cost < top-charge {
		if x.level == costLevel {
			r.scale = min(r.scale, max(0, cost)/(top-charge))
		} else {
			r.worst = max(r.worst, top-charge)
		}
	}
	if best > price+x.tolerance(cost) {
		r.offers = append(r.offers, offer{s, pods, price - best})
	}
}

// bound is the relaxation's bound under the scaled duals, but for the nodes' gain.
func (r *pricing) bound() float64 {
	x := r.x
	bound := x.base
	for _, g := range x.groups {
		bound += (r.scale*r.value[g] - r.worst) * float64(x.demand[g])
	}
	for k := range x.rows {
		row := &x.rows[k]
		switch {
		case row.classes != nil:
			bound += r.scale * max(0, r.duals[row.row]) * x.rhs[row.row]
		case row.reservation < 0:
			bound -= r.scale * max(0, -r.duals[row.row]) * x.rhs[row.row]
		}
	}
	for k, gain := range r.limited {
		bound -= max(0, gain) * float64(x.w.p.Reservations[k].Count)
	}
	return bound
}

func (x *relaxation) reservationRow(r model.ReservationIndex) int {
	for k := range x.rows {
		if x.rows[k].reservation == int(r) {
			return x.rows[k].row
		}
	}
	panic("a reservation without a row")
}

// priceNodes adds columns of existing nodes, and returns how many, and what
// the nodes gain at most under the scaled duals.
func (x *relaxation) priceNodes(r *pricing) (added int, gain float64) {
	value, duals, scale := r.value, r.duals, r.scale
	for c := range x.classes {
		class := &x.classes[c]
		i := class.nodes[0]
		n := &x.w.p.Nodes[i]
		cost, side, own := x.keepCost(c), 0.0, 0.0
		for r := range x.rows {
			if use := x.nodeUse(&x.rows[r], c); use != 0 {
				side += use * duals[x.rows[r].row] // ≤ 0 for limits, ≥ 0 for budgets
			}
		}
		if !class.fixed {
			for _, p := range n.Pods {
				own += value[p.Group] * float64(p.N)
			}
		}
		convexity := max(0, -duals[class.row])
		pods, top := x.solveKnapsack(r, -1-c, x.w.allowed.node[i], n.Free, x.w.allowed.groups[x.w.allowed.node[i]], value, true, cost-side-own+convexity)
		best := 0.0
		for _, p := range pods {
			best += value[p.Group] * float64(p.N)
		}
		if reduced := cost - side - own - best + convexity; reduced < -x.tolerance(cost) {
			x.addNode(c, pods)
			added++
		}
		if g := scale*(own+side+top) - cost; g > 0 {
			gain += g * float64(len(class.nodes))
		}
	}
	return added, gain
}

// solveKnapsack returns a good content and a bound on any content's value. It
// looks no further once the bound shows that nothing is worth the price: first
// by multipliers, then by the grid of small machines if grids may be used, at
// last by branch and bound.
func (x *relaxation) solveKnapsack(r *pricing, key, set int, room model.Quantities, groups []model.GroupIndex, value []float64, grids bool, price float64) ([]model.Count, float64) {
	k := r.k
	k.load(room, groups, value, x.demand)
	if len(k.items) == 0 {
		return nil, 0
	}
	mu, ok := x.mu[key]
	if !ok {
		mu = make([]float64, len(room))
		x.mu[key] = mu
	}
	bound := k.bound(room, mu)
	if bound > price {
		bound = k.improve(room, mu, price)
	}
	if bound <= price {
		return nil, finite(bound)
	}
	branches := x.branches
	if key < 0 { // one node matters little, and there are many
		branches = min(branches, nodeBranches)
	}
	var g *grid
	if grids {
		g = r.gridOf(set, room, mu, r.cells())
	}
	if first, last := heaviest(room, mu); last >= 0 && x.branches > minBranches && (g == nil || g.coarse) {
		for _, i := range [...]model.ResourceIndex{first, last} {
			bound = min(bound, k.strip(room, mu, i, x.w.allowed.units[set][i], price))
		}
		if bound <= price {
			return nil, finite(bound)
		}
	}
	if g != nil {
		bound = min(bound, g.bound(room))
		if bound <= price {
			return nil, bound
		}
		if g.coarse && key >= 0 && x.branches > minBranches {
			if pods := r.bulk(k, set, room, mu); worthOf(pods, value) > price*(1+1e-6) {
				return pods, bound
			}
		}
		pods, top := g.search(room, price, branches)
		bound = min(top, bound)
		if len(pods) == 0 && bound > price { // it was cut: another order may find something
			if best, top := k.search(room, mu, branches); best > price*(1+1e-9) {
				return k.content(), min(top, bound)
			}
			x.unfinished = x.unfinished || key >= 0
		}
		return pods, bound
	}
	_, top := k.search(room, mu, branches)
	x.unfinished = x.unfinished || key >= 0 && !k.completed
	return k.content(), finite(min(top, bound))
}

func worthOf(pods []model.Count, value []float64) float64 {
	v := 0.0
	for _, c := range pods {
		v += value[c.Group] * float64(c.N)
	}
	return v
}

// heaviest are the two resources that the multipliers charge most for; −1 if
// there are not so many.
func heaviest(room model.Quantities, mu []float64) (first, last model.ResourceIndex) {
	first, last = -1, -1
	weight := func(i model.ResourceIndex) float64 { return mu[i] * float64(room[i]) }
	for i := range room {
		switch i := model.ResourceIndex(i); {
		case first < 0 || weight(i) > weight(first):
			first, last = i, first
		case last < 0 || weight(i) > weight(last):
			last = i
		}
	}
	return first, last
}

// gridKey says which machines share a grid.
type gridKey struct {
	set         int
	first, last model.ResourceIndex
	unit        [2]int64
}

// gridOf is the grid for machines of the same set as this one, over the two
// resources that its multipliers charge most for. Nil if there are no two.
func (r *pricing) gridOf(set int, room model.Quantities, mu []float64, cells int) *grid {
	w := r.x.w
	first, last := heaviest(room, mu)
	if last < 0 {
		return nil
	}
	key := gridKey{set: set, first: min(first, last), last: max(first, last)}
	gcd := [2]int64{w.allowed.units[set][key.first], w.allowed.units[set][key.last]}
	key.unit = coarsen(gcd, key.first, key.last, room, cells)
	need := cellsOf(room, key.first, key.last, key.unit)
	if g, ok := r.grids[key]; ok {
		if need[0] > g.size[0] || need[1] > g.size[1] {
			return nil
		}
		return g
	}
	size := need
	grow := func(other model.Quantities) {
		if coarsen(gcd, key.first, key.last, other, cells) == key.unit {
			n := cellsOf(other, key.first, key.last, key.unit)
			size = [2]int{max(size[0], n[0]), max(size[1], n[1])}
		}
	}
	for _, s := range w.frontier {
		if w.allowed.shape[s] == set {
			grow(w.p.Shapes[s].Allocatable)
		}
	}
	for c := range r.x.classes {
		if i := r.x.classes[c].nodes[0]; w.allowed.node[i] == set {
			grow(w.p.Nodes[i].Free)
		}
	}
	if (size[0]+1)*(size[1]+1) > 4*cells {
		size = need
	}
	g := w.newGrid(key.first, key.last, key.unit, size, w.allowed.groups[set], r.value, r.x.demand)
	g.coarse = key.unit != gcd
	r.grids[key] = g
	return g
}

// Cells of the grids: of the last part of large machines; while columns are
// still found easily; and after. A grid takes so many floats for each group.
const (
	tailGrid  = 1 << 15
	smallGrid = 1 << 14
	largeGrid = 1 << 16
)

func (r *pricing) cells() int {
	if r.x.branches > minBranches {
		return largeGrid
	}
	return smallGrid
}

// safe takes off what floating point may have added.
func (x *relaxation) safe(bound float64) float64 {
	if math.IsNaN(bound) || math.IsInf(bound, 0) {
		return math.Inf(-1)
	}
	if x.level != costLevel {
		return bound - 1e-6*(1+math.Abs(bound))
	}
	return bound - 1e-9*math.Abs(bound) - 10
}

// tolerance is how far below zero a reduced cost has to be to count.
func (x *relaxation) tolerance(cost float64) float64 {
	if x.level != costLevel {
		return 1e-9
	}
	return 1e-7*math.Abs(cost) + 1
}
