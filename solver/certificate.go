package solver

import (
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// certificate says why the result's lower bound holds, by the duals of the last
// relaxation. Without one that came to something the nodes that have to stay
// carry the bound alone. Nil if the solve was canceled.
func (b *solve) certificate() *model.Certificate {
	if b.w.ctx.Err() != nil {
		return nil
	}
	r, x := &b.best, b.relaxed
	c := &model.Certificate{Problem: b.p.Digest(), Bound: r.LowerBound, Assumed: b.w.assumed(r)}
	if x != nil && x.duals != nil && model.Money(math.Floor(x.best)) > b.w.cheapBound(r) {
		(&certifying{x, c}).fill()
	}
	return c
}

// assumed are the goals before cost as the result meets them.
func (w *work) assumed(r *Result) model.Assumptions {
	a := model.Assumptions{Weight: r.Score.Weight}
	for g, n := range r.Solution.Unplaced {
		if n > 0 {
			a.Unplaced = append(a.Unplaced, model.GroupCount{Group: w.p.Groups[g].Name, Pods: n})
		}
	}
	if w.driftProved(r) {
		for i := range w.p.Nodes {
			if r.Solution.Nodes[i].Removal == model.Drifted {
				a.Drifted = append(a.Drifted, w.p.Nodes[i].Name)
			}
		}
	}
	return a
}

// certifying writes a relaxation's best duals into a certificate.
type certifying struct {
	x *relaxation
	c *model.Certificate
}

// shrink makes up for what floating point may have added to a dual: without it
// each of many launches could be worth a trifle more than it costs.
const shrink = 1 - 1e-11

// worth is a dual under the scale of its round, in units of a certificate,
// rounded down; charge is one of a rule that takes away, rounded up.
func (y *certifying) worth(dual float64) int64 {
	return inUnits(math.Floor(max(0, dual) * y.x.scale * shrink * model.CertificateUnits))
}

func (y *certifying) charge(dual, times float64) int64 {
	return inUnits(math.Ceil(max(0, -dual) * times * y.x.scale * shrink * model.CertificateUnits))
}

// inUnits is x as an integer; what is beyond any price counts as a very large one.
func inUnits(x float64) int64 {
	return int64(min(x, 1<<59))
}

func (y *certifying) fill() {
	x, c, p := y.x, y.c, y.x.w.p
	for _, g := range x.groups {
		if price := y.worth(x.duals[x.cover[g]]); price > 0 {
			c.Groups = append(c.Groups, model.GroupPrice{Group: p.Groups[g].Name, Price: price})
		}
	}
	c.Weights = make([]int64, len(c.Assumed.Weight))
	for k := range x.rows {
		row := &x.rows[k]
		dual := x.duals[row.row]
		switch {
		case row.classes != nil:
			y.budget(row, y.worth(dual))
		case row.limit >= 0:
			l := &p.Limits[row.limit]
			if price := y.charge(dual, float64(max(1, l.Max))); price > 0 {
				c.Limits = append(c.Limits, model.LimitPrice{Pool: p.PoolName(l.Pool), Measure: p.MeasureName(l.Measure), Max: l.Max, Price: price})
			}
		case row.weight > 0:
			c.Weights[row.weight-1] = y.charge(dual, 1)
		}
	}
	y.rooms()
}

func (y *certifying) budget(row *sideRow, price int64) {
	if price == 0 {
		return
	}
	x := model.BudgetPrice{Pool: y.x.w.p.PoolName(row.pool), Price: price}
	for reason, counts := range row.reasons {
		if counts {
			x.Reasons = append(x.Reasons, model.Removal(reason).String())
		}
	}
	y.c.Budgets = append(y.c.Budgets, x)
}

// rooms writes the multipliers of the knapsacks, bettered until they show that
// nothing is worth its price under these duals, if they can.
func (y *certifying) rooms() {
	x, p := y.x, y.x.w.p
	value := x.values(x.duals)
	k := &knapsack{w: x.w}
	for _, s := range x.w.frontier {
		shape := &p.Shapes[s]
		price, worth := y.launch(s, value)
		k.load(shape.Allocatable, x.w.groupsOf[s], worth, x.demand)
		if prices := y.room(k, int(s), shape.Allocatable, price); prices != nil {
			y.c.Shapes = append(y.c.Shapes, model.RoomPrice{Name: shape.Name, Prices: prices})
		}
	}
	for c := range x.classes {
		i := x.classes[c].nodes[0]
		n := &p.Nodes[i]
		k.load(n.Free, x.w.allowed.groups[x.w.allowed.node[i]], value, x.demand)
		if prices := y.room(k, -1-c, n.Free, y.keeping(c, value)); prices != nil {
			y.c.Nodes = append(y.c.Nodes, model.RoomPrice{Name: n.Name, Prices: prices})
		}
	}
}

// launch is what a content of the shape may be worth before it counts, and
// what pods are worth there, by group.
func (y *certifying) launch(s model.ShapeIndex, value []float64) (price float64, worth []float64) {
	x := y.x
	price = x.launchCost(s) / x.scale
	worth = slices.Clone(value)
	for k := range x.rows {
		row := &x.rows[k]
		charge := max(0, -x.duals[row.row]) * x.launchUse(row, s)
		switch {
		case row.limit >= 0:
			price += charge
		case row.weight > 0:
			for g := range worth {
				worth[g] -= charge
			}
		}
	}
	return price, worth
}

// keeping is what may be put onto a node of the class before it counts.
func (y *certifying) keeping(c int, value []float64) float64 {
	x := y.x
	price := x.keepCost(c) / x.scale
	for k := range x.rows {
		price -= x.nodeUse(&x.rows[k], c) * x.duals[x.rows[k].row]
	}
	if !x.classes[c].fixed {
		price -= worthOf(x.w.p.Nodes[x.classes[c].nodes[0]].Pods, value)
	}
	return price
}

// room is what the loaded knapsack's room costs under the best multipliers
// found, by resource; nil if there is nothing to put into it.
func (y *certifying) room(k *knapsack, key int, room model.Quantities, price float64) []int64 {
	if len(k.items) == 0 {
		return nil
	}
	mu := make([]float64, len(room))
	copy(mu, y.x.mu[key])
	if k.bound(room, mu) > price {
		k.improve(room, mu, price)
	}
	out := make([]int64, len(room))
	for r, m := range mu {
		out[r] = inUnits(math.Ceil(m * float64(max(0, room[r])) * y.x.scale * shrink * model.CertificateUnits))
	}
	return out
}
