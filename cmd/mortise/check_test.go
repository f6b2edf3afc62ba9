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
