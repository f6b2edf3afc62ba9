package text

import (
	"cmp"
	"fmt"
)

// nodes draws how full each node is before and after; many nodes are summed up by pool and instance type.
func (p *planPage) nodes() {
	if len(p.fleet.members) == 0 {
		return
	}
	if len(p.fleet.members) > maxRows {
		p.nodesByType()
		return
	}
	p.section("Nodes", "requests of allocatable, before → after")
	g := barGrid("NODE", "TYPE", "POOL")
	columns := p.barColumns(
		longest(p.fleet.members, func(m *member) string { return p.fleet.short(m.name) }),
		longest(p.fleet.members, func(m *member) string { return m.instanceType }),
		longest(p.fleet.members, func(m *member) string { return m.pool }))
	for _, m := range p.fleet.members {
		before, after := m.before.of(m.allocatable), m.after.of(m.allocatable)
		cells := [4]string{bar(before.cpu, columns), bar(after.cpu, columns), bar(before.memory, columns), bar(after.memory, columns)}
		if m.launched {
			cells[0], cells[2] = p.good.Render("new"), ""
		}
		if m.removed {
			cells[1], cells[3] = p.bad.Render("removed"), ""
		}
		g.row(p.fleet.short(m.name), m.instanceType, cmp.Or(m.pool, "-"), cells[0], cells[1], cells[2], cells[3])
	}
	g.print(p.page)
}

func (p *planPage) nodesByType() {
	p.section("Nodes", "requests of allocatable by pool and instance type, before → after")
	g := barGrid("POOL", "TYPE", "NODES")
	columns := p.barColumns(
		longest(p.fleet.members, func(m *member) string { return m.pool }),
		longest(p.fleet.members, func(m *member) string { return m.instanceType }),
		len("1000 > 1000"))
	for _, alike := range groupBy(p.fleet.members, func(m **member) string { return (*m).pool + "\x00" + (*m).instanceType }) {
		var before, after, sumBefore, sumAfter load
		nBefore, nAfter := 0, 0
		for _, m := range alike {
			if !m.launched {
				nBefore++
				sumBefore.add(m.allocatable)
				before.add(m.before)
			}
			if !m.removed {
				nAfter++
				sumAfter.add(m.allocatable)
				after.add(m.after)
			}
		}
		b, a := before.of(sumBefore), after.of(sumAfter)
		g.row(cmp.Or(alike[0].pool, "-"), alike[0].instanceType, fmt.Sprintf("%d → %d", nBefore, nAfter),
			bar(b.cpu, columns), bar(a.cpu, columns), bar(b.memory, columns), bar(a.memory, columns))
	}
	g.print(p.page)
}

func barGrid(first, second, third string) *grid {
	return newGrid(column{title: first}, column{title: second}, column{title: third, minor: true},
		column{title: "CPU"}, column{title: "→"}, column{title: "MEMORY"}, column{title: "→"})
}

// barColumns is how wide four bars can be beside three columns of these widths.
func (p *planPage) barColumns(first, second, third int) int {
	const percentWidth = 5
	rest := p.width - first - second - third - 6*gutter - 4*percentWidth
	return min(max(rest/4, 5), 10)
}

func longest(ms []*member, text func(*member) string) int {
	n := 0
	for _, m := range ms {
		n = max(n, len(text(m)))
	}
	return n
}
