package snapshot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadPlan(t *testing.T) {
	for _, c := range []struct {
		name, text, wantErr string
	}{
		{"a plan is read", "{apiVersion: mortise.dev/v1alpha1, kind: Plan, outcome: Optimal}", ""},
		{"nothing is no plan", "# nothing\n", "standard input: expected one Plan, got 0 documents"},
		{"two plans are one too many", "kind: Plan\n---\nkind: Plan\n", "standard input: expected one Plan, got 2 documents"},
		{"a list is no plan", "[1]", "standard input: expected a Plan, got [1]"},
		{"a pod is no plan", "{apiVersion: v1, kind: Pod}", `standard input: $.kind: expected Plan, got "Pod"`},
		{"a plan of another version is none of ours", "{apiVersion: v9, kind: Plan}", `standard input: $.apiVersion: expected mortise.dev/v1alpha1, got "v9"`},
		{"an unknown field is named", "{kind: Plan, launches: [{id: a, pric: 1}]}", "standard input: $.launches[0].pric: unknown field"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := ReadPlan("-", strings.NewReader(c.text))
			if c.wantErr != "" {
				require.EqualError(t, err, c.wantErr)
				return
			}
			require.NoError(t, err)
			require.EqualValues(t, "Optimal", plan.Outcome)
		})
	}
}
