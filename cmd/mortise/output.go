package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/cmd/mortise/text"
)

// Output formats.
const (
	formatText = "text"
	formatJSON = "json"
	formatYAML = "yaml"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }

// Type is what the help shows for the flag's value.
func (c *choice) Type() string { return strings.Join(c.of, "|") }

// Set takes the word if it is one of the choices.
func (c *choice) Set(s string) error {
	if !slices.Contains(c.of, s) {
		return fmt.Errorf("expected %s", oneOf(c.of))
	}
	c.value = s
	return nil
}

// oneOf is "a, b or c".
func oneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// addChoice adds a flag with its words and their completion.
func addChoice(cmd *cobra.Command, c *choice, name, shorthand, usage string) {
	cmd.Flags().VarP(c, name, shorthand, usage)
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return c.of, cobra.ShellCompDirectiveNoFileComp
	}
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag was added above
	}
}

// newOutput adds the -o flag; the first format is the default.
func newOutput(cmd *cobra.Command, formats ...string) *choice {
	c := &choice{value: formats[0], of: formats}
	addChoice(cmd, c, "output", "o", "output format")
	return c
}

// printDocument prints a document as JSON or YAML.
func printDocument(w io.Writer, format string, doc any) error {
	var (
		out []byte
		err error
	)
	if format == formatYAML {
		out, err = yaml.Marshal(doc)
	} else {
		out, err = json.MarshalIndent(doc, "", "  ")
		out = append(out, '\n')
	}
	if err != nil {
		return failed(fmt.Errorf("encode output: %w", err))
	}
	if _, err := w.Write(out); err != nil {
		return failed(fmt.Errorf("print: %w", err))
	}
	return nil
}

// pageOf says how wide w is, and whether it shows color.
func pageOf(w io.Writer) text.Options {
	fd, ok := terminal(w)
	if !ok {
		return text.Options{}
	}
	width, _, err := term.GetSize(fd)
	if err != nil {
		width = 0
	}
	return text.Options{Width: width, Color: wantsColor()}
}

// wantsColor says whether the environment lets a terminal show color (see no-color.org).
func wantsColor() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// terminal is the file descriptor of w if it is a terminal.
func terminal(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	fd := int(f.Fd())
	return fd, term.IsTerminal(fd)
}
