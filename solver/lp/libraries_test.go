package lp

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/solver/lp/native"
)

func TestLibrariesNameTheirVersions(t *testing.T) {
	newModel(t)
	found := Libraries()
	require.Len(t, found, 2)
	for _, l := range found {
		require.NoError(t, l.Err)
		require.FileExists(t, l.Path)
	}
	require.Equal(t, "HiGHS", found[0].Name)
	require.Regexp(t, `^1\.\d+\.\d+$`, found[0].Version)
	require.Equal(t, "CP-SAT", found[1].Name)
	require.Equal(t, native.Version, found[1].Version)
}

// alone runs the test in a process of its own with the variable set, and
// returns true there.
func alone(t *testing.T, variable string) bool {
	t.Helper()
	const child = "MORTISE_TEST_ALONE"
	if os.Getenv(child) != "" {
		return true
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), child+"=1", variable)
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	return false
}

// CP-SAT's hundred libraries take a fifth of a second and 20 MB: not for a
// linear program.
func TestLinearProgramsLoadHiGHSAlone(t *testing.T) {
	newModel(t)
	maps := "/proc/self/maps"
	if _, err := os.Stat(maps); err != nil {
		t.Skip("no ", maps)
	}
	if !alone(t, "LC_ALL=C") {
		return
	}
	solve(t, blending(t))
	b, err := os.ReadFile(maps)
	require.NoError(t, err)
	require.Contains(t, string(b), native.HiGHS)
	require.NotContains(t, string(b), native.ORTools)
}

func TestWithoutLibrariesTheBuiltInSimplexSolves(t *testing.T) {
	if !alone(t, native.FolderVariable+"="+t.TempDir()) {
		return
	}
	_, err := New()
	require.ErrorIs(t, err, native.ErrMissing)
	for _, l := range Libraries() {
		require.ErrorIs(t, l.Err, native.ErrMissing)
		require.Empty(t, l.Version)
	}
	m := NewMaster([]Sense{AtLeast}, []float64{3}, 100)
	require.IsType(t, &Simplex{}, m)
	m.AddColumn(2, []Entry{{0, 1}})
	_, err = m.Solve(10)
	require.NoError(t, err)
	require.InDelta(t, 3, m.Values()[0], 1e-6)
}
