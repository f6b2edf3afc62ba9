package catalog_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

func load(t testing.TB, name string) *v1alpha1.Catalog {
	t.Helper()
	c, err := catalog.Load(name)
	require.NoError(t, err)
	return c
}

func find(t testing.TB, c *v1alpha1.Catalog, name string) v1alpha1.InstanceType {
	t.Helper()
	i := slices.IndexFunc(c.InstanceTypes, func(it v1alpha1.InstanceType) bool { return it.Name == name })
	require.GreaterOrEqual(t, i, 0, "%s has no %s", c.Name, name)
	return c.InstanceTypes[i]
}

// price of an offering; -1 if it is not for sale.
func price(it v1alpha1.InstanceType, zone, capacityType string) float64 {
	for _, o := range it.Offerings {
		if o.Zone == zone && o.CapacityType == capacityType {
			return o.Price
		}
	}
	return -1
}

func TestBuiltInCounts(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		name          string
		instanceTypes int
		offerings     int
		spot          bool
		estimated     bool
	}{
		{"aws-ap-northeast-1", 133, 795, true, true},
		{"aws-eu-west-1", 150, 897, true, true},
		{"aws-us-east-1", 1345, 13368, true, true},
		{"aws-us-gov-west-1", 750, 2250, false, false},
		{"azure-eastus", 1288, 3864, false, false},
		{"azure-japaneast", 1242, 3726, false, false},
		{"azure-westeurope", 1330, 3990, false, false},
		{"gcp-asia-northeast1", 277, 1662, true, false},
		{"gcp-europe-west1", 348, 2088, true, false},
		{"gcp-us-central1", 384, 3072, true, false},
		{"kwok", 144, 1152, true, false},
	} {
		t.Run(want.name, func(t *testing.T) {
			t.Parallel()
			got := catalog.Describe(load(t, want.name))
			require.Equal(t, want.instanceTypes, got.InstanceTypes)
			require.Equal(t, want.offerings, got.Offerings)
			require.Equal(t, want.spot, got.Spot)
			require.Equal(t, want.estimated, got.Estimated)
		})
	}
}

func TestBuiltInPrices(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		catalog, instanceType, zone, capacityType string
		price                                     float64
	}{
		{"aws-us-east-1", "m5.large", "us-east-1a", "on-demand", 0.096},
		{"aws-us-east-1", "m5.large", "us-east-1f", "on-demand", 0.096},
		{"aws-us-east-1", "m5.large", "us-east-1a", "spot", 0.03264}, // 66 % less
		{"aws-us-east-1", "m5a.12xlarge", "us-east-1c", "on-demand", 2.064},
		{"aws-us-east-1", "trn2.48xlarge", "us-east-1a", "on-demand", -1}, // not sold in the region
		{"aws-eu-west-1", "a1.medium", "eu-west-1b", "on-demand", 0.0288},
		{"aws-ap-northeast-1", "m5.large", "ap-northeast-1d", "on-demand", 0.124},
		{"aws-us-gov-west-1", "m5.large", "us-gov-west-1a", "spot", -1},
		{"gcp-us-central1", "c4n-standard-8", "us-central1-f", "on-demand", 0.63255},
		{"gcp-us-central1", "c4n-standard-8", "us-central1-a", "spot", 0.25302},
		{"gcp-europe-west1", "c4d-highcpu-192", "europe-west1-d", "spot", 4.16742492},
		{"azure-eastus", "Standard_D96ls_v5", "eastus-3", "on-demand", 4.08},
		{"azure-japaneast", "Standard_D8pls_v5", "japaneast-1", "on-demand", 0.342},
		{"kwok", "c-48x-amd64-linux", "test-zone-d", "on-demand", 1.3030792151040003},
		{"kwok", "c-48x-amd64-linux", "test-zone-a", "spot", 0.9121554505728001},
	} {
		c := load(t, want.catalog)
		if want.price < 0 {
			require.False(t, slices.ContainsFunc(c.InstanceTypes, func(it v1alpha1.InstanceType) bool {
				return it.Name == want.instanceType && price(it, want.zone, want.capacityType) >= 0
			}), "%v", want)
			continue
		}
		require.InDelta(t, want.price, price(find(t, c, want.instanceType), want.zone, want.capacityType), 0, "%v", want)
	}
}

func TestBuiltInShapes(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		catalog, instanceType string
		capacity, overhead    string
	}{
		{"aws-us-east-1", "m5.large", "cpu=2 ephemeral-storage=20Gi memory=7577Mi pods=29 vpc.amazonaws.com/pod-eni=9", "cpu=70m ephemeral-storage=3Gi memory=674Mi"},
		{"gcp-us-central1", "a2-highgpu-1g", "cpu=12 ephemeral-storage=100Gi memory=84879291188 nvidia.com/gpu=1 pods=110", "cpu=200m ephemeral-storage=51Gi memory=7001Mi"},
		{"azure-eastus", "Standard_D96ls_v5", "cpu=96 ephemeral-storage=128G memory=190696547942 pods=250", "cpu=1060m memory=11604Mi"},
		{"kwok", "c-128x-amd64-linux", "cpu=128 ephemeral-storage=20Gi memory=256Gi pods=1024", "cpu=100m memory=10Mi"},
	} {
		it := find(t, load(t, want.catalog), want.instanceType)
		require.Equal(t, want.capacity, written(it.Capacity), want.instanceType)
		require.Equal(t, want.overhead, written(it.Overhead), want.instanceType)
	}
}

func written(list corev1.ResourceList) string {
	var out []string
	for name, q := range list {
		out = append(out, string(name)+"="+q.String())
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestBuiltInLabels(t *testing.T) {
	t.Parallel()
	for _, want := range []struct{ catalog, instanceType, label, value string }{
		{"aws-us-east-1", "m5.large", "kubernetes.io/arch", "In amd64"},
		{"aws-us-east-1", "m5.large", "topology.kubernetes.io/region", "In us-east-1"},
		{"aws-us-east-1", "m5.large", "node.kubernetes.io/instance-type", "In m5.large"},
		{"aws-us-east-1", "m5.large", "karpenter.k8s.aws/instance-gpu-name", "DoesNotExist"},
		{"aws-us-east-1", "m5.metal", "karpenter.k8s.aws/instance-hypervisor", "In "},
		{"gcp-us-central1", "a2-highgpu-1g", "cloud.google.com/gke-accelerator", "In nvidia-tesla-a100"},
		{"azure-eastus", "Standard_D96ls_v5", "karpenter.azure.com/sku-family", "In D"},
		{"azure-eastus", "Standard_D96ls_v5", "karpenter.azure.com/sku-version", "In 5"},
		{"azure-eastus", "Standard_DS14", "karpenter.azure.com/sku-version", "In 1"},
		{"kwok", "c-48x-amd64-windows", "kubernetes.io/os", "In windows"},
	} {
		it := find(t, load(t, want.catalog), want.instanceType)
		i := slices.IndexFunc(it.Requirements, func(r corev1.NodeSelectorRequirement) bool { return r.Key == want.label })
		require.GreaterOrEqual(t, i, 0, "%v", want)
		got := string(it.Requirements[i].Operator)
		if r := it.Requirements[i]; r.Operator == corev1.NodeSelectorOpIn {
			got += " " + strings.Join(r.Values, ",")
		}
		require.Equal(t, want.value, got, "%v", want)
	}
}

// TestBuiltInWellFormed holds every instance type against what any catalog must be, and against its sources' promises.
func TestBuiltInWellFormed(t *testing.T) {
	t.Parallel()
	for _, name := range catalog.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := load(t, name)
			require.Equal(t, "USD", c.Currency)
			require.NotEmpty(t, c.Sources)
			require.NotEmpty(t, c.Notes)
			require.Nil(t, fields.InstanceTypes("$.instanceTypes", c.InstanceTypes))
			require.True(t, slices.IsSortedFunc(c.InstanceTypes, func(a, b v1alpha1.InstanceType) int { return cmp.Compare(a.Name, b.Name) }))
			for _, it := range c.InstanceTypes {
				requireWellFormed(t, it)
			}
		})
	}
}

func requireWellFormed(t *testing.T, it v1alpha1.InstanceType) {
	t.Helper()
	require.True(t, slices.IsSortedFunc(it.Requirements, func(a, b corev1.NodeSelectorRequirement) int { return cmp.Compare(a.Key, b.Key) }), it.Name)
	for _, r := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods, corev1.ResourceEphemeralStorage} {
		allocatable := it.Capacity[r].DeepCopy()
		allocatable.Sub(it.Overhead[r])
		require.Positive(t, allocatable.Sign(), "%s: allocatable %s", it.Name, r)
	}
	require.NotEmpty(t, it.Offerings, it.Name)
	for _, o := range it.Offerings {
		require.Positive(t, o.Price, "%s in %s", it.Name, o.Zone)
		require.Less(t, o.Price, 1000.0, "%s in %s", it.Name, o.Zone)
		require.NotEmpty(t, o.Zone, it.Name)
	}
}

func TestSpotNeverCostsMoreThanOnDemand(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"aws-us-east-1", "aws-eu-west-1", "aws-ap-northeast-1"} {
		for _, it := range load(t, name).InstanceTypes {
			for _, o := range it.Offerings {
				require.Equal(t, o.CapacityType == "spot", o.Estimated, "%s %s", name, it.Name)
				require.LessOrEqual(t, o.Price, price(it, o.Zone, "on-demand"), "%s %s", name, it.Name)
			}
		}
	}
}

func TestListAgreesWithWhatLoads(t *testing.T) {
	t.Parallel()
	var names []string
	for _, info := range catalog.List() {
		names = append(names, info.Name)
		require.Positive(t, info.Bytes, info.Name)
		info.Bytes, info.Synthetic = 0, false // not in the catalog itself
		require.Equal(t, info, catalog.Describe(load(t, info.Name)))
	}
	require.Equal(t, catalog.Names(), names)
	require.True(t, slices.IsSorted(names))
}

func TestNotesSayWhatIsNotPublished(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"aws-us-east-1":      "spot prices are estimates",
		"aws-eu-west-1":      "prices are of April 2019",
		"aws-ap-northeast-1": "prices are of April 2019",
		"aws-us-gov-west-1":  "no spot prices",
		"azure-eastus":       "no spot prices",
		"gcp-us-central1":    "vCPU and memory follow from the names",
		"gcp-europe-west1":   "zones are assumed",
		"kwok":               "synthetic",
	} {
		require.Contains(t, strings.Join(load(t, name).Notes, "\n"), want, name)
	}
}

func TestLoadGivesEachCallerItsOwn(t *testing.T) {
	t.Parallel()
	mine := load(t, "kwok")
	mine.Notes[0] = "mine"
	mine.InstanceTypes[0].Capacity[corev1.ResourceCPU] = resource.MustParse("1000")
	mine.InstanceTypes[0].Requirements[0].Values[0] = "mine"
	mine.InstanceTypes[0].Offerings[0].Price = 0

	yours, again := load(t, "kwok"), load(t, "kwok")
	require.Equal(t, again, yours)
	require.NotEqual(t, mine.Notes, yours.Notes)
	require.NotEqual(t, mine.InstanceTypes[0].Capacity, yours.InstanceTypes[0].Capacity)
	require.NotEqual(t, mine.InstanceTypes[0].Requirements, yours.InstanceTypes[0].Requirements)
	require.NotEqual(t, mine.InstanceTypes[0].Offerings, yours.InstanceTypes[0].Offerings)
}

func TestLoadOfUnknownNameListsTheKnown(t *testing.T) {
	t.Parallel()
	_, err := catalog.Load("aws-mars-1")
	require.EqualError(t, err, `catalog "aws-mars-1" is not built in: known are aws-ap-northeast-1, aws-eu-west-1, aws-us-east-1, `+
		`aws-us-gov-west-1, azure-eastus, azure-japaneast, azure-westeurope, gcp-asia-northeast1, gcp-europe-west1, gcp-us-central1, kwok`)
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		load(b, "aws-us-east-1")
	}
}
