package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model/snapshot"
)

// cluster is an API server with one node and one pod, and the kubeconfig that leads to it.
func cluster(t *testing.T) (kubeconfig string) {
	t.Helper()
	lists := map[string]string{
		"/api/v1/nodes": `{"apiVersion":"v1","kind":"NodeList","metadata":{},"items":[{"metadata":{"name":"acme-node"},"status":{"allocatable":{"cpu":"4","memory":"16Gi","pods":"110"}}}]}`,
		"/api/v1/pods":  `{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"metadata":{"namespace":"acme","name":"web"},"spec":{"nodeName":"acme-node","containers":[{"name":"web","resources":{"requests":{"cpu":"1"}}}]}}]}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if lists[r.URL.Path] == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(lists[r.URL.Path]))
	}))
	t.Cleanup(server.Close)
	return file(t, "kubeconfig", `
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "`+server.URL+`"}}, {name: gone, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: u, user: {}}]
contexts: [{name: here, context: {cluster: c, user: u}}, {name: gone, context: {cluster: gone, user: u}}]
current-context: here
`)
}

func TestSnapshotPrintsTheCluster(t *testing.T) {
	o := mortise(t, "", "snapshot", "--kubeconfig", cluster(t), "--catalog", "aws-us-east-1")
	require.Equal(t, exitDone, o.code, o.err)
	require.Contains(t, o.err, "warning: leaves out nodeclaims, nodepools (karpenter.sh/v1): the cluster has no such API\n")
	for _, part := range []string{"kind: Snapshot", "catalog: aws-us-east-1", "name: acme-node", "namespace: acme"} {
		require.Contains(t, o.out, part)
	}

	plan := mortise(t, o.out, "plan", "-f", "-", "-o", "json")
	require.Equal(t, exitDone, plan.code, plan.err)
}

func TestSnapshotWritesAFileThatOnlyItsOwnerReads(t *testing.T) {
	kubeconfig := cluster(t)
	for name, begins := range map[string]string{"cluster.json": "{", "cluster.yaml": "apiVersion:", "cluster.yml": "apiVersion:"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
			o := mortise(t, "", "snapshot", "--kubeconfig", kubeconfig, "-o", path)
			require.Equal(t, exitDone, o.code, o.err)
			require.Empty(t, o.out)

			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(data), begins))
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			s, _, err := snapshot.Read([]string{path}, nil, info.ModTime())
			require.NoError(t, err)
			require.Len(t, s.Objects, 2)
			entries, err := os.ReadDir(filepath.Dir(path))
			require.NoError(t, err)
			require.Len(t, entries, 1, "nothing else is left")
		})
	}
}

func TestSnapshotAnonymizes(t *testing.T) {
	o := mortise(t, "", "snapshot", "--kubeconfig", cluster(t), "--anonymize")
	require.Equal(t, exitDone, o.code, o.err)
	require.NotContains(t, o.out, "acme")
	require.Contains(t, o.out, "memory: 16Gi")
}

func TestSnapshotSaysWhatIsTheMatter(t *testing.T) {
	t.Setenv("KUBECONFIG", "")
	t.Setenv("HOME", t.TempDir())
	kubeconfig := cluster(t)
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"a file of another kind", []string{"-o", "cluster.txt"}, exitBadInput, "--output cluster.txt: expected a file that ends in .yaml, .yml or .json"},
		{"a catalog that there is not", []string{"--catalog", "aws-mars-1"}, exitBadInput, "--catalog aws-mars-1: expected one of aws-"},
		{"a context that there is not", []string{"--kubeconfig", kubeconfig, "--context", "there"}, exitBadInput, `kubeconfig: context "there" does not exist`},
		{"a kubeconfig that there is not", []string{"--kubeconfig", "no-such-file"}, exitBadInput, "kubeconfig: stat no-such-file: no such file"},
		{"no cluster", nil, exitBadInput, "no cluster: expected --kubeconfig, $KUBECONFIG"},
		{"a cluster that does not answer", []string{"--kubeconfig", kubeconfig, "--context", "gone"}, exitFailed, "read the cluster: list "},
		{"a folder that there is not", []string{"--kubeconfig", kubeconfig, "-o", "no-such-folder/c.json"}, exitFailed, "write no-such-folder/c.json: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mortise(t, "", append([]string{"snapshot"}, c.args...)...)
			require.Equal(t, c.code, o.code, o.err)
			require.Contains(t, o.err, reportPrefix+c.want)
			require.Empty(t, o.out)
		})
	}
}
