package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestManifestsAreCurrent writes the manifests again where the record is at hand.
func TestManifestsAreCurrent(t *testing.T) {
	data := os.Getenv("MORTISE_DATA")
	if data == "" {
		t.Skip("MORTISE_DATA names no folder of records")
	}
	got, err := convert(filepath.Join(data, "workloads", "govuk-production.json"))
	require.NoError(t, err)
	want, err := os.ReadFile("../../testdata/govuk-production.yaml")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run the command again")
}
