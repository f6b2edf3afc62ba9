package verify_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// FuzzPlan holds whatever can be read as a plan against the fleet: it must not
// panic, and must say the same twice.
func FuzzPlan(f *testing.F) {
	c, p := fleet()
	right, err := json.Marshal(p.Plan)
	require.NoError(f, err)
	f.Add(right)
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"launches":[{}],"removals":[{}],"placements":[{}],"unplaced":[{}],"kept":[{}],"steps":[{"after":[0]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p v1alpha1.Plan
		if json.Unmarshal(data, &p) != nil {
			return
		}
		once := verify.Plan(c.Snapshot, &p)
		again := verify.Plan(c.Snapshot, &p)
		require.Equal(t, once, again)
	})
}

// TestBrokenPlansNeverPanic breaks the fleet's right plan at random.
func TestBrokenPlansNeverPanic(t *testing.T) {
	t.Parallel()
	c, p := fleet()
	right, err := json.Marshal(p.Plan)
	require.NoError(t, err)
	checked := 0
	for seed := range uint64(3000) {
		var tree any
		require.NoError(t, json.Unmarshal(right, &tree))
		b := breaker{rand.New(rand.NewPCG(seed, 0))}
		for range 1 + b.IntN(4) {
			tree = b.damage(tree)
		}
		data, err := json.Marshal(tree)
		require.NoError(t, err)
		var broken v1alpha1.Plan
		if json.Unmarshal(data, &broken) != nil {
			continue
		}
		verify.Plan(c.Snapshot, &broken)
		checked++
	}
	require.Greater(t, checked, 1500, "too few of the broken plans can be read at all")
}

// breaker damages JSON values.
type breaker struct{ *rand.Rand }

// damage returns v with one thing in it lost, doubled, or put elsewhere.
func (b breaker) damage(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		keys := slices.Sorted(maps.Keys(v))
		key := keys[b.IntN(len(keys))]
		if b.IntN(8) == 0 {
			delete(v, key)
		} else {
			v[key] = b.damage(v[key])
		}
		return v
	case []any:
		if len(v) == 0 {
			return append(v, map[string]any{})
		}
		i := b.IntN(len(v))
		switch b.IntN(6) {
		case 0:
			return slices.Delete(v, i, i+1)
		case 1:
			return append(v, v[i])
		case 2:
			return nil
		}
		v[i] = b.damage(v[i])
		return v
	case string:
		words := []string{"", "s1", "s2", "i-way", "way", "claim-s3", "launch-1", "default/a-1", "default/p-2", "default", "Expired", "\x00"}
		return words[b.IntN(len(words))]
	case float64:
		numbers := []float64{0, -1, 1, 2, 3, v * 1.5, 1e300}
		return numbers[b.IntN(len(numbers))]
	case bool:
		return !v
	}
	return v
}
