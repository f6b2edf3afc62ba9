//go:build linux && (amd64 || arm64)

package native

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fetchedPath is where make native has put a library. It skips the test where it has not.
func fetchedPath(t *testing.T, file string) string {
	t.Helper()
	p := sourceFolder()
	path, err := p.locate(file)
	if err != nil {
		t.Skipf("make native fetches it: %v", err)
	}
	return path
}

// alone runs the test in a process of its own, which a wrong library may end,
// and returns true there.
func alone(t *testing.T) bool {
	t.Helper()
	const variable = "MORTISE_TEST_ALONE"
	if os.Getenv(variable) != "" {
		return true
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), variable+"=1")
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	return false
}

func TestOpensWhatIsFetched(t *testing.T) {
	if !alone(t) {
		return
	}
	for _, file := range []string{HiGHS, ORTools} {
		fetchedPath(t, file)
		l, err := Open(file)
		require.NoError(t, err)
		require.Equal(t, file, filepath.Base(l.Path))
	}
}

// A folder that is named is the only place: a broken one is not passed over.
func TestNamedFolderIsTheOnlyPlace(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(FolderVariable, folder)
	_, err := Open(HiGHS)
	require.ErrorIs(t, err, ErrMissing)
	require.EqualError(t, err, "no such solver library: libhighs.so.1: MORTISE_SOLVER_LIB: not in "+folder)

	copyFile(t, fetchedPath(t, HiGHS), filepath.Join(folder, HiGHS), unchanged)
	l, err := Open(HiGHS)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(folder, HiGHS), l.Path)
}

func TestNamedFolderMayBeAWheels(t *testing.T) {
	path := fetchedPath(t, HiGHS)
	t.Setenv(FolderVariable, filepath.Join(filepath.Dir(path), "..", ".."))
	l, err := Open(HiGHS)
	require.NoError(t, err)
	require.Equal(t, path, l.Path)
}

// Every place that was looked at is named, with what is wrong there.
func TestMissingLibraryNamesEveryPlace(t *testing.T) {
	_, err := Open("libnowhere.so.1")
	require.ErrorIs(t, err, ErrMissing)
	for _, place := range []string{"beside the binary: not in ", "build folder: not in ", "source folder: not in ", "python3: "} {
		require.ErrorContains(t, err, place)
	}
}

func unchanged(b []byte) []byte { return b }

func copyFile(t *testing.T, from, to string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, change(b), 0o644))
}

func TestBrokenLibraryIsAnErrorAndNoCrash(t *testing.T) {
	path := fetchedPath(t, HiGHS)
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		want   string
	}{
		{"empty", func([]byte) []byte { return nil }, "not a whole shared library"},
		{"a text", func([]byte) []byte { return []byte("version https://git-lfs.github.com/spec/v1\n") }, "not a whole shared library"},
		{"cut in its header", func(b []byte) []byte { return b[:40] }, "not a whole shared library"},
		{"cut in the middle", func(b []byte) []byte { return b[:len(b)/2] }, "not a whole shared library"},
		{"cut at its end", func(b []byte) []byte { return b[:len(b)-1] }, "not a whole shared library"},
		{"of another machine", func(b []byte) []byte {
			binary.LittleEndian.PutUint16(b[18:], 243) // RISC-V
			return b
		}, "for EM_RISCV, this is "},
		{"a program", func(b []byte) []byte {
			binary.LittleEndian.PutUint16(b[16:], 2) // ET_EXEC
			return b
		}, "not a shared library but ET_EXEC"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			copyFile(t, path, filepath.Join(folder, HiGHS), c.change)
			t.Setenv(FolderVariable, folder)
			_, err := Open(HiGHS)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, folder)
			require.NotErrorIs(t, err, ErrMissing)
		})
	}
}

// linked fills a folder with links to all libraries but one.
func linked(t *testing.T, but string) string {
	t.Helper()
	from := filepath.Dir(fetchedPath(t, ORTools))
	folder := t.TempDir()
	entries, err := os.ReadDir(from)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != but {
			require.NoError(t, os.Symlink(filepath.Join(from, e.Name()), filepath.Join(folder, e.Name())))
		}
	}
	return folder
}

func TestMissingDependencyIsNamed(t *testing.T) {
	if !alone(t) {
		return
	}
	const dependency = "libCbcSolver.so.2"
	folder := linked(t, dependency)
	// Not through a link: the loader looks beside the file itself.
	require.NoError(t, os.Remove(filepath.Join(folder, ORTools)))
	copyFile(t, fetchedPath(t, ORTools), filepath.Join(folder, ORTools), unchanged)
	t.Setenv(FolderVariable, folder)
	_, err := Open(ORTools)
	require.ErrorContains(t, err, dependency)
}

func TestTruncatedDependencyIsNamed(t *testing.T) {
	// Its section headers are not at its end, so that a cut is seen only by what they promise.
	const dependency = "libutf8_validity.so.33.1.0"
	folder := linked(t, dependency)
	copyFile(t, filepath.Join(filepath.Dir(fetchedPath(t, ORTools)), dependency), filepath.Join(folder, dependency), func(b []byte) []byte { return b[:len(b)-100] })
	t.Setenv(FolderVariable, folder)
	_, err := Open(ORTools)
	require.ErrorContains(t, err, dependency+": truncated: ")
}

func TestMissingSymbolIsNamed(t *testing.T) {
	fetchedPath(t, HiGHS)
	l, err := Open(HiGHS)
	require.NoError(t, err)
	var f func()
	require.ErrorContains(t, l.Bind("Highs_makeCoffee", &f), "symbol Highs_makeCoffee")
}

func TestPythonIsAskedForItsPackage(t *testing.T) {
	for _, c := range []struct {
		name, script, folder, want string
	}{
		{"a package", "echo /opt/site-packages/ortools", "/opt/site-packages", ""},
		{"no package", "echo", "", "has no ortools"},
		{"broken", "exit 3", "", "ask it for ortools: exit status 3"},
		{"hanging", "exec sleep 60", "", "ask it for ortools: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(bin, "python3"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
			t.Setenv("PATH", bin+":/usr/bin:/bin")
			p := askPython(300 * time.Millisecond)
			require.Equal(t, c.folder, p.folder)
			if c.want != "" {
				require.ErrorContains(t, p.err, c.want)
			}
		})
	}
}
