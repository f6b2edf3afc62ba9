package scenarios_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/yaml"
)

// load reads every scenario of the folder's themes, by theme/name.
func load(t testing.TB, folder string) map[string]*scenario {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	out := map[string]*scenario{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		s := &scenario{}
		require.NoError(t, yaml.UnmarshalStrict(data, s), file)
		s.settle()
		name, err := filepath.Rel(folder, file)
		require.NoError(t, err)
		out[strings.TrimSuffix(filepath.ToSlash(name), ".yaml")] = s
	}
	return out
}

// settle fills in what the short form leaves out, and counts out what it says once.
func (s *scenario) settle() {
	c := &s.cluster
	if c.Time.IsZero() {
		c.Time = tuesdayMorning
	}
	if c.Policy.EvictionCost == nil {
		c.Policy.EvictionCost = ptr.To(0.0)
	}
	if c.Policy.Gap == nil {
		c.Policy.Gap = ptr.To(0.0)
	}
	if len(c.Pools) == 0 && !c.NoPools {
		c.Pools = []pool{{}}
	}
	settlePools(c.Pools)
	c.Nodes = countNodes(c.Nodes)
	c.Pending = countPods(c.Pending)
	for i := range s.Then {
		settlePools(s.Then[i].Pools)
		s.Then[i].Pending = countPods(s.Then[i].Pending)
	}
}

func settlePools(pools []pool) {
	for i := range pools {
		pools[i].Name = cmp.Or(pools[i].Name, defaultPool)
	}
}

func countNodes(nodes []node) []node {
	var out []node
	for _, n := range nodes {
		n.Pool, n.Zone = cmp.Or(n.Pool, defaultPool), cmp.Or(n.Zone, defaultZone)
		n.Capacity = cmp.Or(n.Capacity, karpv1.CapacityTypeOnDemand)
		if n.Age == nil {
			n.Age = duration(defaultNodeAge)
		}
		pods := n.Pods
		for i, name := range numbered(n.Name, n.Count) {
			n.Name, n.Pods = name, nil
			for _, p := range pods {
				if n.Count > 0 {
					p.App = cmp.Or(p.App, p.Name)
					p.Name = numbered(p.Name, n.Count)[i]
				}
				n.Pods = append(n.Pods, p)
			}
			n.Pods = countPods(n.Pods)
			out = append(out, n)
		}
	}
	return out
}

func countPods(pods []pod) []pod {
	var out []pod
	for _, p := range pods {
		p.App = cmp.Or(p.App, number.ReplaceAllString(p.Name, ""))
		p.Namespace, p.Owner = cmp.Or(p.Namespace, metav1.NamespaceDefault), cmp.Or(p.Owner, "ReplicaSet")
		if p.Age == nil {
			p.Age = duration(defaultPodAge)
		}
		for _, name := range numbered(p.Name, p.Count) {
			p.Name = name
			out = append(out, p)
		}
	}
	return out
}

func duration(d time.Duration) *metav1.Duration {
	return &metav1.Duration{Duration: d}
}
