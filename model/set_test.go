package model_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mortise-io/mortise/model"
)

// TestSetIsASet holds a Set against a map through random changes.
func TestSetIsASet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := model.NewSet[model.ShapeIndex](rapid.IntRange(0, 200).Draw(t, "room"))
		want := map[model.ShapeIndex]bool{}
		for range rapid.IntRange(0, 50).Draw(t, "changes") {
			i := model.ShapeIndex(rapid.IntRange(0, 300).Draw(t, "index"))
			if rapid.Bool().Draw(t, "add") {
				s.Add(i)
				want[i] = true
			} else {
				s.Remove(i)
				delete(want, i)
			}
			require.Equal(t, want[i], s.Has(i))
		}
		members := slices.Collect(s.All())
		require.True(t, slices.IsSorted(members))
		require.Len(t, want, len(members))
		require.Equal(t, len(want), s.Len())
		require.Equal(t, len(want) == 0, s.Empty())

		same := setWith(members...)
		require.True(t, s.Equal(same) && same.Equal(s), "room does not matter")
		require.Equal(t, same.Key(), s.Key())
		same.Add(301)
		require.False(t, s.Equal(same) || same.Equal(s))
		require.NotEqual(t, same.Key(), s.Key())
	})
}
