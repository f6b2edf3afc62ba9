package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func TestEveryCommandHasHelpWithAnExample(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			require.NotEmpty(t, cmd.Short)
			require.Contains(t, cmd.Example, "mortise")
		})
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(streams{}))

	help := done(t, "", "plan", "--help")
	require.Contains(t, help, "Examples:")
	require.Contains(t, help, "--detailed-exitcode")
}

func TestRootPrintsItsHelp(t *testing.T) {
	require.Contains(t, done(t, ""), "Available Commands:")
}

func TestCompletionKnowsCatalogsAndFormats(t *testing.T) {
	require.Contains(t, done(t, "", "completion", "bash"), "bash completion")
	require.Contains(t, mortise(t, "", "__complete", "plan", "--catalog", "").out, "aws-us-east-1")
	require.Contains(t, mortise(t, "", "__complete", "plan", "-o", "").out, "yaml")
	require.Contains(t, mortise(t, "", "__complete", "catalog", "show", "").out, "aws-us-east-1")
}

func TestExitCodeSaysWhoseFaultItIs(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"no error is 0", nil, 0},
		{"findings are 1", errFindings, 1},
		{"what the user gave is 2", errors.New("x.yaml: bad"), 2},
		{"what failed on good input is 3", failed(errors.New("disk full")), 3},
		{"also if wrapped", fmt.Errorf("plan: %w", failed(errors.New("disk full"))), 3},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, exitCode(c.err)) })
	}
	require.NoError(t, failed(nil))
}

func TestReportIsOneLine(t *testing.T) {
	require.Equal(t, "mortise: a; b; c\n", report(errors.New("a\n\tb\r\nc\n")))
}
