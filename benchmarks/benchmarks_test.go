package benchmarks

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/solver"
)

const root = ".."

// TestWorkloads plans what a user would ask first: what would this cost, on what machines?
func TestWorkloads(t *testing.T) {
	in := named(t, "govuk")
	s, err := in.Resolved()
	require.NoError(t, err)
	plan, err := planner.Plan(t.Context(), s, planner.Options{Engine: solver.EngineBuiltin})
	require.NoError(t, err)
	require.Empty(t, verify.Plan(s, plan))
	require.Empty(t, plan.Unplaced)
	require.Len(t, plan.Placements, 278)
	require.LessOrEqual(t, plan.Cost.LowerBoundPerHour, plan.Cost.AfterPerHour)
	require.Less(t, plan.Cost.Gap, 0.05)
}

// TestInstancesAreFixed: equal calls give equal snapshots, or measurements could not be compared.
func TestInstancesAreFixed(t *testing.T) {
	for name, fresh := range map[string]snapshotFunc{
		"govuk":     func() (*v1alpha1.Snapshot, error) { return govuk(root, 2, true) },
		"groups":    func() (*v1alpha1.Snapshot, error) { return groups(50, 1000) },
		"half full": func() (*v1alpha1.Snapshot, error) { return halfEmpty(20) },
		"worn":      func() (*v1alpha1.Snapshot, error) { return worn(20) },
	} {
		one, err := fresh()
		require.NoError(t, err)
		other, err := fresh()
		require.NoError(t, err)
		require.Equal(t, text(t, one), text(t, other), name)
	}
}

func text(t *testing.T, s *v1alpha1.Snapshot) string {
	t.Helper()
	out, err := json.Marshal(s)
	require.NoError(t, err)
	return string(out)
}

// TestDeploymentsAreGroups: every Deployment is a pod group of its own, and no pod is lost.
func TestDeploymentsAreGroups(t *testing.T) {
	for _, count := range []int{30, 100, 200} {
		in := Instance{Name: "groups", Snapshot: func() (*v1alpha1.Snapshot, error) { return groups(count, 10_000) }}
		p := compiled(t, &in)
		require.Len(t, p.Groups, count)
		pods := 0
		for g := range p.Groups {
			pods += p.Groups[g].Demand
		}
		require.Equal(t, 10_000, pods)
	}
}

// TestWornNodesAreAsSaid: about 40 % of what was full is free, budgets bind, and one PodDisruptionBudget keeps nodes.
func TestWornNodesAreAsSaid(t *testing.T) {
	in := Instance{Name: "worn", Snapshot: func() (*v1alpha1.Snapshot, error) { return worn(200) }}
	p := compiled(t, &in)
	require.Len(t, p.Nodes, 200)
	movable, used, allocatable := 0, int64(0), int64(0)
	cpu := slices.Index(p.Resources, "cpu")
	for i := range p.Nodes {
		if p.Nodes[i].Voluntary.Voluntary() {
			movable++
		}
		allocatable += p.Nodes[i].Capacity[cpu]
		used += p.Nodes[i].Capacity[cpu] - p.Nodes[i].Free[cpu]
	}
	require.Less(t, movable, 200)
	require.Greater(t, movable, 120)
	require.InDelta(t, 0.5, float64(used)/float64(allocatable), 0.15)
	for k, pool := range p.Pools {
		require.Equal(t, 4*(k+1), pool.Budget[1], pool.Name)
	}
}

func named(t *testing.T, name string) *Instance {
	t.Helper()
	out, err := Named(root, []string{name})
	require.NoError(t, err)
	return &out[0]
}

// compiled is the problem that the instance poses.
func compiled(t *testing.T, in *Instance) *model.Problem {
	t.Helper()
	s, err := in.Resolved()
	require.NoError(t, err)
	c, err := snapshot.Compile(s, snapshot.Options{})
	require.NoError(t, err)
	return &c.Problem
}
