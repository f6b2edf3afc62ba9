package catalog_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/provider/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestParseCatalog(t *testing.T) {
	t.Parallel()
	c, err := catalog.ReadFile("testdata/catalog.yaml")
	require.NoError(t, err)
	require.Equal(t, "datacenter", c.Name)
	require.Equal(t, "2026-11-01", c.PricesAsOf.Format("2006-01-02"))
	require.Len(t, c.InstanceTypes, 1)
	blade := c.InstanceTypes[0]
	require.Equal(t, "cpu=32 memory=256Gi nvidia.com/gpu=2 pods=110", written(blade.Capacity))
	require.EqualValues(t, 26, blade.AttachLimits["ebs.csi.aws.com"])
	require.Len(t, blade.Offerings, 3)
	require.EqualValues(t, 4, blade.Offerings[1].Reservation.Count)
	require.False(t, *blade.Offerings[2].Available)
}

func TestParseListOfInstanceTypes(t *testing.T) {
	t.Parallel()
	for form, text := range map[string]string{
		"yaml": "- name: a\n  capacity: {cpu: 4, memory: 8Gi}\n  offerings: [{zone: z1, capacityType: spot, price: 1.5}]\n",
		"json": `[{"name": "a", "capacity": {"cpu": 4, "memory": "8Gi"}, "offerings": [{"zone": "z1", "capacityType": "spot", "price": 1.5}]}]`,
	} {
		c, err := catalog.Parse("prices/mine."+form, []byte(text))
		require.NoError(t, err, form)
		require.Equal(t, "mine", c.Name)
		require.Equal(t, "Catalog", c.Kind)
		require.Equal(t, "USD", c.Currency)
		require.InDelta(t, 1.5, c.InstanceTypes[0].Offerings[0].Price, 0)
		cpu := c.InstanceTypes[0].Capacity[corev1.ResourceCPU]
		require.EqualValues(t, 4, cpu.Value())
	}
}

// TestParseKwok reads Karpenter's kwok format as its provider does: all is
// available, 110 pods unless said, size and family from the name.
func TestParseKwok(t *testing.T) {
	t.Parallel()
	c, err := catalog.ReadFile("testdata/instance_types.json")
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, catalog.Write(&got, c, catalog.YAML))
	golden := filepath.Join("testdata", "instance_types.golden.yaml")
	if *update {
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

func TestParseErrorsNameTheField(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: mortise.dev/v1alpha1\nkind: Catalog\nname: c\n"
	typ := func(rest string) string { return "- name: a\n  capacity: {cpu: 4, memory: 8Gi}\n" + rest }
	offering := func(fields string) string { return typ("  offerings: [{zone: z1, " + fields + "}]\n") }
	kwok := func(fields string) string { return `[{"name": "a", "architecture": "amd64", ` + fields + `}]` }
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "# only a comment\n", "$: empty"},
		{"a word", "price", "$: expected a Catalog, or a list of instance types"},
		{"two documents", "[]\n---\n[]\n", "$: expected one document, got several"},
		{"broken YAML", "a: [", "yaml: line 1: did not find expected node content"},
		{"a key given twice", head + "name: d\n", `yaml: line 4: key "name" already set in map`},
		{"another version", "apiVersion: v1\nkind: Catalog\n", `$.apiVersion: expected mortise.dev/v1alpha1, got "v1"`},
		{"another kind", "apiVersion: mortise.dev/v1alpha1\nkind: Plan\n", `$.kind: expected Catalog, got "Plan"`},
		{"no name", "apiVersion: mortise.dev/v1alpha1\nkind: Catalog\n", "$.name: missing"},
		{"another currency", head + "currency: EUR\n", `$.currency: prices must be in USD, got "EUR"`},
		{"a bad date", head + "pricesAsOf: yesterday\n", `$.pricesAsOf: expected a time such as 2026-12-01T09:00:00Z, got "yesterday"`},
		{"an unknown field", head + "regin: r\n", "$.regin: unknown field"},
		{"a field in another case", head + "Region: r\n", "$.Region: unknown field"},
		{"an unknown field deep down", head + "instanceTypes:\n- {name: a, offerings: [{zoone: z}]}\n", "$.instanceTypes[0].offerings[0].zoone: unknown field"},
		{"a list that is none", head + "instanceTypes: {a: 1}\n", `$.instanceTypes: expected a list, got {"a":1}`},
		{"a price in words", offering("capacityType: spot, price: cheap"), `$[0].offerings[0].price: expected a number, got "cheap"`},
		{"a negative price", offering("capacityType: spot, price: -1"), "$[0].offerings[0].price: expected USD from 0 to 1000000, got -1"},
		{"an unknown capacity type", offering("capacityType: preemptible, price: 1"), `$[0].offerings[0].capacityType: expected on-demand, spot or reserved, got "preemptible"`},
		{"reserved without reservation", offering("capacityType: reserved, price: 1"), "$[0].offerings[0].reservation: missing, expected the reservation of a reserved offering"},
		{"a reservation on spot", offering("capacityType: spot, price: 1, reservation: {id: r, count: 1}"), "$[0].offerings[0].reservation: expected none because the capacity type is spot"},
		{"a reservation without id", offering("capacityType: reserved, price: 1, reservation: {count: 1}"), "$[0].offerings[0].reservation.id: missing, expected the reservation's ID"},
		{"half a machine", offering("capacityType: reserved, price: 1, reservation: {id: r, count: 1.5}"), "$[0].offerings[0].reservation.count: expected a whole number of at most 32 bits, got 1.5"},
		{"a bad quantity", "- {name: a, capacity: {nvidia.com/gpu: 8 GB}}", `$[0].capacity["nvidia.com/gpu"]: expected a quantity such as 500m or 2Gi, got "8 GB"`},
		{"no memory", "- {name: a, capacity: {cpu: 1}}", "$[0].capacity.memory: missing, expected a quantity above 0"},
		{"no CPU", "- {name: a, capacity: {cpu: 0, memory: 1Gi}}", "$[0].capacity.cpu: expected a quantity above 0, got 0"},
		{"a negative capacity", "- {name: a, capacity: {cpu: 1, memory: 1Gi, pods: -1}}", "$[0].capacity.pods: expected a quantity that is not negative, got -1"},
		{"a negative overhead", typ("  overhead: {cpu: -1}\n"), "$[0].overhead.cpu: expected a quantity that is not negative, got -1"},
		{"an offering without zone", typ("  offerings: [{capacityType: spot, price: 1}]\n"), "$[0].offerings[0].zone: missing, expected the name of a zone"},
		{"an offering given twice", typ("  offerings: [{zone: z, capacityType: spot, price: 1}, {zone: z, capacityType: spot, price: 2}]\n"), "$[0].offerings[1]: the zone, capacity type, reservation and requirements are those of $[0].offerings[0] too"},
		{"too much overhead", typ("  overhead: {memory: 9Gi}\n"), "$[0].overhead.memory: expected at most the capacity of 8Gi, got 9Gi"},
		{"no name of a type", "- {capacity: {cpu: 1}}", "$[0].name: missing, expected the name of the instance type"},
		{"a name given twice", typ("") + typ(""), "$[1].name: a is the name of $[0] too"},
		{"a name that is no label", "- {name: a b}", `$[0].name: expected a label value, got "a b"`},
		{"an unknown operator", typ("  requirements: [{key: k, operator: Is, values: [v]}]\n"), `$[0].requirements[0].operator: expected In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte or Lte, got "Is"`},
		{"In without a value", typ("  requirements: [{key: k, operator: In}]\n"), "$[0].requirements[0].values: operator In needs at least one value"},
		{"Exists with one", typ("  requirements: [{key: k, operator: Exists, values: [v]}]\n"), "$[0].requirements[0].values: operator Exists takes no values"},
		{"Gt without a number", typ("  requirements: [{key: k, operator: Gt, values: [many]}]\n"), `$[0].requirements[0].values: operator Gt needs one whole number that is not negative, got ["many"]`},
		{"a negative attach limit", typ("  attachLimits: {ebs.csi.aws.com: -1}\n"), `$[0].attachLimits["ebs.csi.aws.com"]: expected a number that is not negative, got -1`},
		{"kwok with an unknown field", kwok(`"offering": []`), "$[0].offering: unknown field"},
		{"kwok with a zone of two", kwok(`"offerings": [{"requirements": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["a", "b"]}]}]`), "$[0].offerings[0].requirements[0]: topology.kubernetes.io/zone of an offering must be In with one value"},
		{"kwok with an override", kwok(`"offerings": [{"CapacityOverride": {"cpu": "1"}}]`), "$[0].offerings[0]: capacity and overhead of a single offering are not supported"},
		{"kwok without a capacity type", kwok(`"resources": {"cpu": "1", "memory": "1Gi"}, "operatingSystems": ["linux"], "offerings": [{"Price": 1, "Requirements": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["z"]}]}]`), `$[0].offerings[0].capacityType: expected on-demand, spot or reserved, got ""`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := catalog.Parse("f.yaml", []byte(test.text))
			require.EqualError(t, err, "f.yaml: "+test.want)
		})
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	c, err := catalog.Open("kwok")
	require.NoError(t, err)
	require.Len(t, c.InstanceTypes, 144)

	c, err = catalog.Open("testdata/catalog.yaml")
	require.NoError(t, err)
	require.Equal(t, "datacenter", c.Name)

	_, err = catalog.Open("aws-us-est-1")
	require.ErrorContains(t, err, `catalog "aws-us-est-1" is neither a file nor built in: known are aws-`)
}

func TestWhatIsWrittenParsesBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"kwok", "aws-eu-west-1", "testdata/catalog.yaml", "testdata/instance_types.json"} {
		want, err := catalog.Open(name)
		require.NoError(t, err)
		for _, format := range []string{catalog.JSON, catalog.YAML} {
			var text bytes.Buffer
			require.NoError(t, catalog.Write(&text, want, format))
			got, err := catalog.Parse(name, text.Bytes())
			require.NoError(t, err)
			require.True(t, equality.Semantic.DeepEqual(want, got), "%s as %s", name, format)
		}
	}
	require.EqualError(t, catalog.Write(&bytes.Buffer{}, load(t, "kwok"), "toml"), `write catalog kwok: format "toml": expected json or yaml`)
}

// FuzzParse: no input makes Parse panic, and what it accepts is valid and survives being written.
func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/catalog.yaml", "testdata/instance_types.json"} {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(raw)
	}
	f.Add([]byte(`[{"name": "a", "capacity": {"cpu": 4, "memory": "8Gi"}, "offerings": [{"zone": "z1", "capacityType": "spot", "price": 1.5}]}]`))
	f.Add([]byte("apiVersion: mortise.dev/v1alpha1\nkind: Catalog\nname: c\n---\n# end\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := catalog.Parse("f", raw)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "f: "), err)
			return
		}
		require.Nil(t, fields.InstanceTypes("$", c.InstanceTypes))
		var text bytes.Buffer
		require.NoError(t, catalog.Write(&text, c, catalog.JSON))
		again, err := catalog.Parse("f", text.Bytes())
		require.NoError(t, err)
		require.Len(t, again.InstanceTypes, len(c.InstanceTypes))
	})
}

func TestExampleInTheDocsParses(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/catalogs.md")
	require.NoError(t, err)
	_, after, ok := strings.Cut(string(page), "```yaml\n")
	require.True(t, ok)
	example, _, ok := strings.Cut(after, "```")
	require.True(t, ok)
	var kind struct{ Kind string }
	require.NoError(t, yaml.Unmarshal([]byte(example), &kind))
	require.Equal(t, "Catalog", kind.Kind)
	_, err = catalog.Parse("docs/catalogs.md", []byte(example))
	require.NoError(t, err)
}
