package snapshot

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// deal is a solution with names: which pod goes to which machine.
//
// A solution only counts a group's pods; they are dealt to machines by name.
// Pods of nodes that are taken away by choice come first, for they must get a
// place; then those of nodes that go anyway; then pending pods. So whoever is
// left waiting is demanded, and among the pending of a group it is the last by name.
type deal struct {
	c        *Compiled
	s        *model.Solution
	launches []*launch
	homes    map[*groupPod]home
	waiting  [][]*groupPod // by model.GroupIndex, those left without a place
	bars     map[shapeQuestion]exclusion
}

// home is where a pod goes: to a machine that is there, or to a launch.
type home struct {
	on     *machine
	launch *launch
}

// launch is a machine to buy and the pods dealt to it.
type launch struct {
	id     string
	shape  model.ShapeIndex
	counts []model.Count
	pods   []*groupPod // by key
}

// urgency orders the pods of a group by how badly they need a place.
type urgency int

const (
	urgentResident  urgency = iota // its node is taken away by choice
	urgentDisplaced                // its node goes whatever is decided
	urgentPending                  // it has no node
	notUrgent                      // its node stays, and it needs no place
)

// dealPods gives the solution's counts names. The order of the solution's
// launches does not matter.
func dealPods(c *Compiled, s *model.Solution) *deal {
	d := &deal{
		c:        c,
		s:        s,
		launches: launchesByContent(c, s),
		homes:    map[*groupPod]home{},
		waiting:  make([][]*groupPod, len(c.groups)),
		bars:     map[shapeQuestion]exclusion{},
	}
	seats := d.seats()
	for g := range c.groups {
		d.waiting[g] = d.fill(seats[g], d.demanded(model.GroupIndex(g)))
	}
	d.nameLaunches()
	return d
}

// seat is room for n pods of one group.
type seat struct {
	home home
	n    int
}

// seats lists the room for each group: nodes by name, then launches.
func (d *deal) seats() [][]seat {
	seats := make([][]seat, len(d.c.groups))
	add := func(h home, counts []model.Count) {
		for _, k := range counts {
			seats[k.Group] = append(seats[k.Group], seat{h, k.N})
		}
	}
	for _, m := range d.c.byName() {
		if !d.goes(m) {
			add(home{on: m}, d.s.Nodes[m.index].Pods)
		}
	}
	for _, l := range d.launches {
		add(home{launch: l}, l.counts)
	}
	return seats
}

// fill puts pods into the seats in order and returns those that are left over.
func (d *deal) fill(seats []seat, pods []*groupPod) []*groupPod {
	for _, s := range seats {
		n := min(s.n, len(pods))
		for _, p := range pods[:n] {
			d.homes[p] = s.home
			if s.home.launch != nil {
				s.home.launch.pods = append(s.home.launch.pods, p)
			}
		}
		pods = pods[n:]
	}
	return pods
}

// demanded lists the group's pods that need a place, the most urgent first, each kind by name.
func (d *deal) demanded(g model.GroupIndex) []*groupPod {
	var pods []*groupPod
	for _, p := range d.c.groups[g].pods {
		if d.urgency(p) != notUrgent {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, func(a, b *groupPod) int {
		return cmp.Or(cmp.Compare(d.urgency(a), d.urgency(b)), comparePods(a, b))
	})
	return pods
}

func (d *deal) urgency(p *groupPod) urgency {
	switch {
	case p.on == nil:
		return urgentPending
	case !d.goes(p.on):
		return notUrgent
	case d.fate(p.on).Removal == model.Forced:
		return urgentDisplaced
	default:
		return urgentResident
	}
}

func (d *deal) fate(m *machine) *model.Fate { return &d.s.Nodes[m.index] }

func (d *deal) goes(m *machine) bool { return d.fate(m).Gone() }

// destination names the pod's home in a plan; false if it has none.
func (d *deal) destination(p *groupPod) (v1alpha1.Destination, bool) {
	h, ok := d.homes[p]
	switch {
	case !ok:
		return v1alpha1.Destination{}, false
	case h.launch != nil:
		return v1alpha1.Destination{Pod: p.key(), Launch: h.launch.id}, true
	default:
		return h.on.destination(p.key()), true
	}
}

// destination sends the pod to the machine: by its node's name, or its claim's if it has no node yet.
func (m *machine) destination(pod string) v1alpha1.Destination {
	if m.node == nil {
		return v1alpha1.Destination{Pod: pod, NodeClaim: m.claim.Name}
	}
	return v1alpha1.Destination{Pod: pod, Node: m.node.Name}
}

// launchesByContent lists the solution's launches by pool, offering and
// content. Those that are equal in all of it can be swapped for each other.
func launchesByContent(c *Compiled, s *model.Solution) []*launch {
	launches := make([]*launch, len(s.Launches))
	for i := range s.Launches {
		launches[i] = &launch{shape: s.Launches[i].Shape, counts: s.Launches[i].Pods}
	}
	slices.SortFunc(launches, func(a, b *launch) int {
		return cmp.Or(c.compareShapes(a.shape, b.shape), slices.CompareFunc(a.counts, b.counts, compareCounts))
	})
	return launches
}

// nameLaunches numbers the launches by pool, type, zone, capacity type and pods.
func (d *deal) nameLaunches() {
	for _, l := range d.launches {
		slices.SortFunc(l.pods, comparePods)
	}
	slices.SortStableFunc(d.launches, func(a, b *launch) int {
		return cmp.Or(d.c.compareShapes(a.shape, b.shape), slices.CompareFunc(a.pods, b.pods, comparePods))
	})
	for i, l := range d.launches {
		l.id = "launch-" + strconv.Itoa(i+1)
	}
}

// poolName is the name of a node pool; empty for none.
func (c *Compiled) poolName(p *pool) string {
	if p == nil {
		return ""
	}
	return c.Problem.Pools[p.index].Name
}
