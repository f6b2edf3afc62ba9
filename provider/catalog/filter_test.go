package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/provider/catalog"
)

func TestFilter(t *testing.T) {
	t.Parallel()
	q := resource.MustParse
	for _, test := range []struct {
		name    string
		catalog string
		filter  catalog.Filter
		want    []string
	}{
		{"a family by CPU range", "aws-us-east-1", catalog.Filter{Families: []string{"m5"}, MinCPU: q("4"), MaxCPU: q("16")}, []string{"m5.2xlarge", "m5.4xlarge", "m5.xlarge"}},
		{"a pattern of names", "aws-us-east-1", catalog.Filter{Names: []string{"a1.m*"}}, []string{"a1.medium", "a1.metal"}},
		{"an architecture", "kwok", catalog.Filter{Names: []string{"c-1x-*-linux"}, Architectures: []string{"arm64"}}, []string{"c-1x-arm64-linux"}},
		{"a memory range", "gcp-us-central1", catalog.Filter{Families: []string{"c2"}, MaxMemory: q("16Gi")}, []string{"c2-standard-4"}},
		{"a family by its letter", "azure-eastus", catalog.Filter{Families: []string{"G"}, MaxCPU: q("4")}, []string{"Standard_G1", "Standard_G2", "Standard_GS1", "Standard_GS2"}},
		{"what is not for sale", "azure-eastus", catalog.Filter{CapacityTypes: []string{"spot"}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := test.filter.Apply(load(t, test.catalog))
			require.NoError(t, err)
			var names []string
			for _, it := range got.InstanceTypes {
				names = append(names, it.Name)
			}
			require.Equal(t, test.want, names)
		})
	}
}

func TestFilterPicksOfferings(t *testing.T) {
	t.Parallel()
	all := load(t, "kwok")
	got, err := catalog.Filter{CapacityTypes: []string{"spot"}}.Apply(all)
	require.NoError(t, err)
	require.Len(t, got.InstanceTypes, 144)
	require.Len(t, got.InstanceTypes[0].Offerings, 4)
	require.Len(t, all.InstanceTypes[0].Offerings, 8, "the catalog itself is left alone")
}

func TestFilterWithABrokenPattern(t *testing.T) {
	t.Parallel()
	_, err := catalog.Filter{Names: []string{"m5.["}}.Apply(load(t, "kwok"))
	require.EqualError(t, err, `pattern "m5.[": syntax error in pattern`)
}
