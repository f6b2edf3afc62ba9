package text

import (
	"fmt"
	"strings"

	"github.com/mortise-io/mortise/model/snapshot"
)

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
