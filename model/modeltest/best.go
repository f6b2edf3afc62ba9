package modeltest

import (
	"slices"

	"github.com/mortise-io/mortise/model"
)

// Best is a best solution of a small problem, found by trying everything and
// asking model.Check and model.ScoreOf. It returns false if that takes more
// than the given number of tries.
func Best(p *model.Problem, tries int) (model.Solution, model.Score, bool) {
	b := &exhaustion{p: p, left: tries}
	b.s = model.Solution{Nodes: make([]model.Fate, len(p.Nodes)), Unplaced: make([]int, len(p.Groups))}
	b.fate(0)
	return b.best, b.score, b.left > 0 && b.found
}

type exhaustion struct {
	p     *model.Problem
	s     model.Solution
	todo  []model.GroupIndex // one entry a pod
	left  int
	found bool
	best  model.Solution
	score model.Score
}

// fate tries every fate of the nodes from i on.
func (b *exhaustion) fate(i int) {
	if b.left <= 0 {
		return
	}
	if i == len(b.p.Nodes) {
		b.start()
		return
	}
	n := &b.p.Nodes[i]
	options := []model.Removal{model.Stays}
	if n.Goes {
		options = []model.Removal{model.Forced}
	} else {
		if n.Voluntary.Voluntary() {
			options = append(options, n.Voluntary)
		}
		if n.Drift > 0 {
			options = append(options, model.Drifted)
		}
	}
	for _, o := range options {
		b.s.Nodes[i] = model.Fate{Removal: o}
		b.fate(i + 1)
	}
	b.s.Nodes[i] = model.Fate{Removal: model.Stays}
}

// start lists the pods that need a place, group by group.
func (b *exhaustion) start() {
	b.todo = b.todo[:0]
	for g := range b.p.Groups {
		n := b.p.Groups[g].Demand
		for i := range b.p.Nodes {
			if b.s.Nodes[i].Removal != model.Stays && !b.p.Nodes[i].Goes {
				for _, c := range b.p.Nodes[i].Pods {
					if int(c.Group) == g {
						n += c.N
					}
				}
			}
		}
		for range n {
			b.todo = append(b.todo, model.GroupIndex(g))
		}
	}
	b.place(0, 0)
}

// place tries every place for the pods from k on. Pods of one group are alike,
// so each goes to the same or a later place than the one before it.
func (b *exhaustion) place(k, from int) {
	if b.left--; b.left <= 0 {
		return
	}
	if k == len(b.todo) {
		b.judge()
		return
	}
	g := b.todo[k]
	if k == 0 || b.todo[k-1] != g {
		from = 0
	}
	places := len(b.p.Nodes) + len(b.s.Launches)
	for at := from; at < places; at++ {
		pods := b.at(at)
		old := *pods
		*pods = plus(old, g)
		b.place(k+1, at)
		*b.at(at) = old
	}
	for s := range b.p.Shapes {
		if b.p.Groups[g].Shapes.Has(model.ShapeIndex(s)) {
			b.s.Launches = append(b.s.Launches, model.Machine{Shape: model.ShapeIndex(s), Pods: []model.Count{{Group: g, N: 1}}})
			b.place(k+1, places)
			b.s.Launches = b.s.Launches[:len(b.s.Launches)-1]
		}
	}
	if b.s.Unplaced[g] < b.p.Groups[g].Demand {
		b.s.Unplaced[g]++
		b.place(k+1, places)
		b.s.Unplaced[g]--
	}
}

func (b *exhaustion) at(i int) *[]model.Count {
	if i < len(b.p.Nodes) {
		return &b.s.Nodes[i].Pods
	}
	return &b.s.Launches[i-len(b.p.Nodes)].Pods
}

func plus(pods []model.Count, g model.GroupIndex) []model.Count {
	out := slices.Clone(pods)
	for i := range out {
		if out[i].Group == g {
			out[i].N++
			return out
		}
	}
	return append(out, model.Count{Group: g, N: 1})
}

func (b *exhaustion) judge() {
	if len(model.Check(b.p, &b.s)) > 0 {
		return
	}
	score := model.ScoreOf(b.p, &b.s)
	if b.found && score.Compare(b.score) >= 0 {
		return
	}
	b.found, b.score = true, score
	b.best = model.Solution{Nodes: slices.Clone(b.s.Nodes), Unplaced: slices.Clone(b.s.Unplaced)}
	for _, m := range b.s.Launches {
		b.best.Launches = append(b.best.Launches, model.Machine{Shape: m.Shape, Pods: slices.Clone(m.Pods)})
	}
}
