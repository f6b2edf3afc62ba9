package scenarios_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// apply carries a plan out: a launch becomes a node, pods are bound, what is
// removed is gone. The new nodes are named by the number of the plan.
func (c *cluster) apply(plan *v1alpha1.Plan, number int) {
	homeless := map[string]pod{}
	for _, p := range c.Pending {
		homeless[p.key()] = p
	}
	c.Nodes = slices.DeleteFunc(c.Nodes, func(n node) bool {
		gone := slices.ContainsFunc(plan.Removals, func(r v1alpha1.Removal) bool { return r.Node == n.Name })
		if gone {
			for _, p := range n.Pods {
				homeless[p.key()] = p
			}
		}
		return gone
	})
	for i := range plan.Launches {
		c.Nodes = append(c.Nodes, launched(&plan.Launches[i], number))
	}

	c.bind(plan.Placements, homeless, number)
	for i := range plan.Removals {
		c.bind(plan.Removals[i].Moves, homeless, number)
	}
	c.Pending = nil
	for _, k := range sortedKeys(homeless) {
		c.Pending = append(c.Pending, homeless[k])
	}
}

func (c *cluster) bind(destinations []v1alpha1.Destination, homeless map[string]pod, number int) {
	for _, d := range destinations {
		for i := range c.Nodes {
			n := &c.Nodes[i]
			if n.Name == d.Node || n.Pool+"-"+n.Name == d.NodeClaim || d.Launch != "" && n.Name == launchedName(d.Launch, number) {
				n.Pods = append(n.Pods, homeless[d.Pod])
				delete(homeless, d.Pod)
			}
		}
	}
}

func launched(l *v1alpha1.Launch, number int) node {
	return node{
		Name: launchedName(l.ID, number), Type: l.InstanceType, Pool: l.NodePool, Zone: l.Zone,
		Capacity: l.CapacityType, Reservation: l.Reservation, Age: duration(10 * time.Minute),
	}
}

func launchedName(id string, number int) string {
	return fmt.Sprintf("plan-%d-%s", number, id)
}

// change brings what a step brings.
func (c *cluster) change(s *step) {
	if s.Time != nil {
		c.Time = *s.Time
	}
	if s.Types != nil {
		c.Types = s.Types
	}
	if s.Pools != nil {
		c.Pools = s.Pools
	}
	c.Pending = append(c.Pending, s.Pending...)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.Pods = slices.DeleteFunc(n.Pods, func(p pod) bool { return slices.Contains(s.Ended, p.Name) })
		if size, ok := s.Report[n.Type]; ok {
			n.Allocatable = size
		}
	}
}

func (p *pod) key() string {
	return p.Namespace + "/" + p.Name
}
