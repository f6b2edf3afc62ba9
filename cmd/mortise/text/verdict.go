package text

import (
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
)

// PodVerdict is what a plan does with a pod.
type PodVerdict struct {
	// Destination is where it goes; nil if it stays where it is.
	Destination *v1alpha1.Destination `json:"destination,omitempty"`
	// Launch is the new node that it goes to.
	Launch *Purchase `json:"launch,omitempty"`
	// Leaves is the node that it moves off, and LeavesReason why that goes.
	Leaves       string `json:"leaves,omitempty"`
	LeavesReason string `json:"leavesReason,omitempty"`
	// Unplaced is why it is left waiting.
	Unplaced *snapshot.Obstacle `json:"unplaced,omitempty"`
}

// Purchase is a launch in short.
type Purchase struct {
	snapshot.OfferingChoice
	Pods int `json:"pods"`
}

// PodVerdictOf finds a pod in a plan; nil without a plan.
func PodVerdictOf(plan *v1alpha1.Plan, key string) *PodVerdict {
	if plan == nil {
		return nil
	}
	v := &PodVerdict{Destination: destinationOf(plan.Placements, key)}
	for i := range plan.Removals {
		r := &plan.Removals[i]
		if d := destinationOf(r.Moves, key); d != nil {
			v.Destination, v.Leaves, v.LeavesReason = d, r.Node, r.Reason
		}
	}
	for i := range plan.Unplaced {
		if u := &plan.Unplaced[i]; slices.Contains(u.Pods, key) {
			v.Unplaced = &snapshot.Obstacle{Reason: u.Reason, Message: u.Message}
		}
	}
	if v.Destination != nil && v.Destination.Launch != "" {
		v.Launch = purchaseOf(plan, v.Destination.Launch)
	}
	return v
}

func destinationOf(ds []v1alpha1.Destination, key string) *v1alpha1.Destination {
	if i := slices.IndexFunc(ds, func(d v1alpha1.Destination) bool { return d.Pod == key }); i >= 0 {
		return &ds[i]
	}
	return nil
}

func purchaseOf(plan *v1alpha1.Plan, id string) *Purchase {
	for i := range plan.Launches {
		if l := &plan.Launches[i]; l.ID == id {
			return &Purchase{
				OfferingChoice: snapshot.OfferingChoice{
					NodePool: l.NodePool, InstanceType: l.InstanceType, Zone: l.Zone, CapacityType: l.CapacityType,
					Reservation: l.Reservation, PricePerHour: l.PricePerHour,
				},
				Pods: len(l.Pods),
			}
		}
	}
	return nil
}

// NodeVerdict is what a plan does with a node: it is removed or kept.
type NodeVerdict struct {
	Removal *v1alpha1.Removal `json:"removal,omitempty"`
	Kept    *v1alpha1.Kept    `json:"kept,omitempty"`
	// Receives are the pods that the plan puts there.
	Receives []string `json:"receives,omitempty"`
}

// NodeVerdictOf finds a node in a plan; nil without a plan.
func NodeVerdictOf(plan *v1alpha1.Plan, e *snapshot.NodeExplanation) *NodeVerdict {
	if plan == nil {
		return nil
	}
	same := func(node, claim string) bool {
		return node != "" && node == e.Node || claim != "" && claim == e.NodeClaim
	}
	v := &NodeVerdict{}
	receive := func(ds []v1alpha1.Destination) {
		for _, d := range ds {
			if same(d.Node, d.NodeClaim) {
				v.Receives = append(v.Receives, d.Pod)
			}
		}
	}
	receive(plan.Placements)
	for i := range plan.Removals {
		if r := &plan.Removals[i]; same(r.Node, r.NodeClaim) {
			v.Removal = r
		}
		receive(plan.Removals[i].Moves)
	}
	for i := range plan.Kept {
		if k := &plan.Kept[i]; same(k.Node, k.NodeClaim) {
			v.Kept = k
		}
	}
	return v
}

// WayOut is where a pod of a node could go if the node went.
type WayOut struct {
	Pod string `json:"pod"`
	// Nodes is how many other nodes would take it as they are.
	Nodes int `json:"nodes"`
	// Launch is the cheapest that could be launched for it.
	Launch *snapshot.OfferingChoice `json:"launch,omitempty"`
	// Obstacle is what keeps it from most offerings, where it could go nowhere.
	Obstacle *snapshot.Obstacle `json:"obstacle,omitempty"`
}

// WayOutOf sums up where a pod could go.
func WayOutOf(e *snapshot.PodExplanation) WayOut {
	w := WayOut{Pod: e.Pod, Nodes: len(e.Nodes)}
	switch {
	case len(e.Offerings) > 0:
		w.Launch = &e.Offerings[0]
	case e.Invalid != nil:
		w.Obstacle = e.Invalid
	case len(e.ExcludedOfferings) > 0 && w.Nodes == 0:
		w.Obstacle = &snapshot.Obstacle{Reason: e.ExcludedOfferings[0].Reason, Message: e.ExcludedOfferings[0].Message}
	}
	return w
}
