package catalog_test

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

// TestKwokFileOfKarpenter reads the file that Karpenter's module brings: it is the built-in catalog.
func TestKwokFileOfKarpenter(t *testing.T) {
	t.Parallel()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/karpenter").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	file, err := catalog.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "kwok", "cloudprovider", "instance_types.json"))
	require.NoError(t, err)
	slices.SortFunc(file.InstanceTypes, func(a, b v1alpha1.InstanceType) int { return cmp.Compare(a.Name, b.Name) })

	builtIn := load(t, "kwok")
	require.Len(t, file.InstanceTypes, len(builtIn.InstanceTypes))
	for i, want := range builtIn.InstanceTypes {
		got := file.InstanceTypes[i]
		for _, o := range want.Offerings {
			require.InDelta(t, o.Price, price(got, o.Zone, o.CapacityType), 1e-12, "%s %s %s", want.Name, o.Zone, o.CapacityType)
		}
		require.Len(t, got.Offerings, len(want.Offerings))
		got.Offerings, want.Offerings = nil, nil
		require.True(t, equality.Semantic.DeepEqual(want, got), "want %v, got %v", want, got)
	}
}
