package cpsat

import (
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// machine is a node or a launch, and the pods that are put on it.
type machine struct {
	present sat.Bool // it is kept, or launched
	counts  []count  // ascending by group
}

// count is how many pods of a group are put on a machine.
type count struct {
	group model.GroupIndex
	n     sat.Int
	most  int64
}

// newMachine takes the allowed groups, as many pods as there is room for.
func (x *program) newMachine(present sat.Bool, room model.Quantities, allowed func(model.GroupIndex) bool) machine {
	m := machine{present: present}
	for g := range x.p.Groups {
		if most := x.most(model.GroupIndex(g), room); most > 0 && allowed(model.GroupIndex(g)) {
			n := x.m.NewInt(0, most)
			m.counts = append(m.counts, count{model.GroupIndex(g), n, most})
			x.m.AddLinear((&sat.Linear{}).Add(1, n).AddBool(-most, present), sat.Lowest, 0)
		}
	}
	for r := range x.p.Resources {
		x.m.AddLinear(x.load(&m, r).AddBool(-max(0, room[r]), present), sat.Lowest, 0)
	}
	x.addConflicts(&m)
	return m
}

// most is how many pods of the group a machine with the room can take.
func (x *program) most(g model.GroupIndex, room model.Quantities) int64 {
	group := &x.p.Groups[g]
	most := x.need[g]
	if group.MaxPerMachine > 0 {
		most = min(most, int64(group.MaxPerMachine))
	}
	for r, q := range group.Request {
		if q > 0 {
			most = min(most, max(0, room[r])/q)
		}
	}
	return most
}

// load is what the machine's pods ask of a resource.
func (x *program) load(m *machine, resource int) *sat.Linear {
	sum := &sat.Linear{}
	for _, c := range m.counts {
		sum.Add(x.p.Groups[c.group].Request[resource], c.n)
	}
	return sum
}

// addConflicts keeps groups apart that may not share a machine.
func (x *program) addConflicts(m *machine) {
	has := map[model.GroupIndex]sat.Bool{} // only looked up
	carries := func(g model.GroupIndex) sat.Bool {
		if _, ok := has[g]; !ok {
			has[g] = x.carries(m, func(other model.GroupIndex) bool { return other == g })
		}
		return has[g]
	}
	for _, c := range m.counts {
		for _, other := range x.p.Groups[c.group].Conflicts {
			if other > c.group && m.find(other) != nil {
				x.m.AddAtMostOne(carries(c.group), carries(other))
			}
		}
	}
}

// carries is a literal that holds wherever the machine has pods of such groups.
func (x *program) carries(m *machine, which func(model.GroupIndex) bool) sat.Bool {
	one := x.m.NewBool()
	for _, c := range m.counts {
		if which(c.group) {
			x.m.AddLinear((&sat.Linear{}).Add(1, c.n).AddBool(-c.most, one), sat.Lowest, 0)
		}
	}
	return one
}

// takes says whether any such group can be on the machine.
func (m *machine) takes(which func(model.GroupIndex) bool) bool {
	for _, c := range m.counts {
		if which(c.group) {
			return true
		}
	}
	return false
}

func (m *machine) find(g model.GroupIndex) *count {
	for k := range m.counts {
		if m.counts[k].group == g {
			return &m.counts[k]
		}
	}
	return nil
}

// addTo adds the machine's pods of the group to a sum.
func (m *machine) addTo(sum *sat.Linear, times int64, g model.GroupIndex) {
	if c := m.find(g); c != nil {
		sum.Add(times, c.n)
	}
}

// pods is how many pods are on the machine.
func (m *machine) pods() *sat.Linear {
	sum := &sat.Linear{}
	for _, c := range m.counts {
		sum.Add(1, c.n)
	}
	return sum
}

func (m *machine) mostPods() int64 {
	n := int64(0)
	for _, c := range m.counts {
		n += c.most
	}
	return n
}
