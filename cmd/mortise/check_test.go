package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckFindsNothingInAPlanAsMade(t *testing.T) {
	plan := file(t, "plan.json", done(t, "", "plan", "--demo", "--gap", "1", "-o", "json"))
	require.Empty(t, done(t, "", "check", "--demo", "-p", plan))
}

func TestCheckPrintsEachViolationOnALine(t *testing.T) {
	plan := done(t, onePod, "plan", "-f", "-", "-o", "yaml")
	forged := strings.ReplaceAll(plan, "pricePerHour: 0.2", "pricePerHour: 0.1")
	require.NotEqual(t, plan, forged)
	o := mortise(t, forged, "check", "-f", file(t, "snapshot.yaml", onePod), "-p", "-")
	require.Equal(t, exitFindings, o.code, o.err)
	require.Contains(t, o.out, "Price: launch launch-1")
	require.Empty(t, o.err)
}

func TestCheckSaysThatAPlanIsOfAnotherSnapshot(t *testing.T) {
	o := mortise(t, done(t, onePod, "plan", "-f", "-", "-o", "yaml"), "check", "--demo", "-p", "-")
	require.Equal(t, exitFindings, o.code)
	require.Equal(t, "mortise: the plan is of another snapshot, or was made with other flags: its snapshotHash differs\n", o.err)
}

func TestASnapshotWithoutATimeIsAsOldAsItsPlan(t *testing.T) {
	timeless := file(t, "snapshot.yaml", strings.Replace(onePod, `time: "2026-12-01T09:00:00Z"`, "", 1))
	plan := done(t, onePod, "plan", "-f", "-", "-o", "yaml")
	require.Empty(t, done(t, plan, "check", "-f", timeless, "-p", "-"))

	forged := strings.ReplaceAll(plan, "pricePerHour: 0.2", "pricePerHour: 0.1")
	o := mortise(t, forged, "check", "-f", timeless, "-p", "-")
	require.Equal(t, exitFindings, o.code)
	require.Empty(t, o.err, "the snapshot's hash, and so its time, is that of the plan")
}

func TestCheckTakesOneOfBothFromStandardInput(t *testing.T) {
	o := mortise(t, onePod, "check", "-f", "-", "-p", "-")
	require.Equal(t, exitBadInput, o.code)
	require.Contains(t, o.err, "both cannot be standard input")
}
