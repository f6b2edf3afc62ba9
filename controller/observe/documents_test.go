package observe_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/controller/observe"
)

func TestTheRoleReadsWhatASnapshotReadsAndNothingElse(t *testing.T) {
	t.Parallel()
	docs := strings.Split(read(t, "../../deploy/snapshot-reader.yaml"), "\n---\n")
	require.Len(t, docs, 3, "service account, role, binding")
	var role rbacv1.ClusterRole
	require.NoError(t, yaml.UnmarshalStrict([]byte(docs[1]), &role))

	var may []string
	for _, rule := range role.Rules {
		require.Equal(t, []string{"get", "list"}, rule.Verbs)
		for _, group := range rule.APIGroups {
			for _, name := range rule.Resources {
				may = append(may, group+"/"+name)
			}
		}
	}
	var reads []string
	for _, r := range observe.Resources() {
		reads = append(reads, r.Group+"/"+r.Resource)
	}
	require.ElementsMatch(t, reads, may)
}

func TestTheBindingGivesTheRoleToTheAccount(t *testing.T) {
	t.Parallel()
	docs := strings.Split(read(t, "../../deploy/snapshot-reader.yaml"), "\n---\n")
	var binding rbacv1.ClusterRoleBinding
	require.NoError(t, yaml.UnmarshalStrict([]byte(docs[2]), &binding))
	for _, name := range []string{binding.RoleRef.Name, binding.Subjects[0].Name} {
		require.Contains(t, docs[0]+docs[1], "name: "+name)
	}
	require.Contains(t, docs[0], "namespace: "+binding.Subjects[0].Namespace)
}

// TestTheReadmeSaysHowToReadWithKubectl holds the commands against the kinds:
// one for what every cluster has, one for what Karpenter brings.
func TestTheReadmeSaysHowToReadWithKubectl(t *testing.T) {
	t.Parallel()
	var core, karpenter []string
	for _, r := range observe.Resources() {
		switch r.Group {
		case "karpenter.sh":
			karpenter = append(karpenter, r.Resource)
		case "resource.k8s.io", "autoscaling.x-k8s.io": // not in every cluster, and not yet planned for
		default:
			core = append(core, r.Resource)
		}
	}
	var got [][]string
	for _, m := range regexp.MustCompile(`kubectl get (\S+) -A -o yaml > \S+\.yaml`).FindAllStringSubmatch(read(t, "../../README.md"), -1) {
		names := strings.Split(m[1], ",")
		slices.Sort(names)
		got = append(got, names)
	}
	slices.Sort(core)
	slices.Sort(karpenter)
	require.Equal(t, [][]string{core, karpenter}, got)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}
