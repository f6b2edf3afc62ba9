package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// outcome is what one command line did.
type outcome struct {
	code     int
	out, err string
}

// mortise runs one command line in process.
func mortise(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	code := run(t.Context(), args, streams{strings.NewReader(stdin), &out, &err})
	return outcome{code, out.String(), err.String()}
}

// done runs a command line that must end well and say nothing on standard error.
func done(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	o := mortise(t, stdin, args...)
	require.Equal(t, outcome{code: exitDone, out: o.out}, o)
	return o.out
}

// file writes a file and returns its path.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// onePod is a cluster without nodes: one pod waits, and one machine that fits can be bought.
const onePod = `
apiVersion: mortise.dev/v1alpha1
kind: Snapshot
time: "2026-12-01T09:00:00Z"
instanceTypes:
- name: small
  requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
  capacity: {cpu: "4", memory: 16Gi, pods: "110"}
  offerings:
  - {zone: z1, capacityType: on-demand, price: 0.2}
  - {zone: z1, capacityType: spot, price: 0.05}
- name: arm
  requirements: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]
  capacity: {cpu: "4", memory: 16Gi, pods: "110"}
  offerings:
  - {zone: z1, capacityType: on-demand, price: 0.1}
objects:
- apiVersion: v1
  kind: Pod
  metadata: {namespace: default, name: web}
  spec:
    containers: [{name: web, resources: {requests: {cpu: "1", memory: 1Gi}}}]
`

// hugePod is a pod that fits nowhere.
const hugePod = `
apiVersion: v1
kind: Pod
metadata: {namespace: default, name: huge}
spec:
  containers: [{name: huge, resources: {requests: {cpu: "400", memory: 1Gi}}}]
`
