package snapshot

import (
	"fmt"

	"github.com/mortise-io/mortise/model"
)

// mostSummed is how large a sum of amounts or of money may get: sums are kept in an int64.
const mostSummed = 1 << 62

// checkMagnitude fails if what all machines and pods come to cannot be added
// up. No cluster comes near; a typo in a price or a size does.
func (c *Compiled) checkMagnitude() error {
	p := &c.Problem
	pods := 0.0
	sums := make([]float64, len(p.Resources))
	for g := range p.Groups {
		n := float64(len(c.groups[g].pods))
		pods += n
		for i, request := range p.Groups[g].Request {
			sums[i] += n * float64(request)
		}
	}
	cost := float64(p.Rules.SavingsOnce)
	for i := range p.Nodes {
		n := &p.Nodes[i]
		cost += float64(n.Price) + float64(n.Fee) + float64(n.Penalty) + float64(n.Evict) + float64(n.Hurdle)
		for k, capacity := range n.Capacity {
			sums[k] += float64(capacity)
		}
	}
	dearest := 0.0
	for i := range p.Shapes {
		s := &p.Shapes[i]
		dearest = max(dearest, float64(s.Price)+float64(s.Fee)+float64(s.Penalty)+float64(s.Startup))
	}
	for i, sum := range sums {
		if sum > mostSummed {
			return fmt.Errorf("pods and nodes come to %.2g of %s: more than can be added up", sum, p.Resources[i])
		}
	}
	if cost += pods * dearest; cost > mostSummed {
		return fmt.Errorf("what all nodes and pods could cost comes to %.2g USD per hour: more than can be added up", cost/float64(model.Dollar))
	}
	return nil
}
