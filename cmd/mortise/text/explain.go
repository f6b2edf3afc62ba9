package text

import (
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model/snapshot"
)

// Printer is where an explanation is printed.
type Printer struct {
	To      io.Writer
	Options Options
}

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

// Node explains a node, what would become of its pods, and what a plan does with it.
type Node struct {
	*snapshot.NodeExplanation
	Drain []WayOut     `json:"drain"`
	Plan  *NodeVerdict `json:"plan,omitempty"`
}

// Print explains the node to people.
func (e *Node) Print(to Printer) error {
	p := newPage(to.Options)
	p.titled("Node "+e.Node, strings.Join(facts(e.NodeExplanation), ", "))
	p.labeled("Holds     ", fmt.Sprintf("%s: %s of %s", plural(e.Pods, "pod"), amounts(e.Requests), amounts(e.Allocatable)))
	p.labeled("Rules     ", p.rules(e.NodeExplanation))
	p.nodeVerdict(e.Plan)
	p.drain(e.Drain)
	return p.writeTo(to.To)
}

func facts(e *snapshot.NodeExplanation) []string {
	price := "price unknown"
	if e.PricePerHour != nil {
		price = hourly(*e.PricePerHour)
	}
	pool := "in no node pool"
	if e.NodePool != "" {
		pool = "pool " + e.NodePool
	}
	var out []string
	for _, s := range []string{e.InstanceType, e.Zone, e.CapacityType, e.Reservation, price, pool} {
		if s != "" {
			out = append(out, s)
		}
	}
	if !e.Initialized {
		out = append(out, "on its way")
	}
	return out
}

func (p *page) rules(e *snapshot.NodeExplanation) string {
	var parts []string
	if e.Goes != "" {
		parts = append(parts, p.bad.Render("goes whatever is planned: "+e.Goes))
	}
	if e.Drifted {
		parts = append(parts, "drifted: it is to be replaced")
	}
	if e.KeptBy != nil {
		parts = append(parts, p.warn.Render("kept by "+e.KeptBy.Reason)+prefixed(": ", e.KeptBy.Message))
	} else if e.RemovalReason != "" {
		may := "a plan may remove it as " + e.RemovalReason
		if e.Budget != nil {
			may += fmt.Sprintf("; the pool's budgets let %s go for that", plural(*e.Budget, "more node"))
		}
		if e.EvictionPerHour > 0 {
			may += fmt.Sprintf("; its evictions cost %s over the horizon", hourly(e.EvictionPerHour))
		}
		if e.HurdlePerHour > 0 {
			may += fmt.Sprintf("; it must save %s first", hourly(e.HurdlePerHour))
		}
		parts = append(parts, may)
	}
	return strings.Join(parts, "; ")
}

func (p *page) nodeVerdict(v *NodeVerdict) {
	if v == nil {
		return
	}
	switch {
	case v.Removal != nil:
		p.labeled("Plan      ", p.bad.Render("removed in step "+fmt.Sprint(v.Removal.Step)+": "+v.Removal.Reason)+
			prefixed("; its pods go to ", destinations(v.Removal.Moves, asIs).list(maxNames)))
	case v.Kept != nil:
		p.labeled("Plan      ", "kept: "+v.Kept.Reason+prefixed(": ", v.Kept.Message))
	default:
		p.labeled("Plan      ", "says nothing of it")
	}
	if len(v.Receives) > 0 {
		p.labeled("Receives  ", some(v.Receives, asIs))
	}
}

func (p *page) drain(ways []WayOut) {
	if len(ways) == 0 {
		p.section("If it were drained", "no pod would need another place")
		return
	}
	p.section("If it were drained", plural(len(ways), "pod")+" would need another place, each taken by itself")
	g := newGrid(column{title: "POD"}, column{title: "NODES WITH ROOM", right: true}, column{title: "CHEAPEST NEW NODE"})
	for _, w := range ways {
		launch := "none"
		if w.Launch != nil {
			launch = fmt.Sprintf("%s %s %s", w.Launch.InstanceType, w.Launch.Zone, hourly(w.Launch.PricePerHour))
		}
		if w.Obstacle != nil {
			launch += ": " + w.Obstacle.Reason + ": " + w.Obstacle.Message
		}
		g.row(w.Pod, fmt.Sprint(w.Nodes), launch)
	}
	g.print(p)
}

// amounts is cpu and memory, then what else there is.
func amounts(r corev1.ResourceList) string {
	text := fmt.Sprintf("%s cpu, %s memory", r.Cpu(), gibibytes(r.Memory()))
	return text + prefixed(", ", extended(r))
}
