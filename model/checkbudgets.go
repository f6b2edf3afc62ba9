package model

import (
	"cmp"
	"slices"
)

// budgets takes the reasons from the tightest budget up: each has to cover all
// removals so far.
func (c *checker) budgets() {
	for k := range c.p.Pools {
		var used [NumBudgets]int
		for i := range c.p.Nodes {
			if r := c.s.Nodes[i].Removal; c.p.Nodes[i].Pool == PoolIndex(k) && r < NumBudgets {
				used[r]++
			}
		}
		pool := &c.p.Pools[k]
		reasons := []Removal{Empty, Underutilized, Drifted}
		slices.SortStableFunc(reasons, func(a, b Removal) int { return cmp.Compare(pool.Budget[a], pool.Budget[b]) })
		total := 0
		for _, r := range reasons {
			total += used[r]
			if used[r] > 0 && total > pool.Budget[r] {
				c.fail("Budget", "pool %s: %d removals up to reason %s, the budget allows %d", pool.Name, total, r, pool.Budget[r])
			}
		}
	}
}
