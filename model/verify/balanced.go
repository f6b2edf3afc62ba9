package verify

import (
	"slices"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// checkBalanced asks of each Balanced pool that what its voluntary removals
// save is worth their disruption: savings × pool disruption ≥ ½ × disruption ×
// pool cost. Empty nodes are exempt.
func checkBalanced(c *check) {
	for _, p := range c.pools {
		if p.Spec.Disruption.ConsolidationPolicy != karpv1.ConsolidationPolicyBalanced {
			continue
		}
		saved, disruption, some := 0.0, 0.0, false
		for _, r := range c.removals {
			if r.machine.pool == p && r.reason == string(karpv1.DisruptionReasonUnderutilized) {
				some = true
				saved += r.machine.price
				disruption += c.disruption(r.machine)
			}
		}
		if !some {
			continue
		}
		for _, m := range c.launches {
			if c.repays(m, p) {
				saved -= m.price
			}
		}
		cost, whole := 0.0, 0.0
		for _, m := range p.machines {
			if !m.onItsWay {
				cost += m.price
				whole += c.disruption(m)
			}
		}
		if saved*whole < disruption*cost/2-tolerance {
			c.report(RuleBalanced, p.object(), "a saving of %.4f an hour does not pay for a disruption of %.1f of %.1f", saved, disruption, whole)
		}
	}
}

// disruption is 1 plus the eviction weights of the pods that would have to move.
func (c *cluster) disruption(m *machine) float64 {
	sum := 1.0
	for _, p := range m.movable() {
		sum += p.evictionWeight()
	}
	return sum
}

// repays says whether the launch carries pods of nodes of the pool that the plan removes to save money.
func (c *check) repays(launch *machine, p *pool) bool {
	return slices.ContainsFunc(c.arrivals[launch], func(a *arrival) bool {
		return a.from != nil && a.from.voluntary() && a.from.machine.pool == p
	})
}
