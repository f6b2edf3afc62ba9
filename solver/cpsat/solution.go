package cpsat

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// solution reads what the response says.
func (x *program) solution(answer *sat.Response) model.Solution {
	s := model.Solution{Nodes: make([]model.Fate, len(x.p.Nodes)), Unplaced: make([]int, len(x.p.Groups))}
	for i := range x.nodes {
		s.Nodes[i] = x.fate(model.NodeIndex(i), answer)
	}
	for i := range x.slots {
		if answer.Holds(x.slots[i].present) {
			s.Launches = append(s.Launches, model.Machine{Shape: x.slots[i].shape, Pods: x.slots[i].content(answer)})
		}
	}
	for g := range x.waiting {
		s.Unplaced[g] = int(answer.Value(x.waiting[g]))
	}
	return s
}

func (x *program) fate(i model.NodeIndex, answer *sat.Response) model.Fate {
	if x.p.Nodes[i].Goes {
		return model.Fate{Removal: model.Forced}
	}
	for _, r := range x.nodes[i].removals {
		if answer.Holds(r.chosen) {
			return model.Fate{Removal: r.reason}
		}
	}
	return model.Fate{Removal: model.Stays, Pods: x.nodes[i].content(answer)}
}

func (m *machine) content(answer *sat.Response) []model.Count {
	var out []model.Count
	for _, c := range m.counts {
		if n := answer.Value(c.n); n > 0 {
			out = append(out, model.Count{Group: c.group, N: int(n)})
		}
	}
	return out
}

// hint suggests a solution. Launches without a slot are left out.
func (x *program) hint(s *model.Solution) {
	x.m.ClearHints()
	for i := range x.nodes {
		if x.p.Nodes[i].Goes {
			continue
		}
		f := &s.Nodes[i]
		for _, r := range x.nodes[i].removals {
			x.m.HintBool(r.chosen, f.Removal == r.reason)
		}
		x.hintMachine(&x.nodes[i].machine, !f.Gone(), f.Pods)
	}
	launches := slices.Clone(s.Launches)
	slices.SortStableFunc(launches, func(a, b model.Machine) int { return cmp.Compare(podsOn(b.Pods), podsOn(a.Pods)) })
	for i := range x.slots {
		k := slices.IndexFunc(launches, func(m model.Machine) bool { return m.Shape == x.slots[i].shape })
		if k < 0 {
			x.hintMachine(&x.slots[i].machine, false, nil)
			continue
		}
		x.hintMachine(&x.slots[i].machine, true, launches[k].Pods)
		launches = slices.Delete(launches, k, k+1)
	}
	for g := range x.waiting {
		x.m.Hint(x.waiting[g], int64(s.Unplaced[g]))
	}
}

func (x *program) hintMachine(m *machine, present bool, pods []model.Count) {
	x.m.HintBool(m.present, present)
	for _, c := range m.counts {
		n := 0
		for _, p := range pods {
			if p.Group == c.group {
				n = p.N
			}
		}
		x.m.Hint(c.n, int64(n))
	}
}

func podsOn(pods []model.Count) int {
	n := 0
	for _, c := range pods {
		n += c.N
	}
	return n
}
