package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/cmd/mortise/text"
)

func TestExplainPod(t *testing.T) {
	both := file(t, "snapshot.yaml", onePod+"---"+hugePod)
	plan := file(t, "plan.json", done(t, "", "plan", "-f", both, "-o", "json"))

	text1 := done(t, "", "explain", "pod", "default/web", "-f", both)
	require.Contains(t, text1, "waits for a node")
	require.Contains(t, text1, "small")
	require.Contains(t, done(t, "", "explain", "pod", "default/web", "-f", both, "-p", plan), "goes to launch-1, a new small")
	require.Contains(t, done(t, "", "explain", "pod", "default/huge", "-f", both, "-p", plan), "left waiting: NoInstanceTypeFits")

	var e text.Pod
	require.NoError(t, json.Unmarshal([]byte(done(t, "", "explain", "pod", "default/web", "-f", both, "-p", plan, "-o", "json")), &e))
	require.Equal(t, "default/web", e.Pod)
	require.Equal(t, "launch-1", e.Plan.Destination.Launch)
	require.InDelta(t, 0.2, e.Plan.Launch.PricePerHour, 1e-9)
}

func TestExplainNode(t *testing.T) {
	plan := file(t, "plan.json", done(t, "", "plan", "--demo", "--gap", "1", "-o", "json"))
	unmanaged := "ip-10-0-32-11.ec2.internal"
	require.Contains(t, done(t, "", "explain", "node", unmanaged, "--demo"), "kept by NotManaged")
	require.Contains(t, done(t, "", "explain", "node", unmanaged, "--demo", "-p", plan), "kept: NotManaged")

	var e text.Node
	protected := "ip-10-0-52-140.ec2.internal"
	require.NoError(t, json.Unmarshal([]byte(done(t, "", "explain", "node", protected, "--demo", "-o", "json")), &e))
	require.Equal(t, "DoNotDisrupt", e.KeptBy.Reason)
	require.NotEmpty(t, e.Drain)
	require.Nil(t, e.Plan)
}
