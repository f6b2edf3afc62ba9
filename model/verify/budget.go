package verify

import (
	"cmp"
	"math"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// checkBudgets asks that the plan keeps to the disruption budgets of each
// pool: reasons are taken from the tightest up, each covering all removals so far.
func checkBudgets(c *check) {
	for _, p := range c.pools {
		counts := map[string]int{}
		for _, r := range c.removals {
			if r.machine.pool == p && !r.forced() {
				counts[r.reason]++
			}
		}
		type allowance struct {
			reason string
			nodes  int
		}
		var all []allowance
		for reason := range counts {
			all = append(all, allowance{reason, c.budget(p, reason)})
		}
		slices.SortFunc(all, func(a, b allowance) int {
			return cmp.Or(cmp.Compare(a.nodes, b.nodes), cmp.Compare(a.reason, b.reason))
		})
		total := 0
		for _, a := range all {
			total += counts[a.reason]
			if total > a.nodes {
				c.report(RuleBudget, p.object(), "%d removals up to reason %s, the budget allows %d", total, a.reason, a.nodes)
				break
			}
		}
	}
}

// budget is how many more nodes of the pool may go for the reason now: the
// least of its active budgets, less the nodes that are not ready or being
// deleted. A budget that cannot be read allows none.
func (c *cluster) budget(p *pool, reason string) int {
	base, used := 0, 0
	for _, m := range p.machines {
		if m.onItsWay {
			continue
		}
		base++
		if m.deleting() || m.notReady() {
			used++
		}
	}
	allowed := math.MaxInt32
	for _, b := range p.budgets() {
		n, err := c.budgetNodes(b, base)
		if err != nil {
			return 0
		}
		if len(b.Reasons) == 0 || slices.Contains(b.Reasons, karpv1.DisruptionReason(reason)) {
			allowed = min(allowed, n)
		}
	}
	return max(0, allowed-used)
}

// budgetNodes is how many of base nodes the budget lets go, percentages rounded up.
func (c *cluster) budgetNodes(b karpv1.Budget, base int) (int, error) {
	if b.Schedule != nil || b.Duration != nil {
		var schedule string
		var duration time.Duration
		if b.Schedule != nil {
			schedule = *b.Schedule
		}
		if b.Duration != nil {
			duration = b.Duration.Duration
		}
		if on, err := active(schedule, "", duration, c.now); err != nil || !on {
			return math.MaxInt32, err
		}
	}
	nodes := intstr.Parse(b.Nodes)
	return intstr.GetScaledValueFromIntOrPercent(&nodes, base, true)
}
