package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestCommandsAreDocumented looks for every command and flag in docs/cli.md.
func TestCommandsAreDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/cli.md")
	require.NoError(t, err)
	mentions := func(word string) {
		if !strings.Contains(string(data), "`"+word) {
			t.Errorf("%s is not in docs/cli.md", word)
		}
	}

	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" {
			return
		}
		mentions(cmd.CommandPath())
		for _, m := range regexp.MustCompile(`(?m)^ +(?:-., )?(--[a-z-]+)`).FindAllStringSubmatch(cmd.LocalFlags().FlagUsages(), -1) {
			if m[1] != "--help" {
				mentions(m[1])
			}
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	for _, c := range newRoot(streams{}).Commands() {
		visit(c)
	}
}
