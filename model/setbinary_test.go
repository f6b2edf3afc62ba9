package model_test

import (
	"bytes"
	"encoding/gob"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/modeltest"
)

func setOf(indices ...int) model.Set[model.ShapeIndex] {
	var s model.Set[model.ShapeIndex]
	for _, i := range indices {
		s.Add(model.ShapeIndex(i))
	}
	return s
}

func TestSetsSurviveTheirBinaryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := setOf(rapid.SliceOf(rapid.IntRange(0, 1000)).Draw(t, "indices")...)
		data, err := want.MarshalBinary()
		require.NoError(t, err)

		got := setOf(3, 999) // what was in it before must be gone
		require.NoError(t, got.UnmarshalBinary(data))
		require.True(t, want.Equal(got))
	})
}

func TestEqualSetsAreWrittenAlike(t *testing.T) {
	roomy := model.NewSet[model.ShapeIndex](10_000)
	roomy.Add(7)
	shrunk := setOf(7, 5000)
	shrunk.Remove(5000)
	for _, s := range []model.Set[model.ShapeIndex]{roomy, shrunk} {
		got, err := s.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, []byte{1 << 7, 0, 0, 0, 0, 0, 0, 0}, got)
	}
}

func TestHalfAWordIsNoSet(t *testing.T) {
	var s model.Set[model.ShapeIndex]
	require.ErrorContains(t, s.UnmarshalBinary(make([]byte, 12)), "12 bytes")
}

// TestProblemsSurviveGob holds every field of a problem to being exported or
// having a binary form.
func TestProblemsSurviveGob(t *testing.T) {
	for seed := range uint64(200) {
		want := modeltest.Random(seed)
		var wire bytes.Buffer
		require.NoError(t, gob.NewEncoder(&wire).Encode(want))
		var got model.Problem
		require.NoError(t, gob.NewDecoder(&wire).Decode(&got))
		requireEqualProblems(t, want, &got)
	}
}

// requireEqualProblems compares without telling empty lists from absent ones.
func requireEqualProblems(t *testing.T, want, got *model.Problem) {
	t.Helper()
	first, second := new(bytes.Buffer), new(bytes.Buffer)
	require.NoError(t, gob.NewEncoder(first).Encode(want))
	require.NoError(t, gob.NewEncoder(second).Encode(got))
	require.Equal(t, first.Bytes(), second.Bytes())

	require.Len(t, got.Groups, len(want.Groups))
	for g := range want.Groups {
		require.True(t, want.Groups[g].Shapes.Equal(got.Groups[g].Shapes))
		require.True(t, want.Groups[g].Nodes.Equal(got.Groups[g].Nodes))
	}
}
