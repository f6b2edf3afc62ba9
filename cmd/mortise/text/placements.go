package text

import "cmp"

// placements sums up which waiting pods go to nodes that are already there; the launches list the others.
func (p *planPage) placements() {
	byNode := map[string][]string{}
	nodes, total := counts{}, 0
	for _, d := range p.plan.Placements {
		if d.Launch == "" {
			n := p.fleet.short(cmp.Or(d.Node, d.NodeClaim))
			byNode[n] = append(byNode[n], d.Pod)
			nodes[n]++
			total++
		}
	}
	if total == 0 {
		return
	}
	p.section("Placements", plural(total, "waiting pod")+" on nodes that are there")
	if len(nodes) > maxRows {
		p.labeled("", nodes.list(2*maxNames))
		return
	}
	g := newGrid(column{title: "NODE"}, column{title: "PODS"})
	for _, n := range nodes.names() {
		g.row(n, p.pods.workloads(byNode[n]).list(maxNames))
	}
	g.print(p.page)
}
