package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// mustRead reads input that nothing is the matter with.
func mustRead(t *testing.T, paths ...string) *v1alpha1.Snapshot {
	t.Helper()
	s, warnings, err := Read(paths, nil, aTuesday)
	require.NoError(t, err)
	require.Empty(t, warnings)
	return s
}

func mustDecode(t *testing.T, text string) *v1alpha1.Snapshot {
	t.Helper()
	s, warnings, err := Decode("test.yaml", []byte(text), aTuesday)
	require.NoError(t, err)
	require.Empty(t, warnings)
	return s
}

func TestReadASnapshotDocument(t *testing.T) {
	s := mustRead(t, "testdata/forms/snapshot.yaml")

	require.Equal(t, metav1.TypeMeta{APIVersion: "mortise.dev/v1alpha1", Kind: "Snapshot"}, s.TypeMeta)
	require.Equal(t, time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC), s.Time.Time)
	require.Equal(t, "aws-us-east-1", s.Catalog)
	require.Equal(t, v1alpha1.PoolOrderWeight, s.Policy.PoolOrder)
	perHour := s.Policy.Limits["perHour"]
	require.Equal(t, "450m", perHour.String())

	require.Len(t, s.InstanceTypes, 1)
	m6i := s.InstanceTypes[0]
	require.Equal(t, map[string]int32{"ebs.csi.aws.com": 26}, m6i.AttachLimits)
	var offerings []string
	for _, o := range m6i.Offerings {
		offerings = append(offerings, o.Zone+"/"+o.CapacityType)
	}
	require.Equal(t, []string{"us-east-1a/on-demand", "us-east-1a/reserved", "us-east-1a/spot", "us-east-1b/on-demand"}, offerings, "in a fixed order")

	require.Equal(t, []string{"Node n1", "Pod shop/web"}, namesIn(s))
	for _, o := range s.Objects {
		require.Nil(t, o.Raw)
		require.NotEmpty(t, o.Object.GetObjectKind().GroupVersionKind().Version)
	}
}

func TestReadFillsInWhatTheAPIServerWould(t *testing.T) {
	s := mustRead(t, "testdata/forms/snapshot.yaml")
	pod := s.Objects[1].Object.(*corev1.Pod)
	require.Equal(t, "default-scheduler", pod.Spec.SchedulerName)
	main := pod.Spec.Containers[0]
	require.Equal(t, "1", main.Resources.Requests.Cpu().String(), "a limit without a request is requested")
	require.Equal(t, "512Mi", main.Resources.Requests.Memory().String(), "a request stays")
	require.Equal(t, int32(80), main.Ports[0].HostPort, "a pod on the host's network takes its ports")
	require.Equal(t, corev1.ProtocolTCP, main.Ports[0].Protocol)
}

func TestEveryFormOfInputGivesTheSameObjects(t *testing.T) {
	want := mustRead(t, "testdata/forms/snapshot.yaml").Objects
	asYAML, err := os.ReadFile("testdata/forms/snapshot.yaml")
	require.NoError(t, err)
	asJSON, err := yaml.YAMLToJSON(asYAML)
	require.NoError(t, err)
	parts := splitYAML(itemsAsDocuments(t, asJSON))
	require.Len(t, parts, 3)

	forms := map[string]func() (*v1alpha1.Snapshot, []string, error){
		"a directory": func() (*v1alpha1.Snapshot, []string, error) {
			return Read([]string{"testdata/forms/cluster"}, nil, aTuesday)
		},
		"two files of a directory": func() (*v1alpha1.Snapshot, []string, error) {
			return Read([]string{"testdata/forms/cluster/nested/nodes.yml", "testdata/forms/cluster/list.json"}, nil, aTuesday)
		},
		"a file twice": func() (*v1alpha1.Snapshot, []string, error) {
			return Read([]string{"testdata/forms/snapshot.yaml", "testdata/../testdata/forms/snapshot.yaml"}, nil, aTuesday)
		},
		"a file and a directory that say the same": func() (*v1alpha1.Snapshot, []string, error) {
			return Read([]string{"testdata/forms/snapshot.yaml", "testdata/forms/cluster"}, nil, aTuesday)
		},
		"YAML on standard input": func() (*v1alpha1.Snapshot, []string, error) {
			return Read([]string{"-"}, bytes.NewReader(asYAML), aTuesday)
		},
		"JSON on standard input": func() (*v1alpha1.Snapshot, []string, error) {
			return Read([]string{"-"}, bytes.NewReader(asJSON), aTuesday)
		},
		"JSON and a file": func() (*v1alpha1.Snapshot, []string, error) {
			return Read([]string{"testdata/forms/cluster", "-"}, bytes.NewReader(asJSON), aTuesday)
		},
		"a document for each object": func() (*v1alpha1.Snapshot, []string, error) {
			return Decode("documents", itemsAsDocuments(t, asJSON), aTuesday)
		},
		"Windows line ends and a byte order mark": func() (*v1alpha1.Snapshot, []string, error) {
			text := "\uFEFF" + strings.ReplaceAll(string(itemsAsDocuments(t, asJSON)), "\n", "\r\n")
			return Decode("windows", []byte(text), aTuesday)
		},
		"JSON values one after the other": func() (*v1alpha1.Snapshot, []string, error) {
			return Decode("values", bytes.ReplaceAll(itemsAsDocuments(t, asJSON), []byte("---\n"), nil), aTuesday)
		},
		"a JSON list": func() (*v1alpha1.Snapshot, []string, error) {
			var s map[string]any
			require.NoError(t, json.Unmarshal(asJSON, &s))
			list, err := json.Marshal(s["objects"])
			require.NoError(t, err)
			return Decode("list", list, aTuesday)
		},
		"flow style YAML": func() (*v1alpha1.Snapshot, []string, error) {
			return Decode("flow", []byte(`{apiVersion: v1, kind: List, items: [`+
				`{apiVersion: v1, kind: Node, metadata: {name: n1}},`+
				`{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {hostNetwork: true, containers: [{name: main, `+
				`ports: [{containerPort: 80}], resources: {limits: {cpu: 1, memory: 1Gi}, requests: {memory: 512Mi}}}]}}]}`), aTuesday)
		},
		"its own output": func() (*v1alpha1.Snapshot, []string, error) {
			out, err := json.Marshal(mustRead(t, "testdata/forms/snapshot.yaml"))
			require.NoError(t, err)
			return Decode("output", out, aTuesday)
		},
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			s, warnings, err := form()
			require.NoError(t, err)
			require.Empty(t, warnings)
			require.Equal(t, asText(t, want), asText(t, s.Objects))
			require.Equal(t, aTuesday, s.Time.Time)
		})
	}
}

// itemsAsDocuments makes a YAML document of each object of a Snapshot in JSON.
func itemsAsDocuments(t *testing.T, snapshot []byte) []byte {
	t.Helper()
	var s v1alpha1.Snapshot
	require.NoError(t, json.Unmarshal(snapshot, &s))
	var b bytes.Buffer
	for _, o := range s.Objects {
		fmt.Fprintf(&b, "---\n%s\n", o.Raw)
	}
	return b.Bytes()
}

func asText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	return string(text)
}

// A snapshot of many objects in many files, read in any order, is the same.
func TestTheOrderOfInputDoesNotMatter(t *testing.T) {
	documents := manyDocuments()
	read := func(seed uint64) (*v1alpha1.Snapshot, []string) {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(documents), func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
		s, warnings, err := Decode("all", []byte(strings.Join(documents, "---\n")), aTuesday)
		require.NoError(t, err)
		for i, w := range warnings {
			// The number of a document depends on the order, of course.
			warnings[i] = inWhicheverDocument.ReplaceAllString(w, "")
		}
		return s, warnings
	}
	want, wantWarnings := read(0)
	require.Len(t, want.Objects, 22)
	for seed := range uint64(20) {
		got, warnings := read(seed)
		require.Equal(t, asText(t, want), asText(t, got))
		require.Equal(t, wantWarnings, warnings)
	}
}

var inWhicheverDocument = regexp.MustCompile(`: document \d+`)

func manyDocuments() []string {
	docs := []string{
		"apiVersion: mortise.dev/v1alpha1\nkind: Policy\ngap: 0.01\n",
		"apiVersion: mortise.dev/v1alpha1\nkind: Snapshot\ntime: \"2026-12-01T09:00:00Z\"\npolicy: {seed: 7, gap: 0.01}\n",
		"apiVersion: mortise.dev/v1alpha1\nkind: Catalog\nname: mine\ninstanceTypes: [{name: b, capacity: {cpu: 1, memory: 1Gi}, offerings: []}]\n",
		"apiVersion: mortise.dev/v1alpha1\nkind: Snapshot\ninstanceTypes: [{name: a, capacity: {cpu: 1, memory: 1Gi}, offerings: []}]\n",
		"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n",
		"apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: p}\n",
		"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: p}\nspec: {template: {spec: {requirements: []}}}\n",
		"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: q}\nspec: {template: {spec: {requirements: 5}}}\n",
	}
	for i := range 10 {
		docs = append(docs,
			fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec: {nodeNam: a, containers: []}\n", i),
			fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: p%d}\n", i))
	}
	return docs
}

func TestAReadablePoolBeatsOneThatIsNot(t *testing.T) {
	s, warnings, err := Decode("pools", []byte(strings.Join(manyDocuments()[5:7], "---\n")), aTuesday)
	require.NoError(t, err)
	require.Len(t, warnings, 1)
	require.Contains(t, warnings[0], "NodePool p: $.apiVersion: expected karpenter.sh/v1, got karpenter.sh/v1beta1; left out")
	require.Len(t, s.Objects, 1)
	require.Empty(t, s.Objects[0].Object.(metav1.Object).GetAnnotations()[v1alpha1.AnnotationHold])
}

func TestTimeIsTheSnapshotsOrElseTheCallers(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
	const snapshot = "apiVersion: mortise.dev/v1alpha1\nkind: Snapshot\ntime: \"2026-12-01T10:00:00+01:00\"\n"
	later := aTuesday.Add(time.Hour)

	s, _, err := Decode("a", []byte(pod), later)
	require.NoError(t, err)
	require.Equal(t, later, s.Time.Time)

	s, _, err = Decode("a", []byte(pod+"---\n"+snapshot), later)
	require.NoError(t, err)
	require.Equal(t, aTuesday, s.Time.Time, "in UTC, whatever the zone of the file")

	_, _, err = Decode("a", []byte(pod), time.Time{})
	require.EqualError(t, err, "a: $.time: missing, expected a time such as 2026-12-01T09:00:00Z")
}

func TestFilesThatCannotBeRead(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"no path", nil, "no snapshot given: expected a file, a directory, or - for standard input"},
		{"no such file", []string{"testdata/none.yaml"}, "testdata/none.yaml: no such file or directory"},
		{"nothing in the directory", []string{empty}, empty + ": no .yaml, .yml or .json file in this directory"},
		{"nothing on standard input", []string{"-"}, "standard input: empty, expected a Snapshot, a List or Kubernetes objects"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Read(c.paths, strings.NewReader(""), aTuesday)
			require.EqualError(t, err, c.want)
		})
	}
}

func TestContradictionsNameBothFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	a := write("a.yaml", "apiVersion: mortise.dev/v1alpha1\nkind: Snapshot\npolicy: {horizon: 24h}\n")
	b := write("b.yaml", "apiVersion: mortise.dev/v1alpha1\nkind: Snapshot\npolicy: {horizon: 48h}\n")
	want := fmt.Sprintf(`%s: $.policy.horizon: "48h0m0s" differs from "24h0m0s" in %s`, b, a)
	for _, paths := range [][]string{{a, b}, {b, a}, {dir}} {
		_, _, err := Read(paths, nil, aTuesday)
		require.EqualError(t, err, want)
	}
}

func TestACatalogsNotesAreTold(t *testing.T) {
	_, warnings, err := Decode("c", []byte("apiVersion: mortise.dev/v1alpha1\nkind: Catalog\nname: mine\nnotes: [prices are of 2019]\ninstanceTypes: []\n"), aTuesday)
	require.NoError(t, err)
	require.Equal(t, []string{"catalog mine: prices are of 2019"}, warnings)
}

func TestObjectsAreReadWithoutTheirBallast(t *testing.T) {
	s := mustDecode(t, `
apiVersion: v1
kind: Pod
metadata:
  name: web
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", keep: me}
  managedFields: [{manager: kubectl, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}}]
`)
	pod := s.Objects[0].Object.(*corev1.Pod)
	require.Equal(t, "default", pod.Namespace, "as kubectl would have it")
	require.Equal(t, map[string]string{"keep": "me"}, pod.Annotations)
	require.Empty(t, pod.ManagedFields)
}

// BenchmarkRead reads 10,000 pods on 1,000 nodes as kubectl prints them.
func BenchmarkRead(b *testing.B) {
	data := bigList(b, 10_000, 1_000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		_, _, err := Decode("big.json", data, aTuesday)
		require.NoError(b, err)
	}
}

func bigList(tb testing.TB, pods, nodes int) []byte {
	tb.Helper()
	var items []runtime.RawExtension
	for i := range pods {
		items = append(items, runtime.RawExtension{Object: bigPod(i)})
	}
	for i := range nodes {
		items = append(items, runtime.RawExtension{Object: &corev1.Node{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%d", i), Labels: map[string]string{"topology.kubernetes.io/zone": "z1"}},
		}})
	}
	data, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "items": items}, "", "    ")
	require.NoError(tb, err)
	return data
}

func bigPod(i int) *corev1.Pod {
	container := corev1.Container{
		Name: "main", Image: "registry.example.com/team/application@sha256:0123456789abcdef0123456789abcdef",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("250m"), "memory": resource.MustParse("512Mi")}, Limits: corev1.ResourceList{"memory": resource.MustParse("1Gi")}},
	}
	for k := range 20 {
		container.Env = append(container.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", k), Value: "https://service.example.com/some/path"})
	}
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("web-%d", i), Namespace: "shop",
			Labels: map[string]string{"app": "web", "pod-template-hash": "6d4f5b7c9"},
		},
		Spec:   corev1.PodSpec{NodeName: fmt.Sprintf("node-%d", i%1000), Containers: []corev1.Container{container, container}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1"},
	}
}
