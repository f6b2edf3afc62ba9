package v1alpha1_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// constants are the values of reasons.go by the prefix of their names, in order.
func constants(t *testing.T) map[string][]string {
	file, err := parser.ParseFile(token.NewFileSet(), "reasons.go", nil, 0)
	require.NoError(t, err)
	out := map[string][]string{}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			constant := spec.(*ast.ValueSpec)
			name := constant.Names[0].Name
			value, err := strconv.Unquote(constant.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			prefix := strings.TrimSuffix(name, value)
			require.NotEqual(t, name, prefix, "%s is not named after its value %q", name, value)
			out[prefix] = append(out[prefix], value)
		}
	}
	return out
}

// documented are the reasons of docs/reasons.md by the first word of their section, in order.
func documented(t *testing.T) map[string][]string {
	text, err := os.ReadFile("../../docs/reasons.md")
	require.NoError(t, err)
	row := regexp.MustCompile("^\\| `([A-Za-z]+)` \\| [^|]+\\. \\| [^|]+\\. \\|$")
	out, section := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section, _, _ = strings.Cut(title, ":")
		}
		if strings.HasPrefix(line, "| `") {
			cells := row.FindStringSubmatch(line)
			require.NotNil(t, cells, "a row says what the reason means and what to do: %s", line)
			out[section] = append(out[section], cells[1])
		}
	}
	return out
}

func TestEveryReasonIsDocumented(t *testing.T) {
	want, got := constants(t), documented(t)
	require.Len(t, want, 4)
	require.Equal(t, want, got)
}

func TestKeptReasonsListsAllByPrecedence(t *testing.T) {
	require.Equal(t, constants(t)["Kept"], v1alpha1.KeptReasons)
}
