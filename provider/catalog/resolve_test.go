package catalog_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

func machine(name string, price float64) v1alpha1.InstanceType {
	return v1alpha1.InstanceType{
		Name:      name,
		Capacity:  corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("8Gi")},
		Offerings: []v1alpha1.Offering{{Zone: "z1", CapacityType: "on-demand", Price: price}},
	}
}

func TestResolveAddsOwnTypesToTheCatalog(t *testing.T) {
	t.Parallel()
	own := []v1alpha1.InstanceType{machine("zeta", 1), machine("m5.large", 0.01)}
	s := &v1alpha1.Snapshot{Catalog: "aws-eu-west-1", InstanceTypes: own}
	got, warnings, err := catalog.Resolve(s)
	require.NoError(t, err)

	require.Len(t, got.InstanceTypes, 151)
	require.True(t, slices.IsSortedFunc(got.InstanceTypes, func(a, b v1alpha1.InstanceType) int {
		return slices.Compare([]string{a.Name}, []string{b.Name})
	}))
	replaced := got.InstanceTypes[slices.IndexFunc(got.InstanceTypes, func(it v1alpha1.InstanceType) bool { return it.Name == "m5.large" })]
	require.Equal(t, own[1], replaced)
	require.Equal(t, "aws-eu-west-1", got.Catalog)
	require.Len(t, s.InstanceTypes, 2, "the snapshot itself is left alone")
	require.Equal(t, "catalog aws-eu-west-1: prices are of April 2019, and no instance type is newer than that", warnings[0])
	require.Len(t, warnings, 3)

	again, warningsAgain, err := catalog.Resolve(got)
	require.NoError(t, err)
	require.Equal(t, got, again)
	require.Equal(t, warnings, warningsAgain)
}

func TestResolveWithoutCatalogKeepsOwnTypes(t *testing.T) {
	t.Parallel()
	got, warnings, err := catalog.Resolve(&v1alpha1.Snapshot{InstanceTypes: []v1alpha1.InstanceType{machine("b", 2), machine("a", 1)}})
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Equal(t, []v1alpha1.InstanceType{machine("a", 1), machine("b", 2)}, got.InstanceTypes)
}

func TestResolveErrorsNameTheField(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		s    v1alpha1.Snapshot
		want string
	}{
		{"an unknown catalog", v1alpha1.Snapshot{Catalog: "mars"}, `$.catalog: catalog "mars" is not built in: known are aws-`},
		{"a type given twice", v1alpha1.Snapshot{InstanceTypes: []v1alpha1.InstanceType{machine("a", 1), machine("a", 2)}}, "$.instanceTypes[1].name: a is the name of $.instanceTypes[0] too"},
		{"a price that is no number", v1alpha1.Snapshot{InstanceTypes: []v1alpha1.InstanceType{machine("a", math.NaN())}}, "$.instanceTypes[0].offerings[0].price: expected USD from 0 to 1000000, got NaN"},
		{"a price without end", v1alpha1.Snapshot{InstanceTypes: []v1alpha1.InstanceType{machine("a", math.Inf(1))}}, "$.instanceTypes[0].offerings[0].price: expected USD from 0 to 1000000, got +Inf"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := catalog.Resolve(&test.s)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestOverride(t *testing.T) {
	t.Parallel()
	s := &v1alpha1.Snapshot{Catalog: "aws-us-east-1", InstanceTypes: []v1alpha1.InstanceType{machine("own", 1)}}

	builtIn, warnings, err := catalog.Override(s, "kwok")
	require.NoError(t, err)
	require.Equal(t, "kwok", builtIn.Catalog)
	require.Len(t, builtIn.InstanceTypes, 145)
	require.Len(t, warnings, 1)

	fromFile, warnings, err := catalog.Override(s, "testdata/catalog.yaml")
	require.NoError(t, err)
	require.Empty(t, fromFile.Catalog)
	require.Len(t, fromFile.InstanceTypes, 2)
	require.Equal(t, []string{"catalog datacenter: power is billed apart"}, warnings)
	again, _, err := catalog.Resolve(fromFile)
	require.NoError(t, err)
	require.Equal(t, fromFile, again)

	_, _, err = catalog.Override(s, "mars")
	require.ErrorContains(t, err, "neither a file nor built in")
	require.Equal(t, "aws-us-east-1", s.Catalog, "the snapshot itself is left alone")
}
