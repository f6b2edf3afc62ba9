package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/solver"
)

// TestPlannerAndVerifyAgree: two readings of the same rules, which share no
// code, come to the same on random clusters.
func TestPlannerAndVerifyAgree(t *testing.T) {
	t.Parallel()
	launches, removals := 0, 0
	seeds := []uint64{1980, 2337, 2771, 8666} // launches seeded by a relaxation, with too few types for spot
	for seed := range uint64(300) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		c := randomCluster(seed)
		p := solve(t, c.Snapshot)
		launches, removals = launches+len(p.Launches), removals+len(p.Removals)
		for _, v := range verify.Plan(c.Snapshot, p) {
			t.Errorf("seed %d: %s", seed, v)
		}
	}
	require.Greater(t, launches, 50, "too few plans launch anything")
	require.Greater(t, removals, 100, "too few plans remove anything")
}

// solve plans with little work, and states its cost as its bound.
func solve(t *testing.T, s *v1alpha1.Snapshot) *v1alpha1.Plan {
	compiled, err := snapshot.Compile(s, snapshot.Options{})
	require.NoError(t, err)
	result, err := solver.Solve(t.Context(), &compiled.Problem, solver.Options{WorkLimit: 1_000_000})
	require.NoError(t, err)
	require.Empty(t, model.Check(&compiled.Problem, &result.Solution))
	p := snapshot.Assemble(compiled, &result.Solution)
	p.Outcome = v1alpha1.Feasible
	p.Cost.Objective.LowerBound, p.Cost.LowerBoundPerHour = p.Cost.Objective.Total, p.Cost.AfterPerHour
	for i := range p.Kept {
		if p.Kept[i].Reason == "" {
			p.Kept[i].Reason = v1alpha1.KeptOptimal
		}
	}
	return p
}
