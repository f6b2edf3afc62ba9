package snapshot

import (
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// Assumed are the goals before cost as a plan of the snapshot meets them. What
// the plan names and the snapshot does not have is left out: to find that is
// for others.
func (c *Compiled) Assumed(p *v1alpha1.Plan) model.Assumptions {
	return model.Assumptions{Unplaced: c.assumedUnplaced(p), Drifted: c.assumedDrifted(p), Weight: c.assumedWeight(p)}
}

func (c *Compiled) assumedUnplaced(p *v1alpha1.Plan) []model.GroupCount {
	waits := map[string]bool{}
	for i := range p.Unplaced {
		for _, pod := range p.Unplaced[i].Pods {
			waits[pod] = true
		}
	}
	var out []model.GroupCount
	for g := range c.groups {
		n := 0
		for _, pod := range c.groups[g].pods {
			if waits[pod.key()] {
				n++
			}
		}
		if n > 0 {
			out = append(out, model.GroupCount{Group: c.Problem.Groups[g].Name, Pods: n})
		}
	}
	return out
}

func (c *Compiled) assumedDrifted(p *v1alpha1.Plan) []string {
	var out []string
	for i, m := range c.nodes {
		goes := slices.ContainsFunc(p.Removals, func(r v1alpha1.Removal) bool {
			return r.Reason == v1alpha1.RemovalDrifted &&
				(m.node != nil && r.Node == m.node.Name || m.node == nil && r.Node == "" && r.NodeClaim == m.claim.Name)
		})
		if goes {
			out = append(out, c.Problem.Nodes[i].Name)
		}
	}
	return out
}

func (c *Compiled) assumedWeight(p *v1alpha1.Plan) []int {
	if !c.Problem.Rules.PoolWeights {
		return nil
	}
	ranks := model.WeightRanks(&c.Problem)
	out := make([]int, max(0, slices.Max(append(ranks, 0))))
	for i := range p.Launches {
		k := slices.IndexFunc(c.Problem.Pools, func(k model.Pool) bool { return k.Name == p.Launches[i].NodePool })
		if k < 0 {
			continue
		}
		for rank := range ranks[k] {
			out[rank] += len(p.Launches[i].Pods)
		}
	}
	return out
}
