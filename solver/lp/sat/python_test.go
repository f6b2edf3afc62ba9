package sat

import (
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// inPython runs a program with OR-Tools' own messages imported, which the wheel
// of the libraries has. It skips the test where it cannot.
func inPython(t *testing.T, program string, args ...string) string {
	t.Helper()
	needLibrary(t)
	l, err := open()
	require.NoError(t, err)
	const imports = "import sys; from ortools.sat import cp_model_pb2 as cp, sat_parameters_pb2 as sat; from google.protobuf import text_format\n"
	python := func(program string) (string, error) {
		command := exec.CommandContext(t.Context(), "python3", append([]string{"-c", imports + program}, args...)...)
		command.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(filepath.Dir(l.Path), "..", ".."))
		out, err := command.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	if out, err := python(""); err != nil {
		t.Skipf("no Python with OR-Tools and protobuf, make native fetches them: %s", out)
	}
	out, err := python(program)
	require.NoError(t, err, out)
	return out
}

// readBack has Python read the message, and write it as text if it would write
// the same bytes.
const readBack = `
message = {"model": cp.CpModelProto, "params": sat.SatParameters}[sys.argv[1]]()
sent = bytes.fromhex(sys.argv[2])
message.ParseFromString(sent)
assert message.SerializeToString(deterministic=True) == sent, "other bytes"
print(text_format.MessageToString(message, as_one_line=True))
`

func TestPythonReadsTheModel(t *testing.T) {
	m := &Model{}
	a, b, x := m.NewBool(), m.NewBool(), m.NewInt(-5, 1<<40)
	m.AddLinear((&Linear{}).Add(3, x).AddBool(-2, b.Not()), 4, Highest, a, b.Not())
	m.AddOr([]Bool{a, b.Not()}, b)
	m.AddAtMostOne(a, b)
	m.AddExactlyOne(a.Not(), b)
	m.Minimize((&Linear{}).Add(-7, x).AddBool(1, a).AddConstant(9))
	m.Hint(x, -3)
	m.HintBool(a.Not(), true)
	require.Empty(t, m.faults)

	want := `variables { domain: 0 domain: 1 } variables { domain: 0 domain: 1 } variables { domain: -5 domain: 1099511627776 } ` +
		`constraints { enforcement_literal: 0 enforcement_literal: -2 linear { vars: 1 vars: 2 coeffs: 2 coeffs: 3 domain: 6 domain: 9223372036854775807 } } ` +
		`constraints { enforcement_literal: 1 bool_or { literals: 0 literals: -2 } } ` +
		`constraints { at_most_one { literals: 0 literals: 1 } } ` +
		`constraints { exactly_one { literals: -1 literals: 1 } } ` +
		`objective { vars: 0 vars: 2 coeffs: 1 coeffs: -7 } ` +
		`solution_hint { vars: 0 vars: 2 values: 0 values: -3 }`
	require.Equal(t, want, inPython(t, readBack, "model", hex.EncodeToString(m.encode())))
}

func TestPythonReadsTheParameters(t *testing.T) {
	for _, c := range []struct {
		name   string
		params Params
		want   string
	}{
		{"always said", Params{},
			`random_seed: 0 log_search_progress: false catch_sigint_signal: false log_to_stdout: false num_workers: 1 shared_tree_num_workers: 0`},
		{"with limits", Params{DeterministicTime: 1.5, Time: 2500 * time.Millisecond, Workers: 2, Seed: 42, Gap: 0.25},
			`random_seed: 42 max_time_in_seconds: 2.5 log_search_progress: false max_deterministic_time: 1.5 catch_sigint_signal: false ` +
				`relative_gap_limit: 0.25 log_to_stdout: false num_workers: 2 shared_tree_num_workers: 0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := inPython(t, readBack, "params", hex.EncodeToString(c.params.encode()))
			for _, field := range strings.SplitAfter(c.want, " ") { // Python orders them as the file does
				require.Contains(t, got, strings.TrimSpace(field))
			}
			require.Len(t, strings.Fields(got), len(strings.Fields(c.want)))
		})
	}
}

func TestReadsPythonsResponse(t *testing.T) {
	out := inPython(t, `
r = cp.CpSolverResponse(status=cp.FEASIBLE, solution=[1, -2, 1 << 40], objective_value=3.5, best_objective_bound=1.0,
    inner_objective_lower_bound=-17, deterministic_time=0.25, wall_time=9.0, num_conflicts=3, solution_info="found")
r.additional_solutions.add(values=[5, 6])
print(r.SerializeToString().hex())
`)
	b, err := hex.DecodeString(out)
	require.NoError(t, err)
	r, err := decode(b)
	require.NoError(t, err)
	require.Equal(t, Response{Status: Feasible, Bound: -17, DeterministicTime: 0.25, values: []int64{1, -2, 1 << 40}, info: "found", bounded: true}, r)
}

func TestBrokenResponsesAreErrors(t *testing.T) {
	for name, b := range map[string][]byte{
		"half a tag":       {0x80},
		"half a number":    {0x08, 0x80},
		"a list too short": {0x12, 0x05, 0x01},
		"a broken list":    {0x12, 0x01, 0x80},
	} {
		_, err := decode(b)
		require.Error(t, err, name)
	}
	m := &Model{}
	m.NewBool()
	for name, r := range map[string]Response{
		"no values":         {Status: Optimal},
		"too many values":   {Status: Feasible, values: []int64{1, 2}},
		"an invalid model":  {Status: invalid, info: "why"},
		"an unknown status": {Status: 9},
	} {
		require.Error(t, r.complete(m, Params{}), name)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x08, 0x04, 0x12, 0x02, 0x01, 0x00})
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = decode(b) })
}
