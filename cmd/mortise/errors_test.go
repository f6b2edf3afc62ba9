package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBadInputIsOneLineThatSaysWhereAndWhat(t *testing.T) {
	for _, c := range []struct {
		name  string
		stdin string
		args  []string
		want  []string // parts of the line
	}{
		{"an unknown command", "", []string{"plna"}, []string{`unknown command "plna"`}},
		{"an unknown flag", "", []string{"plan", "--fiel", "x"}, []string{"unknown flag: --fiel", "see mortise plan --help"}},
		{"an argument where none is taken", "", []string{"plan", "x.yaml"}, []string{`unknown command "x.yaml" for "mortise plan"`}},
		{"no snapshot", "", []string{"plan"}, []string{"at least one of the flags in the group [filename demo] is required"}},
		{"a snapshot and the example", "", []string{"plan", "-f", "-", "--demo"}, []string{"filename demo"}},
		{"an output format that there is not", "", []string{"plan", "-o", "xml"}, []string{`"xml"`, "expected text, json or yaml"}},
		{"an engine that there is not", "", []string{"plan", "--engine", "gurobi"}, []string{`"gurobi"`, "expected auto, highs, cpsat or builtin"}},
		{"a time limit of nothing", "", []string{"plan", "--demo", "--time-limit", "0s"}, []string{"--time-limit 0s", "above 0"}},
		{"a negative gap", "", []string{"plan", "--demo", "--gap", "-1"}, []string{"--gap -1", "at least 0"}},
		{"a file that is not there", "", []string{"plan", "-f", "no-such-file.yaml"}, []string{"no-such-file.yaml: no such file"}},
		{"a policy that is not there", "", []string{"plan", "--demo", "--policy", "no-such-file.yaml"}, []string{"no-such-file.yaml", "no such file"}},
		{"a catalog that is not there", "", []string{"plan", "--demo", "--catalog", "aws-mars-1"}, []string{"--catalog", "aws-mars-1", "aws-us-east-1"}},
		{"an unknown field", onePod + "policy: {nodeFe: 1}\n", []string{"plan", "-f", "-"}, []string{"standard input", "$.policy.nodeFe", "unknown field"}},
		{"nothing to buy", hugePod, []string{"plan", "-f", "-"}, []string{"nothing can be bought", "--catalog", "aws-us-east-1"}},
		{"a check without a plan", "", []string{"check", "--demo"}, []string{`required flag(s) "plan" not set`}},
		{"a plan that is none", "kind: Pod", []string{"check", "--demo", "-p", "-"}, []string{"standard input"}},
		{"a plan of another version", "{apiVersion: v9, kind: Plan}", []string{"check", "--demo", "-p", "-"}, []string{"$.apiVersion", "mortise.dev/v1alpha1", "v9"}},
		{"a pod without a namespace", "", []string{"explain", "pod", "web", "--demo"}, []string{"pod web: expected NAMESPACE/NAME"}},
		{"a pod that is not there", "", []string{"explain", "pod", "shop/none", "--demo"}, []string{"pod shop/none: not in the snapshot"}},
		{"a node that is not there", "", []string{"explain", "node", "none", "--demo"}, []string{"node none: not in the snapshot"}},
		{"explain of nothing", "", []string{"explain", "pod", "--demo"}, []string{"accepts 1 arg(s), received 0"}},
		{"a catalog to show that is not there", "", []string{"catalog", "show", "aws-mars-1"}, []string{"aws-mars-1", "aws-us-east-1"}},
		{"a quantity that is none", "", []string{"catalog", "show", "kwok", "--min-cpu", "many"}, []string{`"many"`, "expected a quantity"}},
		{"a file to convert that is not there", "", []string{"catalog", "convert", "no-such-file.json"}, []string{"no-such-file.json: no such file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mortise(t, c.stdin, c.args...)
			require.Equal(t, exitBadInput, o.code, o.err)
			require.Empty(t, o.out)
			require.True(t, strings.HasPrefix(o.err, reportPrefix), o.err)
			require.Equal(t, 1, strings.Count(o.err, "\n"), "one line: %q", o.err)
			for _, part := range c.want {
				require.Contains(t, o.err, part)
			}
		})
	}
}
