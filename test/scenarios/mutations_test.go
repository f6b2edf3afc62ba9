package scenarios_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/solver"
)

// FuzzMutated plans scenarios in which some values are missing, absurd, or
// belong elsewhere. Whatever can be read has a plan that breaks no rule, found
// at the first try, with figures that are numbers.
func FuzzMutated(f *testing.F) {
	all := load(f, casesFolder)
	names := slices.Sorted(maps.Keys(all))
	trees := make([]any, len(names))
	for i, name := range names {
		trees[i] = treeOf(f, all[name].snapshot())
	}
	for seed := range uint64(1000) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		at := r.IntN(len(trees))
		m := mutator{Rand: r, donor: branches(trees[r.IntN(len(trees))])}
		file := m.mutate(trees[at])
		requireSoundPlan(t, names[at], file)
	})
}

// requireSoundPlan asks for a plan of a file, if it is a snapshot at all.
func requireSoundPlan(t *testing.T, name string, file []byte) {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s: %s", name, file)
		}
	})
	s, _, err := snapshot.Decode(name, file, tuesdayMorning.Time)
	if err != nil {
		require.NotContains(t, err.Error(), "\n", "an error is one line")
		return
	}
	s.Policy.WorkLimit, s.Policy.TimeLimit = ptr.To[uint64](20_000_000), duration(time.Minute)
	plan, err := planner.Plan(t.Context(), s, planner.Options{Engine: solver.EngineBuiltin, Potential: true})
	require.NoError(t, err)
	require.NotEqual(t, v1alpha1.Fallback, plan.Outcome, "%v", plan.Warnings)
	require.Empty(t, verify.Plan(s, plan))
	for _, usd := range []float64{
		plan.Cost.BeforePerHour, plan.Cost.AfterPerHour, plan.Cost.Objective.Prices, plan.Cost.Objective.Fees, plan.Cost.Objective.Moves,
		plan.Cost.Objective.Penalties, plan.Cost.Objective.Total, plan.Cost.Gap, plan.Potential.AfterPerHour,
	} {
		require.False(t, usd < 0 || math.IsNaN(usd) || math.IsInf(usd, 0), "%g in %+v", usd, plan.Cost)
	}
	_, err = json.Marshal(plan)
	require.NoError(t, err)
	explainAll(t, s)
	snapshot.Anonymize(s)
}

// explainAll explains every node and pod.
func explainAll(t *testing.T, s *v1alpha1.Snapshot) {
	t.Helper()
	c, err := snapshot.Compile(s, snapshot.Options{})
	require.NoError(t, err)
	for i := range c.Problem.Nodes {
		e, err := snapshot.ExplainNode(c, c.Problem.Nodes[i].Name)
		require.NoError(t, err)
		for _, pod := range e.Movable {
			_, err := snapshot.ExplainPod(c, pod)
			require.NoError(t, err)
		}
	}
}

// treeOf is a value as encoding/json reads it back.
func treeOf(t testing.TB, v any) any {
	t.Helper()
	file, err := json.Marshal(v)
	require.NoError(t, err)
	var tree any
	require.NoError(t, json.Unmarshal(file, &tree))
	return tree
}

// branch is a value in a tree, and how to put another in its place. Set to
// nothing it is no longer there.
type branch struct {
	key   string // of the object that it is in, or of the list
	value any
	set   func(any)
}

// branches lists all values below the root, in a fixed order.
func branches(tree any) []branch {
	var out []branch
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				out = append(out, branch{k, v[k], func(x any) {
					if v[k] = x; x == nil {
						delete(v, k)
					}
				}})
				walk(k, v[k])
			}
		case []any:
			for i := range v {
				out = append(out, branch{key, v[i], func(x any) { v[i] = x }})
				walk(key, v[i])
			}
		}
	}
	walk("", tree)
	return out
}

// mutator changes values of a tree.
type mutator struct {
	*rand.Rand
	// donor are the values of another tree.
	donor []branch
}

// mutate is the tree as a file, with a few values changed.
func (m mutator) mutate(tree any) []byte {
	changed := copyOf(tree)
	for range 1 + m.IntN(4) {
		all := branches(changed)
		b := all[m.IntN(len(all))]
		b.set(copyOf(m.instead(b, all)))
	}
	out, _ := json.Marshal(changed)
	return out
}

// copyOf a tree shares nothing with it.
func copyOf(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			out[k] = copyOf(v[k])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = copyOf(v[i])
		}
		return out
	}
	return tree
}

// instead is what comes in the place of a value: a value of the same name from
// elsewhere, nothing, one list entry more, or an absurd value of its kind.
func (m mutator) instead(b branch, all []branch) any {
	switch m.IntN(6) {
	case 0:
		return m.alike(b, all)
	case 1:
		return m.alike(b, m.donor)
	case 2:
		return nil
	}
	switch v := b.value.(type) {
	case string:
		return absurdTexts[m.IntN(len(absurdTexts))]
	case float64:
		return absurdNumbers[m.IntN(len(absurdNumbers))]
	case bool:
		return !v
	case []any:
		if len(v) > 0 {
			return append(slices.Clone(v), v[m.IntN(len(v))])
		}
	case map[string]any:
		out := maps.Clone(v)
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if other := m.alike(branch{key: k, value: v[k]}, all); m.IntN(2) == 0 && other != nil {
				out[k] = other
			}
		}
		return out
	}
	return m.alike(b, m.donor)
}

// alike is a value of the same name.
func (m mutator) alike(b branch, from []branch) any {
	var same []any
	for _, other := range from {
		if other.key == b.key && fmt.Sprintf("%T", other.value) == fmt.Sprintf("%T", b.value) {
			same = append(same, other.value)
		}
	}
	if len(same) == 0 {
		return b.value
	}
	return same[m.IntN(len(same))]
}

var absurdTexts = []string{
	"", " ", "0", "1", "-1", "0.5", "1e30", "-1e30", "1n", "9999999999", "9223372036854775807", "9223372036854775808", "8Ei", "100Ei", "NaN",
	"0%", "33%", "101%", "-5%", "99999999999%", "0s", "-1h", "1ns", "2562047h", "720h", "Never", "true", "false", "In", "Exists", "Gt", "NoSchedule", "NoExecute",
	"PreferNoSchedule", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-12-01T08:59:59Z", "1969-12-31T00:00:00Z", "* * * * *", "@daily", "0 0 31 2 *",
	"spot", "on-demand", "reserved", "z1", "z2", "default", "a b", "ünïcødé 🙂", "x/y/z", strings.Repeat("long", 100), "kubernetes.io/hostname", "Pending", "Running",
	"Succeeded", "Node", "DaemonSet", "Job", "StatefulSet", "Unschedulable",
}

var absurdNumbers = []float64{
	0, 1, 2, 3, -1, 0.5, -0.5, 1e-9, 1e-30, 100, 101, 65535, 1e9, 2147483647, -2147483648, 4e9, 9.2e18, -9.2e18, 1e30, 1e300, -1e300,
}
