package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
)

// Groups, shapes and nodes of the cluster below.
const (
	web model.GroupIndex = iota
	db
	cache
)

const (
	large model.ShapeIndex = iota
	spotA
	spotB
)

const (
	stays = iota
	used
	idle
	dead
	stale
)

// cluster is a problem in which every rule can be broken, and a right solution:
// two pending pods of web are on a launch, with the db pod of the node that is
// taken away to save money; cache goes from the dead node to the one that stays.
func cluster() (*model.Problem, *model.Solution) {
	p := &model.Problem{
		Resources: []string{"cpu"},
		Pools:     []model.Pool{{Name: "default", Budget: [model.NumBudgets]int{2, 2, 2}, Disruption: 8_000_000, Cost: 4 * model.Dollar}},
		Groups: []model.PodGroup{
			web:   {Name: "web", Request: model.Quantities{1}, Demand: 2, Shapes: setWith(large, spotA, spotB), Origin: model.Origin{Kind: model.Pending, Pool: model.None}},
			db:    {Name: "db", Request: model.Quantities{2}, MaxPerMachine: 1, Conflicts: []model.GroupIndex{cache}, Shapes: setWith(large, spotA, spotB), Origin: model.Origin{Kind: model.Resident, Spot: true}},
			cache: {Name: "cache", Request: model.Quantities{1}, Demand: 1, Conflicts: []model.GroupIndex{db}, Shapes: setWith(large), Origin: model.Origin{Kind: model.Displaced}},
		},
		Shapes: []model.Shape{
			large: {Name: "large", Type: 0, Allocatable: model.Quantities{4}, Capacity: model.Quantities{5}, Price: model.Dollar, Startup: 7, Reservation: model.None},
			spotA: {Name: "spot-a", Type: 1, Spot: true, Allocatable: model.Quantities{4}, Capacity: model.Quantities{5}, Price: model.Dollar / 2, Reservation: model.None},
			spotB: {Name: "spot-b", Type: 2, Spot: true, Allocatable: model.Quantities{3}, Capacity: model.Quantities{5}, Price: model.Dollar / 2, Reservation: model.None},
		},
		Nodes: []model.Node{
			stays: {Name: "stays", Price: model.Dollar, Fee: 3, Free: model.Quantities{2}, Capacity: model.Quantities{5}, Voluntary: model.Stays},
			used: {
				Name: "used", Price: 2 * model.Dollar, Capacity: model.Quantities{5}, Voluntary: model.Underutilized, Spot: true,
				Pods: []model.Count{{Group: db, N: 1}}, Evict: 5, Hurdle: 11, Disruption: 2_000_000,
			},
			idle:  {Name: "idle", Price: model.Dollar, Capacity: model.Quantities{5}, Voluntary: model.Empty, Disruption: 1_000_000},
			dead:  {Name: "dead", Price: model.Dollar, Capacity: model.Quantities{5}, Voluntary: model.Stays, Goes: true},
			stale: {Name: "stale", Price: model.Dollar, Capacity: model.Quantities{5}, Voluntary: model.Stays, Drift: 1, Evict: 2},
		},
	}
	for i := range p.Groups {
		p.Groups[i].Nodes = setWith[model.NodeIndex](stays)
	}
	s := &model.Solution{
		Launches: []model.Machine{{Shape: large, Pods: []model.Count{{Group: web, N: 2}, {Group: db, N: 1}}}},
		Nodes: []model.Fate{
			stays: {Removal: model.Stays, Pods: []model.Count{{Group: cache, N: 1}}},
			used:  {Removal: model.Underutilized},
			idle:  {Removal: model.Empty},
			dead:  {Removal: model.Forced},
			stale: {Removal: model.Stays},
		},
		Unplaced: make([]int, 3),
	}
	return p, s
}

func setWith[I ~int](members ...I) model.Set[I] {
	var s model.Set[I]
	for _, i := range members {
		s.Add(i)
	}
	return s
}

func TestCheck(t *testing.T) {
	t.Parallel()
	type edit = func(p *model.Problem, s *model.Solution)
	launch := func(shape model.ShapeIndex, pods ...model.Count) edit {
		return func(_ *model.Problem, s *model.Solution) {
			s.Launches = append(s.Launches, model.Machine{Shape: shape, Pods: pods})
		}
	}
	waits := func(g model.GroupIndex, n int) edit {
		return func(_ *model.Problem, s *model.Solution) { s.Unplaced[g] = n }
	}
	fate := func(node int, removal model.Removal) edit {
		return func(_ *model.Problem, s *model.Solution) { s.Nodes[node].Removal = removal }
	}
	holds := func(pods ...model.Count) edit {
		return func(_ *model.Problem, s *model.Solution) { s.Launches[0].Pods = pods }
	}
	onSpot := func(_ *model.Problem, s *model.Solution) { s.Launches[0].Shape = spotA }
	asks := func(p *model.Problem, _ *model.Solution) { p.Rules.SpotFlexibility = 2 }
	limit := func(measure model.Measure, most int64) edit {
		return func(p *model.Problem, _ *model.Solution) {
			p.Limits = []model.Limit{{Pool: model.None, Measure: measure, Max: most}}
		}
	}
	for _, test := range []struct {
		name  string
		edits []edit
		want  []string // rules, in the order they are found
	}{
		{"a right solution breaks nothing", nil, nil},
		{"a launch carries pods", []edit{launch(large)}, []string{"Launch"}},
		{"a launch has room for its pods", []edit{func(p *model.Problem, _ *model.Solution) { p.Shapes[large].Allocatable[0] = 3 }}, []string{"Room"}},
		{"so has a node", []edit{func(p *model.Problem, _ *model.Solution) { p.Nodes[stays].Free[0] = 0 }}, []string{"Room"}},
		{"what asks for nothing needs no room", []edit{func(p *model.Problem, _ *model.Solution) { p.Nodes[stays].Free[0], p.Groups[cache].Request[0] = 0, 0 }}, nil},
		{"counts ascend by group", []edit{holds(model.Count{Group: db, N: 1}, model.Count{Group: web, N: 2})}, []string{"Form"}},
		{"and are positive", []edit{holds(model.Count{Group: web, N: 2}, model.Count{Group: db, N: 1}, model.Count{Group: cache, N: 0})}, []string{"Conflict", "Form"}},
		{"a launch takes the groups it holds", []edit{func(p *model.Problem, _ *model.Solution) { p.Groups[web].Shapes.Remove(large) }}, []string{"Placement"}},
		{"so does a node", []edit{func(p *model.Problem, _ *model.Solution) { p.Groups[cache].Nodes.Remove(stays) }}, []string{"Placement"}},
		{"no more pods share a machine than may", []edit{func(p *model.Problem, _ *model.Solution) { p.Groups[web].MaxPerMachine = 1 }}, []string{"MaxPerMachine"}},
		{"nor those that conflict", []edit{func(p *model.Problem, _ *model.Solution) { p.Groups[web].Conflicts = []model.GroupIndex{db} }}, []string{"Conflict"}},
		{"a node that goes receives nothing", []edit{fate(stays, model.Underutilized), fate(idle, model.Stays), func(p *model.Problem, _ *model.Solution) { p.Nodes[stays].Voluntary = model.Underutilized }}, []string{"Fate"}},
		{"a dead node goes", []edit{fate(dead, model.Stays)}, []string{"Fate"}},
		{"by no choice of ours", []edit{fate(dead, model.Empty), fate(idle, model.Stays)}, []string{"Fate"}},
		{"no other goes by force", []edit{fate(stale, model.Forced)}, []string{"Fate"}},
		{"a node goes for the reason it may", []edit{fate(idle, model.Underutilized)}, []string{"Fate"}},
		{"as drifted only if it has drifted", []edit{fate(idle, model.Drifted)}, []string{"Fate"}},
		{"a drifted node may go", []edit{fate(stale, model.Drifted), fate(idle, model.Stays)}, nil},
		{"every demanded pod has a place", []edit{holds(model.Count{Group: web, N: 1}, model.Count{Group: db, N: 1})}, []string{"Demand"}},
		{"or waits", []edit{holds(model.Count{Group: web, N: 1}, model.Count{Group: db, N: 1}), waits(web, 1)}, nil},
		{"not both", []edit{waits(web, 1)}, []string{"Demand"}},
		{"no more wait than there are", []edit{waits(cache, 2)}, []string{"Demand", "Demand"}},
		{"pods of a removed node have a place", []edit{holds(model.Count{Group: web, N: 2})}, []string{"Demand"}},
		{"pods of a node that stays need none", []edit{fate(used, model.Stays)}, []string{"Demand"}},
		{"budgets hold for each reason", []edit{func(p *model.Problem, _ *model.Solution) { p.Pools[0].Budget[model.Empty] = 0 }}, []string{"Budget"}},
		{"the wider covers what the tighter let go", []edit{func(p *model.Problem, _ *model.Solution) { p.Pools[0].Budget = [model.NumBudgets]int{1, 1, 1} }}, []string{"Budget"}},
		{"a budget that nothing draws on may be none", []edit{func(p *model.Problem, _ *model.Solution) { p.Pools[0].Budget[model.Drifted] = 0 }}, nil},
		{"a limit counts what stays and what is launched", []edit{limit(0, 14)}, []string{"Limit"}},
		{"and may be met", []edit{limit(0, 15)}, nil},
		{"one of nodes counts them", []edit{limit(model.Machines, 2)}, []string{"Limit"}},
		{"one of money adds prices", []edit{limit(model.Spending, int64(3*model.Dollar)-1)}, []string{"Limit"}},
		{"it binds only who launches", []edit{limit(model.Machines, 0), func(_ *model.Problem, s *model.Solution) {
			s.Launches, s.Unplaced[web], s.Nodes[used].Removal = nil, 2, model.Stays
		}}, nil},
		{"one of another pool does not bind", []edit{func(p *model.Problem, _ *model.Solution) {
			p.Pools = append(p.Pools, model.Pool{Name: "other"})
			p.Limits = []model.Limit{{Pool: 1, Measure: model.Machines}}
		}}, nil},
		{"a reservation holds so many machines", []edit{func(p *model.Problem, _ *model.Solution) {
			p.Reservations, p.Shapes[large].Reservation = []model.Reservation{{Name: "cr"}}, 0
		}}, []string{"Reservation"}},
		{"who buys for pending pods removes nothing, if asked", []edit{func(p *model.Problem, _ *model.Solution) { p.Rules.PendingApart = true }}, []string{"PendingApart"}},
		{"drift is no choice", []edit{
			func(p *model.Problem, _ *model.Solution) { p.Rules.PendingApart = true }, fate(stale, model.Drifted), fate(idle, model.Stays), fate(used, model.Stays),
			holds(model.Count{Group: web, N: 2}),
		}, nil},
		{"a balanced pool saves what its disruption is worth", []edit{func(p *model.Problem, _ *model.Solution) { p.Pools[0].Balanced = true }}, nil},
		{"and no less", []edit{func(p *model.Problem, _ *model.Solution) {
			p.Pools[0].Balanced, p.Pools[0].Cost = true, 10*model.Dollar
		}}, []string{"Balanced"}},
		{"empty nodes are exempt", []edit{func(p *model.Problem, _ *model.Solution) {
			p.Pools[0].Balanced, p.Nodes[idle].Disruption = true, 1_000_000_000
		}}, nil},
		{"two types would do for a spot node's pods", []edit{onSpot, asks, func(p *model.Problem, _ *model.Solution) { p.Shapes[spotB].Allocatable[0] = 4 }}, nil},
		{"one that is too small does not count", []edit{onSpot, asks}, []string{"SpotFlexibility"}},
		{"nor one that does not take them", []edit{onSpot, asks, func(p *model.Problem, _ *model.Solution) {
			p.Shapes[spotB].Allocatable[0] = 4
			p.Groups[db].Shapes.Remove(spotB)
		}}, []string{"SpotFlexibility"}},
		{"on-demand launches need no others", []edit{asks}, nil},
		{"no market has more than its share", []edit{onSpot, launch(spotA, model.Count{Group: web, N: 1}), func(p *model.Problem, _ *model.Solution) {
			p.Rules.SpotDiversity = 500_000
			p.Groups[web].Demand = 3
		}}, []string{"SpotDiversity", "SpotDiversity"}},
		{"one node may always be", []edit{onSpot, func(p *model.Problem, _ *model.Solution) { p.Rules.SpotDiversity = 1 }}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, s := cluster()
			for _, e := range test.edits {
				e(p, s)
			}
			var got []string
			for _, v := range model.Check(p, s) {
				got = append(got, v.Rule)
			}
			require.ElementsMatch(t, test.want, got, "%v", model.Check(p, s))
		})
	}
}
