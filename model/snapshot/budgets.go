package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// defaultBudgetNodes is Karpenter's budget of a pool, or of a budget's nodes, that states none.
const defaultBudgetNodes = "10%"

// budget is how many more nodes of the pool may go for each reason: the least
// of the budgets that are active for it, less the nodes that are not there to
// be counted on. A pool with a malformed budget gives up no node at all.
func (c *Compiled) budget(p *pool, relax map[string]bool) [model.NumBudgets]int {
	var out [model.NumBudgets]int
	base, used := c.budgetBase(p)
	for why := range model.NumBudgets {
		if relax[v1alpha1.KeptBudget] {
			out[why] = model.Unlimited
			continue
		}
		allowed, err := allowedNodes(budgetsOf(p), why, base, c.cluster.now)
		switch {
		case err != nil:
			out[why] = 0
		case allowed == model.Unlimited:
			out[why] = model.Unlimited
		default:
			out[why] = max(0, allowed-used)
		}
	}
	return out
}

// budgetBase counts the nodes that a percentage is of, and how many of those
// are not ready or being deleted, for whatever cause.
func (c *Compiled) budgetBase(p *pool) (base, used int) {
	for _, m := range c.nodes {
		if m.pool != p || !m.initialized {
			continue
		}
		base++
		if m.beingDeleted() || m.beingDisrupted() || !m.ready() {
			used++
		}
	}
	return base, used
}

// budgetsOf are the pool's budgets, or the one that Karpenter gives a pool that states none.
func budgetsOf(p *pool) []karpv1.Budget {
	if p.object.Spec.Disruption.Budgets == nil {
		return []karpv1.Budget{{Nodes: defaultBudgetNodes}}
	}
	return p.object.Spec.Disruption.Budgets
}

// allowedNodes is the least that the active budgets allow for the reason of
// base nodes; model.Unlimited if none is active. It fails if any budget is
// malformed, be it for another reason.
func allowedNodes(budgets []karpv1.Budget, why model.Removal, base int, now time.Time) (int, error) {
	least := model.Unlimited
	for i := range budgets {
		b := &budgets[i]
		n, err := allowedBy(b, base, now)
		if err != nil {
			return 0, fmt.Errorf("budgets[%d]: %w", i, err)
		}
		// Absent reasons mean all; an empty list means none.
		if b.Reasons == nil || slices.Contains(b.Reasons, karpv1.DisruptionReason(why.String())) {
			least = min(least, n)
		}
	}
	return least, nil
}

// allowedBy is what one budget allows of base nodes; model.Unlimited while it is not active.
func allowedBy(b *karpv1.Budget, base int, now time.Time) (int, error) {
	n, err := budgetNodes(b.Nodes, base)
	if err != nil {
		return 0, err
	}
	if b.Schedule == nil && b.Duration == nil {
		return n, nil
	}
	if b.Schedule == nil || b.Duration == nil {
		return 0, fmt.Errorf("schedule and duration go together")
	}
	r, err := newRecurrence(*b.Schedule, "UTC", b.Duration.Duration)
	if err != nil {
		return 0, err
	}
	if !r.open(now) {
		return model.Unlimited, nil
	}
	return n, nil
}

// budgetNodes reads a count, or a percentage of base, which rounds up.
func budgetNodes(nodes string, base int) (int, error) {
	if nodes == "" {
		nodes = defaultBudgetNodes
	}
	percent, isPercent := strings.CutSuffix(nodes, "%")
	n, err := strconv.ParseUint(percent, 10, 31)
	if err != nil || isPercent && n > 100 {
		return 0, fmt.Errorf("nodes %q: expected a number or a percentage up to 100%%", nodes)
	}
	if isPercent {
		return (base*int(n) + 99) / 100, nil
	}
	return int(n), nil
}

// warnOfBudgets names the pools that a malformed budget closes.
func (c *Compiled) warnOfBudgets() {
	for _, p := range c.pools {
		if _, err := allowedNodes(budgetsOf(p), model.Empty, 0, c.cluster.now); err != nil {
			c.warn("NodePool %s: %v: no node of the pool is removed until it is mended", p.object.Name, err)
		}
	}
}
