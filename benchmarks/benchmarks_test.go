package benchmarks

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/provider/catalog"
	"github.com/mortise-io/mortise/solver"
)

const root = ".."

// BenchmarkPlan reports the cost in USD per hour, the gap in percent and the
// memory in use at the end beside the time.
func BenchmarkPlan(b *testing.B) {
	for _, in := range Instances(root) {
		b.Run(in.Name, func(b *testing.B) {
			s := resolved(b, in)
			var plan *v1alpha1.Plan
			for b.Loop() {
				plan = planned(b, s)
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(plan.Cost.AfterPerHour, "USD/h")
			b.ReportMetric(100*plan.Cost.Gap, "gap-%")
			b.ReportMetric(float64(memory.Sys)/(1<<20), "MiB")
		})
	}
}

// TestWorkloads plans what a user would ask first: what would this cost, on what machines?
func TestWorkloads(t *testing.T) {
	s := resolved(t, Instances(root)[0])
	plan := planned(t, s)
	require.Empty(t, verify.Plan(s, plan))
	require.Empty(t, plan.Unplaced)
	require.Len(t, plan.Placements, 278)
	require.LessOrEqual(t, plan.Cost.LowerBoundPerHour, plan.Cost.AfterPerHour)
	require.Less(t, plan.Cost.Gap, 0.05)
}

// TestInstancesAreFixed: equal calls give equal snapshots, or measurements could not be compared.
func TestInstancesAreFixed(t *testing.T) {
	for _, in := range Instances(root) {
		one, err := in.Snapshot()
		require.NoError(t, err)
		other, err := in.Snapshot()
		require.NoError(t, err)
		require.Equal(t, text(t, one), text(t, other), in.Name)
	}
}

func text(t *testing.T, s *v1alpha1.Snapshot) string {
	t.Helper()
	out, err := json.Marshal(s)
	require.NoError(t, err)
	return string(out)
}

// resolved is the instance as the command would read it from its file.
func resolved(tb testing.TB, in Instance) *v1alpha1.Snapshot {
	tb.Helper()
	s, err := in.Snapshot()
	require.NoError(tb, err)
	file, err := json.Marshal(s)
	require.NoError(tb, err)
	s, _, err = snapshot.Decode(in.Name, file, Time)
	require.NoError(tb, err)
	s, _ = snapshot.Expand(s)
	s, _, err = catalog.Resolve(s)
	require.NoError(tb, err)
	return s
}

func planned(tb testing.TB, s *v1alpha1.Snapshot) *v1alpha1.Plan {
	tb.Helper()
	plan, err := planner.Plan(tb.Context(), s, planner.Options{Engine: solver.EngineBuiltin})
	require.NoError(tb, err)
	return plan
}
