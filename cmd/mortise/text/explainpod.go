package text

import (
	"fmt"

	"github.com/mortise-io/mortise/model/snapshot"
)

// Pod explains a pod, and what a plan does with it.
type Pod struct {
	*snapshot.PodExplanation
	Plan *PodVerdict `json:"plan,omitempty"`
}

// Print explains the pod to people.
func (e *Pod) Print(to Printer) error {
	p := newPage(to.Options)
	where := "waits for a node"
	if e.Node != "" {
		where = "on node " + e.Node
	}
	p.titled("Pod "+e.Pod, where+"; requests "+amounts(e.Requests))
	if e.Invalid != nil {
		p.labeled(p.bad.Render("cannot be planned: "), e.Invalid.Reason+": "+e.Invalid.Message)
	}
	p.podVerdict(e.Plan)
	p.canLaunch(e.PodExplanation)
	p.cannotLaunch(e.ExcludedOfferings)
	p.nodesOf(e.PodExplanation)
	return p.writeTo(to.To)
}

func (p *page) podVerdict(v *PodVerdict) {
	switch {
	case v == nil:
	case v.Unplaced != nil:
		p.labeled("Plan  ", p.bad.Render("left waiting: ")+v.Unplaced.Reason+": "+v.Unplaced.Message)
	case v.Destination == nil:
		p.labeled("Plan  ", "stays where it is")
	default:
		p.labeled("Plan  ", p.good.Render("goes to "+destination(v))+leaving(v))
	}
}

func destination(v *PodVerdict) string {
	d := v.Destination
	switch {
	case v.Launch != nil:
		return fmt.Sprintf("%s, a new %s of pool %s in %s for %s, shared by %s",
			d.Launch, v.Launch.InstanceType, v.Launch.NodePool, v.Launch.Zone, hourly(v.Launch.PricePerHour), plural(v.Launch.Pods, "pod"))
	case d.NodeClaim != "":
		return "node claim " + d.NodeClaim + ", which is on its way"
	default:
		return "node " + d.Node + ", which is paid for already"
	}
}

func leaving(v *PodVerdict) string {
	if v.Leaves == "" {
		return ""
	}
	return fmt.Sprintf("; its node %s is removed (%s)", v.Leaves, v.LeavesReason)
}

func (p *page) canLaunch(e *snapshot.PodExplanation) {
	if len(e.Offerings) == 0 {
		p.section("Could be launched for it", "nothing")
		return
	}
	about := plural(e.OfferingCount, "offering")
	if e.OfferingCount > len(e.Offerings) {
		about += fmt.Sprintf(", the %d cheapest", len(e.Offerings))
	}
	p.section("Could be launched for it", about)
	g := newGrid(column{title: "TYPE"}, column{title: "ZONE"}, column{title: "CAPACITY"}, column{title: "PRICE", right: true}, column{title: "POOL"})
	for _, o := range e.Offerings {
		g.row(o.InstanceType, o.Zone, o.CapacityType+prefixed(" ", o.Reservation), hourly(o.PricePerHour), o.NodePool)
	}
	g.print(p)
}

func (p *page) cannotLaunch(excluded []snapshot.ExcludedOfferings) {
	if len(excluded) == 0 {
		return
	}
	p.section("Excluded offerings", "by the first rule that excludes them")
	g := newGrid(column{title: "", right: true}, column{title: "POOL"}, column{title: "RULE"}, column{title: "CHEAPEST", minor: true}, column{title: "WHY"})
	for _, x := range excluded {
		g.row(fmt.Sprintf("%d ×", x.Count), x.NodePool, x.Reason, x.Cheapest.InstanceType+prefixed(" ", x.Cheapest.Zone), x.Message)
	}
	g.print(p)
}

func (p *page) nodesOf(e *snapshot.PodExplanation) {
	about := "none has room"
	if len(e.Nodes) > 0 {
		about = plural(len(e.Nodes), "node") + " would take it"
	}
	p.section("Nodes", about)
	if len(e.Nodes) > 0 {
		p.labeled("", some(e.Nodes, asIs))
	}
	if len(e.ExcludedNodes) == 0 {
		return
	}
	g := newGrid(column{title: "", right: true}, column{title: "RULE"}, column{title: "FOR EXAMPLE"})
	for _, x := range e.ExcludedNodes {
		g.row(fmt.Sprintf("%d ×", x.Count), x.Reason, x.Example+": "+x.Message)
	}
	g.print(p)
}
