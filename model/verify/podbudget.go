package verify

import (
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// podBudget is a PodDisruptionBudget.
type podBudget struct {
	*policyv1.PodDisruptionBudget
	selector labels.Selector
}

func (c *cluster) addBudgets(list []*policyv1.PodDisruptionBudget) {
	for _, b := range list {
		c.budgets = append(c.budgets, &podBudget{b, selectorOf(b.Spec.Selector)})
	}
}

func (b *podBudget) covers(p *pod) bool {
	return b.Namespace == p.Namespace && b.selector.Matches(labels.Set(p.Labels))
}

// heldByPodBudget: a pod of several budgets cannot be evicted at all, one
// whose budget allows none not now. A pod being deleted needs no eviction.
func heldByPodBudget(c *check, r *removal) string {
	for _, p := range r.machine.movable() {
		if p.deleting() {
			continue
		}
		var mine []*podBudget
		for _, b := range c.budgets {
			if b.covers(p) {
				mine = append(mine, b)
			}
		}
		switch {
		case len(mine) > 1:
			return "pod " + p.key + " has several pod disruption budgets"
		case len(mine) == 1 && mine[0].shut(p):
			return "pod disruption budget " + mine[0].Name + " lets pod " + p.key + " not go now"
		}
	}
	return ""
}

// shut says whether the budget forbids to evict the pod now.
func (b *podBudget) shut(p *pod) bool {
	if policy := b.Spec.UnhealthyPodEvictionPolicy; policy != nil && *policy == policyv1.AlwaysAllow && !p.ready() {
		return false
	}
	return b.Status.DisruptionsAllowed <= 0
}
