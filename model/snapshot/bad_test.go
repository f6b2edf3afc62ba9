package snapshot

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// aTuesday is the time of snapshots that give none.
var aTuesday = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// TestBadInputSaysWhatIsWrong holds what is said about each file of
// testdata/bad, and what is still read of it, against the golden text beside it.
func TestBadInputSaysWhatIsWrong(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.[jy]*")
	require.NoError(t, err)
	require.Greater(t, len(files), 30)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			got := outcomeOf(Read([]string{file}, nil, aTuesday))
			golden := strings.TrimSuffix(file, filepath.Ext(file)) + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// TestBadObjectsStopNothing: whatever is the matter with an object, the good pod beside it is read.
func TestBadObjectsStopNothing(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.golden")
	require.NoError(t, err)
	for _, file := range files {
		golden, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.HasPrefix(string(golden), "warning: ") {
			require.Regexp(t, `(?m)^read: .*Pod default/`, string(golden), file)
		} else {
			require.Regexp(t, `^error: [^\n]+\n$`, string(golden), "%s: an error is one line", file)
		}
	}
}

// outcomeOf is what Read returned, as text.
func outcomeOf(s *v1alpha1.Snapshot, warnings []string, err error) string {
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	var b strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	fmt.Fprintf(&b, "read: %s\n", strings.Join(namesIn(s), ", "))
	return b.String()
}

func namesIn(s *v1alpha1.Snapshot) []string {
	var names []string
	for _, o := range s.Objects {
		it := o.Object.(object)
		names = append(names, objectName(it.GetObjectKind().GroupVersionKind().Kind, it.GetNamespace(), it.GetName()))
	}
	return names
}
