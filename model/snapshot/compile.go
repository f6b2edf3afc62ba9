package snapshot

import (
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// Compile turns a snapshot into a problem. Its catalog is resolved, its objects
// are typed, and if its workloads are to be planned it is expanded (see Expand).
//
// What is malformed is left out or becomes an invalid pod, with a warning or a
// reason; what no rule covers yet is planned without it, with a warning.
// Compile fails only if the policy's selectors cannot be read, or figures are
// too large to be added up.
func Compile(s *v1alpha1.Snapshot, o Options) (*Compiled, error) {
	c := &Compiled{snapshot: s, policy: s.Policy.Default(), cluster: newCluster(s)}
	charges, err := newCharges(&c.policy)
	if err != nil {
		return nil, err
	}
	manage, err := newAdoptions(c.policy.Manage)
	if err != nil {
		return nil, err
	}
	c.charges = charges
	c.admit()

	c.gatherPools()
	c.gatherTypes()
	c.applyOverlays()
	c.gatherMachines(manage)
	c.bindPods()
	c.learnCapacity()
	c.nodeLabels = censusOfMachines(c.nodes)
	c.expectDaemons()
	c.sortPending()
	c.disrupt(o.Relax)

	c.gatherIndices()
	c.gatherDemand()
	c.gatherSeparations(c.cluster.pods)
	c.expandShapes()
	c.gatherPresences()
	c.groupPods()
	c.buildProblem(o.Relax)
	if err := c.checkMagnitude(); err != nil {
		return nil, err
	}

	c.warnOfTheUnplanned()
	slices.Sort(c.Warnings)
	c.Warnings = slices.Compact(c.Warnings)
	return c, nil
}

// buildProblem writes down in integers what the steps before have gathered.
func (c *Compiled) buildProblem(relax map[string]bool) {
	p := &c.Problem
	p.Rules = c.rules()
	p.Pools = c.modelPools(relax)
	p.Limits = c.modelLimits()
	p.Reservations, p.Shapes = c.modelShapes()
	p.Nodes = c.modelNodes()
	p.Groups = c.modelGroups()
}

// rules are the settings of the policy that hold for the whole problem.
func (c *Compiled) rules() model.Rules {
	r := model.Rules{
		PoolWeights:     c.policy.PoolOrder == v1alpha1.PoolOrderWeight,
		PendingApart:    !*c.policy.MovePending,
		SavingsOnce:     model.Dollars(c.policy.Savings.PerHour),
		SpotFlexibility: int(*c.policy.SpotFlexibility),
	}
	if share := *c.policy.SpotDiversity; share < 1 {
		r.SpotDiversity = max(1, int64(share*1e6+0.5)) // zero would mean no rule
	}
	return r
}
