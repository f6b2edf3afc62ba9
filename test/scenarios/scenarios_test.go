// Package scenarios_test plans small clusters of which it is known what the
// best plan is. testdata/scenarios says them in a few words each; here they are
// expanded into API objects, planned, verified, and carried out step by step.
package scenarios_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/planner"
)

const casesFolder = "../../testdata/scenarios"

func TestScenarios(t *testing.T) {
	for name, s := range load(t, casesFolder) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := s.cluster
			steps := append([]step{{Expect: s.Expect}}, s.Then...)
			for i := range steps {
				c.change(&steps[i])
				plan := makePlan(t, c.snapshot(), s.Potential)
				for _, fault := range steps[i].Expect.faults(&c, plan) {
					t.Errorf("%s, step %d: %s", s.Title, i+1, fault)
				}
				if t.Failed() {
					return // later steps stand on this plan
				}
				c.apply(plan, i+1)
			}
		})
	}
}

// TestInputOrder shuffles what a snapshot lists, which must change nothing.
func TestInputOrder(t *testing.T) {
	for name, s := range load(t, casesFolder) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := makePlan(t, s.snapshot(), s.Potential)
			shuffled := s.snapshot()
			r := rand.New(rand.NewPCG(1, 2))
			r.Shuffle(len(shuffled.Objects), func(i, j int) { shuffled.Objects[i], shuffled.Objects[j] = shuffled.Objects[j], shuffled.Objects[i] })
			slices.Reverse(shuffled.InstanceTypes)
			require.Equal(t, decisions(want), decisions(makePlan(t, shuffled, s.Potential)))
		})
	}
}

// makePlan plans s and asks verify for its doubts.
func makePlan(t *testing.T, s *v1alpha1.Snapshot, potential bool) *v1alpha1.Plan {
	t.Helper()
	s = reread(t, s)
	plan, err := planner.Plan(t.Context(), s, planner.Options{Engine: planner.EngineBuiltin, Potential: potential})
	require.NoError(t, err)
	for _, v := range verify.Plan(s, plan) {
		t.Errorf("the plan breaks a rule: %v", v)
	}
	require.False(t, t.Failed())
	return plan
}

// reread takes s through its file.
func reread(t *testing.T, s *v1alpha1.Snapshot) *v1alpha1.Snapshot {
	t.Helper()
	file, err := json.Marshal(s)
	require.NoError(t, err)
	out, _, err := snapshot.Decode("scenario", file, s.Time.Time)
	require.NoError(t, err)
	return out
}

// decisions are what a plan says to do, without its name and its clock.
func decisions(p *v1alpha1.Plan) v1alpha1.Plan {
	out := *p
	out.Metadata, out.SnapshotHash, out.Solver.Seconds = v1alpha1.PlanMetadata{}, "", 0
	return out
}
