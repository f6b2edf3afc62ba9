// Package modeltest makes problems for tests: random ones of every kind of
// rule, and their best solutions by exhaustion.
package modeltest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// Random is a small random problem: few enough pods for Best, with every rule
// of a problem in use some of the time. Equal seeds give equal problems.
func Random(seed uint64) *model.Problem {
	r := &random{rand.New(rand.NewPCG(seed, 1)), &model.Problem{Resources: []string{"cpu", "memory", "pods"}}}
	r.pools()
	r.shapes()
	r.nodes()
	r.groups()
	r.limits()
	r.settle()
	return r.p
}

type random struct {
	*rand.Rand
	p *model.Problem
}

func (r *random) chance(percent int) bool { return r.IntN(100) < percent }

func (r *random) pools() {
	for k := range 1 + r.IntN(2) {
		pool := model.Pool{Name: fmt.Sprintf("pool-%d", k), Weight: 10 * r.IntN(3)}
		for b := range pool.Budget {
			pool.Budget[b] = model.Unlimited
			if r.chance(20) {
				pool.Budget[b] = r.IntN(3)
			}
		}
		r.p.Pools = append(r.p.Pools, pool)
	}
	r.p.Rules.PoolWeights = r.chance(15)
	r.p.Rules.PendingApart = r.chance(10)
	if r.chance(15) {
		r.p.Rules.SavingsOnce = r.price(5)
	}
	r.p.Rules.SpotFlexibility = 1
	if r.chance(10) {
		r.p.Rules.SpotFlexibility = 1 + r.IntN(3)
	}
	if r.chance(10) {
		r.p.Rules.SpotDiversity = 500_000
	}
}

// price is a multiple of a cent, at most the given number of them.
func (r *random) price(cents int) model.Money {
	return model.Money(1+r.IntN(cents)) * model.Dollar / 100
}

func (r *random) size() model.Quantities {
	return model.Quantities{int64(1 + r.IntN(8)), int64(1 + r.IntN(8)), int64(2 + r.IntN(6))}
}

func (r *random) shapes() {
	if r.chance(20) {
		r.p.Reservations = append(r.p.Reservations, model.Reservation{Name: "cr-0", Count: 1})
	}
	for k := range 1 + r.IntN(4) {
		size := r.size()
		s := model.Shape{
			Name: fmt.Sprintf("shape-%d", k), Pool: model.PoolIndex(r.IntN(len(r.p.Pools))), Type: model.TypeIndex(k), Spot: r.chance(30),
			Allocatable: size, Capacity: slices.Clone(size), Price: r.price(40), Reservation: model.None,
		}
		if r.chance(20) {
			s.Startup = r.price(3)
		}
		if r.chance(20) {
			s.Fee = r.price(3)
		}
		if r.chance(15) && len(r.p.Reservations) > 0 {
			s.Reservation, s.Price = 0, 0
		}
		r.p.Shapes = append(r.p.Shapes, s)
	}
}

func (r *random) nodes() {
	drift := 0
	for k := range r.IntN(4) {
		s := &r.p.Shapes[r.IntN(len(r.p.Shapes))]
		n := model.Node{
			Name: fmt.Sprintf("node-%d", k), Pool: s.Pool, Type: s.Type, Spot: s.Spot, Free: slices.Clone(s.Allocatable),
			Capacity: s.Capacity, Price: s.Price, Fee: s.Fee, Voluntary: model.Underutilized, Disruption: 1_000_000,
		}
		switch {
		case r.chance(15):
			n.Voluntary = model.Stays
		case r.chance(15):
			n.Goes, n.Voluntary = true, model.Stays
		case r.chance(15):
			drift++
			n.Drift = drift
		}
		if r.chance(10) {
			n.Pool = model.None
			n.Voluntary, n.Goes, n.Drift = model.Stays, false, 0
		}
		r.p.Nodes = append(r.p.Nodes, n)
	}
	ranks := 0
	for i := range r.p.Nodes {
		if r.p.Nodes[i].Drift > 0 {
			ranks++
			r.p.Nodes[i].Drift = ranks
		}
	}
}

// groups fills the nodes with pods and adds pending ones.
func (r *random) groups() {
	apart := r.p.Rules.PendingApart || r.p.Rules.SpotFlexibility > 1
	for k := range 1 + r.IntN(3) {
		g := model.PodGroup{
			Name: fmt.Sprintf("group-%d", k), Request: model.Quantities{int64(1 + r.IntN(4)), int64(1 + r.IntN(4)), 1},
			Priority: int32(r.IntN(2)), Origin: model.Origin{Kind: model.AnyOrigin, Pool: model.None},
		}
		if r.chance(15) {
			g.MaxPerMachine = 1
		}
		for s := range r.p.Shapes {
			if !r.chance(15) {
				g.Shapes.Add(model.ShapeIndex(s))
			}
		}
		for i := range r.p.Nodes {
			if !r.p.Nodes[i].Goes && !r.chance(15) {
				g.Nodes.Add(model.NodeIndex(i))
			}
		}
		if !apart {
			g.Demand = r.IntN(3)
			r.p.Groups = append(r.p.Groups, g)
			r.put(len(r.p.Groups)-1, func(int) bool { return true })
			continue
		}
		pending, resident := g, g
		pending.Name, pending.Origin.Kind, pending.Demand = g.Name+"-pending", model.Pending, r.IntN(3)
		r.p.Groups = append(r.p.Groups, pending)
		for _, spot := range []bool{false, true} {
			resident.Name = fmt.Sprintf("%s-resident-%t", g.Name, spot)
			resident.Origin = model.Origin{Kind: model.Resident, Pool: model.None, Spot: spot}
			r.p.Groups = append(r.p.Groups, resident)
			r.put(len(r.p.Groups)-1, func(i int) bool { return r.p.Nodes[i].Spot == spot })
		}
	}
	if n := len(r.p.Groups); n > 1 && r.chance(20) {
		r.p.Groups[0].Conflicts = []model.GroupIndex{model.GroupIndex(n - 1)}
		r.p.Groups[n-1].Conflicts = []model.GroupIndex{0}
	}
}

// put puts pods of the group onto nodes, as far as there is room.
func (r *random) put(g int, on func(node int) bool) {
	group := &r.p.Groups[g]
	for i := range r.p.Nodes {
		n := &r.p.Nodes[i]
		if !on(i) || !r.chance(50) {
			continue
		}
		fits := true
		for k, q := range group.Request {
			fits = fits && q <= n.Free[k]
		}
		if !fits {
			continue
		}
		for k, q := range group.Request {
			n.Free[k] -= q
		}
		if n.Goes {
			group.Demand++
			continue
		}
		n.Pods = append(n.Pods, model.Count{Group: model.GroupIndex(g), N: 1})
		if r.chance(50) {
			n.Evict += model.Dollar / 1000
		}
		n.Disruption += 1_000_000
	}
}

func (r *random) limits() {
	for range r.IntN(2) {
		if !r.chance(40) {
			continue
		}
		l := model.Limit{Pool: model.PoolIndex(r.IntN(len(r.p.Pools)+1) - 1)}
		switch r.IntN(3) {
		case 0:
			l.Measure, l.Max = model.Machines, int64(1+r.IntN(4))
		case 1:
			l.Measure, l.Max = model.Spending, int64(r.price(60))
		default:
			l.Measure, l.Max = 0, int64(4+r.IntN(12))
		}
		r.p.Limits = append(r.p.Limits, l)
	}
}

// settle fills in what follows from the rest.
func (r *random) settle() {
	for i := range r.p.Nodes {
		n := &r.p.Nodes[i]
		if n.Voluntary == model.Underutilized && len(n.Pods) == 0 {
			n.Voluntary = model.Empty
		}
		if n.Voluntary.Voluntary() && r.chance(20) {
			n.Hurdle = n.Price / 10
		}
		if n.Pool != model.None {
			r.p.Pools[n.Pool].Disruption += n.Disruption
			r.p.Pools[n.Pool].Cost += n.Price
		}
	}
}

// Pods is how many pods a plan may have to place at most.
func Pods(p *model.Problem) int {
	n := 0
	for i := range p.Groups {
		n += p.Groups[i].Demand
	}
	for i := range p.Nodes {
		for _, c := range p.Nodes[i].Pods {
			n += c.N
		}
	}
	return n
}
