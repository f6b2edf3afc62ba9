package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the README's example")

// shown are the sections of the example's plan that the README shows.
var shown = []string{"Cost", "LAUNCHES", "REMOVALS", "LEFT WAITING", "STEPS", "KEPT"}

// TestReadmeShowsTheDemo holds the README's example against what the demo prints today.
func TestReadmeShowsTheDemo(t *testing.T) {
	const path = "../../README.md"
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)(```text\n).*?(```)")
	require.Regexp(t, block, string(data))

	page := "$ bin/mortise plan --demo --engine builtin\n" + excerpt(done(t, "", "plan", "--demo", "--engine", "builtin"))
	want := block.ReplaceAllLiteralString(string(data), "```text\n"+page+"```")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(data), "run: go test ./cmd/mortise -run Readme -update")
}

// excerpt keeps the shown sections, and leaves out how long the search took.
func excerpt(page string) string {
	var out []string
	for section := range strings.SplitSeq(page, "\n\n") {
		for _, title := range shown {
			if strings.HasPrefix(section, title) {
				out = append(out, strings.TrimRight(section, "\n"))
			}
		}
	}
	text := strings.Join(out, "\n\n") + "\n"
	return regexp.MustCompile(`(?m)^Solved .*\n`).ReplaceAllString(text, "")
}
