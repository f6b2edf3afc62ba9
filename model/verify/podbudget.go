package verify

import (
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// podBudget is a PodDisruptionBudget.
type podBudget struct {
	*policyv1.PodDisruptionBudget
	selector labels.Selector
	// allowed is how many pods may be evicted now.
	allowed int
}

func (c *cluster) addBudgets(list []*policyv1.PodDisruptionBudget) {
	for _, object := range list {
		b := &podBudget{PodDisruptionBudget: object, selector: selectorOf(object.Spec.Selector)}
		b.allowed = int(object.Status.DisruptionsAllowed)
		if !b.written() {
			b.allowed = c.evictable(b)
		}
		c.budgets = append(c.budgets, b)
	}
}

// written says whether the status is that of the spec: a budget fresh from a file has none.
func (b *podBudget) written() bool {
	s := b.Status
	some := s.ObservedGeneration > 0 || s.ExpectedPods > 0 || s.DesiredHealthy > 0 || s.CurrentHealthy > 0 || s.DisruptionsAllowed > 0
	return some && s.ObservedGeneration >= b.Generation
}

// evictable is how many pods the budget's controller would let go: those that
// are ready beyond the number it wants.
func (c *cluster) evictable(b *podBudget) int {
	expected, healthy := 0, 0
	for _, p := range c.pods {
		if b.covers(p) {
			expected++
			if p.ready() && !p.deleting() {
				healthy++
			}
		}
	}
	return max(0, healthy-b.wanted(expected))
}

// wanted is how many of the expected pods the budget wants to be healthy: one,
// if it does not say; all, if what it says cannot be read.
func (b *podBudget) wanted(expected int) int {
	of, wanted := b.Spec.MinAvailable, func(n int) int { return n }
	if b.Spec.MaxUnavailable != nil {
		of, wanted = b.Spec.MaxUnavailable, func(n int) int { return expected - n }
	}
	if of == nil {
		return 1
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(of, expected, true)
	if err != nil {
		return expected
	}
	return wanted(n)
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
	return b.allowed <= 0
}
