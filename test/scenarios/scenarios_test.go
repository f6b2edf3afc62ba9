// Package scenarios_test plans small clusters of which it is known what the
// best plan is. testdata/scenarios says them in a few words each; here they are
// expanded into API objects, planned, verified, and carried out step by step.
package scenarios_test

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/solver"
)

const casesFolder = "../../testdata/scenarios"

// snapshots is a folder for what the scenarios look like to the command: mortise plan -f FOLDER/NAME.json.
var snapshots = flag.String("snapshots", "", "folder to write each scenario's first snapshot to")

func TestScenarios(t *testing.T) {
	for name, s := range load(t, casesFolder) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := s.cluster
			save(t, name, c.snapshot())
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

// makePlan plans s by the built-in engine and asks verify for its doubts.
func makePlan(t *testing.T, s *v1alpha1.Snapshot, potential bool) *v1alpha1.Plan {
	t.Helper()
	return planBy(t, solver.EngineBuiltin, s, potential)
}

// planBy plans s by the engine and asks verify for its doubts.
func planBy(t *testing.T, engine string, s *v1alpha1.Snapshot, potential bool) *v1alpha1.Plan {
	t.Helper()
	s = reread(t, s)
	plan, err := planner.Plan(t.Context(), s, planner.Options{Engine: engine, Potential: potential})
	require.NoError(t, err)
	for _, v := range verify.Plan(s, plan) {
		t.Errorf("the plan breaks a rule: %v", v)
	}
	require.False(t, t.Failed())
	return plan
}

// save writes the snapshot where the flag says.
func save(t *testing.T, name string, s *v1alpha1.Snapshot) {
	t.Helper()
	if *snapshots == "" {
		return
	}
	file, err := json.MarshalIndent(s, "", "  ")
	require.NoError(t, err)
	path := filepath.Join(*snapshots, name+".json")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, file, 0o600))
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
