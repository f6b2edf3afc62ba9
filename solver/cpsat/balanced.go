package cpsat

import (
	"math/big"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// addBalanced asks of each balanced pool, where underutilized nodes of it go,
//
//	2 · savings · Disruption ≥ disruption · Cost
//
// where the savings are the prices of those nodes, less those of launches that
// carry pods of nodes of the pool.
func (x *program) addBalanced() {
	for k := range x.p.Pools {
		if x.p.Pools[k].Balanced {
			x.addBalance(model.PoolIndex(k))
		}
	}
}

func (x *program) addBalance(k model.PoolIndex) {
	pool := &x.p.Pools[k]
	var terms []term
	var going []sat.Bool
	double := new(big.Int).Mul(big.NewInt(2), big.NewInt(pool.Disruption))
	for i := range x.p.Nodes {
		n := &x.p.Nodes[i]
		for _, r := range x.nodes[i].removals {
			if n.Pool != k || r.reason != model.Underutilized {
				continue
			}
			gain := new(big.Int).Mul(double, big.NewInt(int64(n.Price)))
			gain.Sub(gain, new(big.Int).Mul(big.NewInt(n.Disruption), big.NewInt(int64(pool.Cost))))
			terms = append(terms, term{gain, r.chosen})
			if n.Disruption != 0 {
				going = append(going, r.chosen)
			}
		}
	}
	if len(going) == 0 {
		return
	}
	moved := func(g model.GroupIndex) bool {
		o := x.p.Groups[g].Origin
		return o.Pool == k && o.Kind >= model.Displaced
	}
	for i := range x.slots {
		if s := &x.slots[i]; s.takes(moved) {
			loss := new(big.Int).Mul(double, big.NewInt(int64(x.p.Shapes[s.shape].Price)))
			terms = append(terms, term{loss.Neg(loss), x.carries(&s.machine, moved)})
		}
	}
	sum, exact := whole(terms)
	x.exact = x.exact && exact
	x.m.AddLinear(sum, 0, sat.Highest, x.any(going))
}

// term is a literal and what it counts.
type term struct {
	coefficient *big.Int
	literal     sat.Bool
}

// whole divides the terms by what they have in common, and if they are still
// too large by as much as it takes, rounded down; then it is not exact.
func whole(terms []term) (sum *sat.Linear, exact bool) {
	divisor, total := new(big.Int), new(big.Int)
	for _, t := range terms {
		absolute := new(big.Int).Abs(t.coefficient)
		divisor.GCD(nil, nil, divisor, absolute)
		total.Add(total, absolute)
	}
	if divisor.Sign() == 0 {
		return &sat.Linear{}, true
	}
	exact = true
	most := big.NewInt(sat.Most / 4)
	if least := total.Div(total, most); least.Cmp(divisor) >= 0 {
		exact = false
		divisor.Add(least, big.NewInt(1))
	}
	sum = &sat.Linear{}
	for _, t := range terms {
		// Euclidean division rounds down, for a positive divisor.
		sum.AddBool(new(big.Int).Div(t.coefficient, divisor).Int64(), t.literal)
	}
	return sum, exact
}
