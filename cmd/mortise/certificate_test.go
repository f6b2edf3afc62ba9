package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
)

const govuk = "../../testdata/govuk-production.yaml"

// certified plans more pods than anybody tries out, and returns the flags, the
// plan's file and that of its certificate.
func certified(t *testing.T) (flags []string, plan, certificate string) {
	t.Helper()
	flags = []string{"-f", govuk, "--workloads", "--catalog", "aws-us-gov-west-1"}
	certificate = filepath.Join(t.TempDir(), "certificate.json")
	out := done(t, "", append([]string{"plan", "--gap", "0.2", "-o", "json", "--certificate", certificate}, flags...)...)
	return flags, file(t, "plan.json", out), certificate
}

func TestACertificateProvesThePlansLowerBound(t *testing.T) {
	flags, plan, certificate := certified(t)
	check := append([]string{"check", "-p", plan}, flags...)
	require.Contains(t, done(t, "", append(check, "--certificate", certificate)...), "certified: no valid plan")

	info, err := os.Stat(certificate)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	content, err := os.ReadFile(certificate)
	require.NoError(t, err)

	for name, c := range map[string]struct {
		tamper func(*model.Certificate)
		want   string
	}{
		"raised claim":  {func(c *model.Certificate) { c.Bound *= 2 }, "proves it of"},
		"lower claim":   {func(c *model.Certificate) { c.Bound, c.Groups = 0, nil }, "the plan claims"},
		"changed price": {func(c *model.Certificate) { c.Groups[0].Price += c.Groups[0].Price / 10 }, "proves it of"},
		"other problem": {func(c *model.Certificate) { c.Problem = "" }, "another problem"},
		"other pods that wait": {func(c *model.Certificate) {
			c.Bound = 0
			c.Assumed.Unplaced = append(c.Assumed.Unplaced, model.GroupCount{Group: c.Groups[0].Group, Pods: 1})
		}, "not of plans like this one: other pods"},
	} {
		t.Run(name, func(t *testing.T) {
			var forged model.Certificate
			require.NoError(t, json.Unmarshal(content, &forged))
			c.tamper(&forged)
			data, err := json.Marshal(forged)
			require.NoError(t, err)
			o := mortise(t, "", append(check, "--certificate", file(t, "forged.json", string(data)))...)
			require.Equal(t, exitFindings, o.code, o.err)
			require.Contains(t, o.out, "Certificate: ")
			require.Contains(t, o.out, c.want)
		})
	}

	o := mortise(t, "", append(check, "--certificate", file(t, "no.json", `{"bounds": 1}`))...)
	require.Equal(t, exitBadInput, o.code)
	require.Contains(t, o.err, "expected what plan --certificate writes")
}

func TestWhereEverythingWasTriedThereIsNoCertificate(t *testing.T) {
	certificate := filepath.Join(t.TempDir(), "certificate.json")
	o := mortise(t, onePod, "plan", "-f", "-", "--certificate", certificate)
	require.Equal(t, exitDone, o.code)
	require.Contains(t, o.err, "is not written: the plan was proved the best by trying every other")
	require.Equal(t, 1, strings.Count(o.err, "\n"))
	require.NoFileExists(t, certificate)
}
