package cpsat

import (
	"fmt"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// program is a problem as a constraint program.
type program struct {
	p     *model.Problem
	m     *sat.Model
	ranks []int   // by pool
	need  []int64 // by group: the most pods that can need a place

	nodes   []node    // by NodeIndex
	slots   []slot    // grouped by shape
	waiting []sat.Int // by group
	// drifted holds, by drift rank, where that node does not go as drifted.
	drifted []sat.Bool
	// voluntary holds where any node is removed voluntarily.
	voluntary sat.Bool
	// exact says that no number had to be rounded.
	exact bool
}

// node is what becomes of a node; that of one that goes anyway has no content.
type node struct {
	machine
	removals []removal
}

// removal is one way in which a node may go.
type removal struct {
	reason model.Removal
	chosen sat.Bool
}

// slot is a launch that may be.
type slot struct {
	machine
	shape model.ShapeIndex
	place int // among the slots of the shape; those before it are used before it
}

// mostVariables is how large a program may become.
const mostVariables = 200_000

func newProgram(p *model.Problem) (*program, error) {
	x := &program{p: p, m: &sat.Model{}, ranks: model.WeightRanks(p), need: needs(p), exact: true}
	launches := x.launches()
	size := len(p.Nodes) * len(p.Groups)
	for _, l := range launches {
		size += l.slots * (1 + l.groups)
	}
	if size > mostVariables {
		return nil, fmt.Errorf("%d variables: %w", size, ErrTooLarge)
	}
	x.voluntary = x.m.NewBool()
	x.addNodes()
	for _, l := range launches {
		x.addSlots(l)
	}
	x.addDemand()
	x.addRoom()
	x.addDrift()
	x.addBudgets()
	x.addLimits()
	x.addReservations()
	x.addPendingApart()
	x.addBalanced()
	x.addSpotFlexibility()
	x.addSpotDiversity()
	return x, nil
}

// needs is how many pods of each group can need a place at most.
func needs(p *model.Problem) []int64 {
	out := make([]int64, len(p.Groups))
	for g := range p.Groups {
		out[g] = int64(p.Groups[g].Demand)
	}
	for i := range p.Nodes {
		if n := &p.Nodes[i]; n.Goes || n.Drift > 0 || n.Voluntary.Voluntary() {
			for _, c := range n.Pods {
				out[c.Group] += int64(c.N)
			}
		}
	}
	return out
}

func (x *program) addNodes() {
	x.nodes = make([]node, len(x.p.Nodes))
	for i := range x.p.Nodes {
		n := &x.p.Nodes[i]
		if n.Goes {
			continue
		}
		var removals []removal
		if n.Voluntary.Voluntary() {
			removals = append(removals, removal{n.Voluntary, x.m.NewBool()})
		}
		if n.Drift > 0 {
			removals = append(removals, removal{model.Drifted, x.m.NewBool()})
		}
		keep := x.m.NewBool()
		fates := []sat.Bool{keep}
		for _, r := range removals {
			fates = append(fates, r.chosen)
			if r.reason.Voluntary() {
				x.m.AddImplication(r.chosen, x.voluntary)
			}
		}
		x.m.AddExactlyOne(fates...)
		x.nodes[i] = node{machine: x.newMachine(keep, n.Free, func(g model.GroupIndex) bool { return x.p.Groups[g].Nodes.Has(model.NodeIndex(i)) }), removals: removals}
	}
}

// addDemand places every pod that needs a place, or leaves it waiting.
func (x *program) addDemand() {
	for g := range x.p.Groups {
		demand := int64(x.p.Groups[g].Demand)
		x.waiting = append(x.waiting, x.m.NewInt(0, demand))
		sum := (&sat.Linear{}).Add(1, x.waiting[g])
		for i := range x.nodes {
			x.nodes[i].addTo(sum, 1, model.GroupIndex(g))
		}
		for i := range x.slots {
			x.slots[i].addTo(sum, 1, model.GroupIndex(g))
		}
		for i := range x.p.Nodes {
			n := &x.p.Nodes[i]
			for _, c := range n.Pods {
				if int(c.Group) != g {
					continue
				}
				if n.Goes {
					demand += int64(c.N)
				}
				for _, r := range x.nodes[i].removals {
					sum.AddBool(-int64(c.N), r.chosen)
				}
			}
		}
		x.m.AddLinear(sum, demand, demand)
	}
}

// addRoom says for each resource what follows from demand and capacities: that
// there is room for all that is placed. It makes for better bounds.
func (x *program) addRoom() {
	for r := range x.p.Resources {
		sum := &sat.Linear{}
		for i := range x.nodes {
			if !x.p.Nodes[i].Goes {
				sum.AddBool(max(0, x.p.Nodes[i].Free[r]), x.nodes[i].present)
			}
			for _, c := range x.p.Nodes[i].Pods {
				for _, removal := range x.nodes[i].removals {
					sum.AddBool(-x.p.Groups[c.Group].Request[r]*int64(c.N), removal.chosen)
				}
			}
		}
		for i := range x.slots {
			sum.AddBool(x.usable(x.slots[i].shape)[r], x.slots[i].present)
		}
		for g := range x.p.Groups {
			sum.Add(x.p.Groups[g].Request[r], x.waiting[g])
			sum.AddConstant(-x.p.Groups[g].Request[r] * int64(x.p.Groups[g].Demand))
		}
		x.m.AddLinear(sum, 0, sat.Highest)
	}
}

// addDrift notes, by rank, which nodes do not go as drifted.
func (x *program) addDrift() {
	for i := range x.p.Nodes {
		rank := x.p.Nodes[i].Drift
		for len(x.drifted) < rank {
			x.drifted = append(x.drifted, x.m.NewBool())
		}
		if rank == 0 {
			continue
		}
		stays := x.drifted[rank-1]
		asks := []sat.Bool{stays} // or it goes as drifted
		for _, r := range x.nodes[i].removals {
			if r.reason == model.Drifted {
				asks = append(asks, r.chosen)
			}
		}
		x.m.AddOr(asks)
	}
}

// any is a literal that holds wherever one of the others does.
func (x *program) any(literals []sat.Bool) sat.Bool {
	one := x.m.NewBool()
	for _, b := range literals {
		x.m.AddImplication(b, one)
	}
	return one
}
