package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheCommittedFilesAreWhatGenerateWrites(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, write(folder))
	for _, name := range []string{"nodes.yaml", "pods.yaml"} {
		want, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("..", name))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "run go generate ./cmd/mortise/demo")
	}
}
