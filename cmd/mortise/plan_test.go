package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// planned runs mortise plan -o json and decodes its answer.
func planned(t *testing.T, stdin string, args ...string) *v1alpha1.Plan {
	t.Helper()
	plan := &v1alpha1.Plan{}
	require.NoError(t, json.Unmarshal([]byte(done(t, stdin, append([]string{"plan", "-o", "json"}, args...)...)), plan))
	return plan
}

func TestPlanReadsStandardInputAndFiles(t *testing.T) {
	fromStdin := planned(t, onePod, "-f", "-")
	require.Len(t, fromStdin.Launches, 1)
	require.Equal(t, "small", fromStdin.Launches[0].InstanceType)

	fromFile := planned(t, "", "-f", file(t, "snapshot.yaml", onePod))
	fromFile.Solver.Seconds = fromStdin.Solver.Seconds
	require.Equal(t, fromStdin, fromFile)
}

func TestPlanMergesSeveralFiles(t *testing.T) {
	plan := planned(t, "", "-f", file(t, "snapshot.yaml", onePod), "-f", file(t, "pod.yaml", hugePod))
	require.Len(t, plan.Placements, 1)
	require.Len(t, plan.Unplaced, 1)
}

func TestPlanPrintsTheSamePlanInEachFormat(t *testing.T) {
	fromJSON := planned(t, onePod, "-f", "-")
	var fromYAML v1alpha1.Plan
	require.NoError(t, yaml.UnmarshalStrict([]byte(done(t, onePod, "plan", "-f", "-", "-o", "yaml")), &fromYAML))
	fromYAML.Solver.Seconds = fromJSON.Solver.Seconds
	require.Equal(t, fromJSON.Launches, fromYAML.Launches)
	require.Equal(t, fromJSON.Metadata, fromYAML.Metadata)

	text := done(t, onePod, "plan", "-f", "-")
	require.Contains(t, text, "$0.0000/h → $0.2000/h")
	require.Contains(t, text, "LAUNCHES")
	require.NotContains(t, text, "\x1b", "what is not a terminal has no color")
}

func TestArchAndSpotWidenTheImpliedPool(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []string
		price float64
	}{
		{"amd64 on demand is the default", nil, 0.2},
		{"arm64 is bought if asked for", []string{"--arch", "amd64,arm64"}, 0.1},
		{"spot is bought if asked for", []string{"--spot"}, 0.05},
		{"both are bought together", []string{"--spot", "--arch", "arm64"}, 0.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := planned(t, onePod, append([]string{"-f", "-"}, c.args...)...)
			require.InDelta(t, c.price, plan.Cost.AfterPerHour, 1e-9)
		})
	}
}

func TestArchAndSpotAreIgnoredBesideNodePools(t *testing.T) {
	plan := planned(t, "", "--demo", "--gap", "1", "--spot")
	require.Contains(t, plan.Warnings, "--arch and --spot are ignored: the snapshot's NodePools say what may be bought")
}

func TestFlagsBeatThePolicyFileWhichBeatsTheSnapshot(t *testing.T) {
	policy := func(fee string) string {
		return "apiVersion: mortise.dev/v1alpha1\nkind: Policy\nnodeFee: " + fee + "\n"
	}
	withFee := onePod + "policy: {nodeFee: 0.5, gap: 0.2}\n"
	require.InDelta(t, 0.5, planned(t, withFee, "-f", "-").Cost.Objective.Fees, 1e-9)
	require.InDelta(t, 0.25, planned(t, withFee, "-f", "-", "--policy", file(t, "policy.yaml", policy("0.25"))).Cost.Objective.Fees, 1e-9)

	// Workloads are pods only if asked, and the flag beats both.
	deployment := `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: default, name: api}
spec:
  replicas: 2
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: api, resources: {requests: {cpu: "1", memory: 1Gi}}}]}
`
	both := onePod + "---" + deployment
	require.Len(t, planned(t, both, "-f", "-").Placements, 1)
	require.Len(t, planned(t, both, "-f", "-", "--workloads").Placements, 3)
	off := file(t, "policy.yaml", "apiVersion: mortise.dev/v1alpha1\nkind: Policy\nexpandWorkloads: true\n")
	require.Len(t, planned(t, both, "-f", "-", "--policy", off).Placements, 3)
	require.Len(t, planned(t, both, "-f", "-", "--policy", off, "--workloads=false").Placements, 1)
}

func TestCatalogFlagTakesANameOrAFile(t *testing.T) {
	byName := planned(t, hugePod, "-f", "-", "--catalog", "aws-us-east-1")
	require.Len(t, byName.Launches, 1)

	mine := file(t, "mine.yaml", `
apiVersion: mortise.dev/v1alpha1
kind: Catalog
name: mine
instanceTypes:
- name: giant
  capacity: {cpu: "500", memory: 1Ti, pods: "110"}
  requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
  offerings: [{zone: z1, capacityType: on-demand, price: 3}]
`)
	byFile := planned(t, hugePod, "-f", "-", "--catalog", mine)
	require.Equal(t, "giant", byFile.Launches[0].InstanceType)
}

func TestDetailedExitCodeTellsOfUnplacedPods(t *testing.T) {
	both := onePod + "---" + hugePod
	require.Equal(t, exitDone, mortise(t, both, "plan", "-f", "-").code)
	require.Equal(t, exitFindings, mortise(t, both, "plan", "-f", "-", "--detailed-exitcode").code)
	require.Equal(t, exitDone, mortise(t, onePod, "plan", "-f", "-", "--detailed-exitcode").code)
	require.Empty(t, mortise(t, both, "plan", "-f", "-", "--detailed-exitcode").err)
}
