package snapshot

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// planKept lists every node that stays, by name, with the first reason that
// applies. The reason is empty where only another solve can tell it: whether
// the node would go under other rules, or could not for want of room.
func (d *deal) planKept() []v1alpha1.Kept {
	out := []v1alpha1.Kept{}
	budgets := newBudgetUse(d)
	for _, m := range d.c.byName() {
		if d.goes(m) {
			continue
		}
		k := v1alpha1.Kept{Node: m.name, NodePool: d.c.poolName(m.pool)}
		if m.claim != nil {
			k.NodeClaim = m.claim.Name
		}
		k.Reason, k.Message = d.c.keptBy(m)
		if k.Reason == "" {
			k.Reason, k.Message = budgets.keeps(m)
		}
		out = append(out, k)
	}
	return out
}

// keptBy is the rule that keeps the machine whatever else is planned: for one
// that is to go as drifted, what holds that back.
func (c *Compiled) keptBy(m *machine) (reason, message string) {
	if m.drifted {
		return m.drift, m.driftMessage
	}
	return m.voluntary, m.voluntaryMessage
}

// budgetUse is how many nodes of each pool a plan removes, by reason.
//
// Reasons are taken from the tightest budget up, and each budget has to cover
// all planned removals so far.
type budgetUse struct {
	c     *Compiled
	taken [][model.NumBudgets]int // by pool
}

func newBudgetUse(d *deal) *budgetUse {
	b := &budgetUse{c: d.c, taken: make([][model.NumBudgets]int, len(d.c.Problem.Pools))}
	for _, m := range d.c.nodes {
		if r := d.fate(m).Removal; m.pool != nil && r < model.NumBudgets {
			b.taken[m.pool.index][r]++
		}
	}
	return b
}

// keeps says whether the budgets of its pool are what leaves the machine where
// it is: with one more removal for its reason they would be exceeded.
func (b *budgetUse) keeps(m *machine) (reason, message string) {
	why := b.c.removalOf(m)
	if m.pool == nil || why >= model.NumBudgets || b.covers(m.pool.index, why) {
		return "", ""
	}
	p := &b.c.Problem.Pools[m.pool.index]
	planned := 0
	for _, n := range b.taken[m.pool.index] {
		planned += n
	}
	message = budgetMessage(p, why)
	if planned > 0 {
		message += fmt.Sprintf("; removals planned: %d", planned)
	}
	return v1alpha1.KeptBudget, message
}

// budgetMessage says how many nodes of the pool may go for the reason.
func budgetMessage(p *model.Pool, why model.Removal) string {
	return fmt.Sprintf("node pool %s: removals as %s that its budgets allow now: %d", p.Name, why, p.Budget[why])
}

// covers says whether the pool's budgets cover the planned removals and one more.
func (b *budgetUse) covers(pool model.PoolIndex, more model.Removal) bool {
	budget, taken := b.c.Problem.Pools[pool].Budget, b.taken[pool]
	taken[more]++
	reasons := []model.Removal{model.Empty, model.Underutilized, model.Drifted}
	slices.SortStableFunc(reasons, func(x, y model.Removal) int { return cmp.Compare(budget[x], budget[y]) })
	total := 0
	for _, r := range reasons {
		total += taken[r]
		if taken[r] > 0 && total > budget[r] {
			return false
		}
	}
	return true
}

// removalOf is the reason for which the machine might be removed.
func (c *Compiled) removalOf(m *machine) model.Removal {
	if m.drifted {
		return model.Drifted
	}
	return c.Problem.Nodes[m.index].Voluntary
}
