package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func TestPlanReadsWellAtTwoWidths(t *testing.T) {
	for name, build := range map[string]func() (*v1alpha1.Snapshot, *v1alpha1.Plan){"small": small, "large": large} {
		for _, width := range []int{80, 120} {
			t.Run(fmt.Sprintf("%s at %d columns", name, width), func(t *testing.T) {
				t.Parallel()
				s, plan := build()
				got := printed(t, func(b *bytes.Buffer) error { return Plan(b, s, plan, Options{Width: width}) })
				requireGolden(t, fmt.Sprintf("plan-%s-%d", name, width), got)
				for line := range strings.SplitSeq(string(got), "\n") {
					require.LessOrEqual(t, ansi.StringWidth(line), width, line)
				}
			})
		}
	}
}

func TestColorChangesNoText(t *testing.T) {
	s, plan := small()
	plain := printed(t, func(b *bytes.Buffer) error { return Plan(b, s, plan, Options{}) })
	colored := printed(t, func(b *bytes.Buffer) error { return Plan(b, s, plan, Options{Color: true}) })
	require.NotContains(t, string(plain), "\x1b")
	require.Contains(t, string(colored), "\x1b[")
	require.Equal(t, string(plain), trimLines(ansi.Strip(string(colored))))
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestAnEmptyPlanSaysThatNothingChanges(t *testing.T) {
	got := printed(t, func(b *bytes.Buffer) error {
		return Plan(b, &v1alpha1.Snapshot{}, &v1alpha1.Plan{Outcome: v1alpha1.Optimal, Placement: v1alpha1.PlanPlacement{Proved: true}}, Options{})
	})
	require.Contains(t, string(got), "costs the same")
	require.Contains(t, string(got), "0 launched, 0 removed")
	require.NotContains(t, string(got), "LAUNCHES")
}
