package snapshot

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func policyFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestReadPolicy(t *testing.T) {
	for _, c := range []struct{ name, file, text string }{
		{"YAML", "p.yaml", "apiVersion: mortise.dev/v1alpha1\nkind: Policy\nnodeFee: 0.01\nhorizon: 72h\n"},
		{"YAML that does not say what it is", "p.yaml", "nodeFee: 0.01\nhorizon: 72h\n"},
		{"JSON", "p.json", `{"nodeFee": 0.01, "horizon": "72h"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ReadPolicy(policyFile(t, c.file, c.text))
			require.NoError(t, err)
			require.InDelta(t, 0.01, *p.NodeFee, 0)
			require.Equal(t, 72*time.Hour, p.Horizon.Duration)
			require.Nil(t, p.Gap, "what is absent stays absent")
		})
	}
}

func TestAnEmptyFileIsTheEmptyPolicy(t *testing.T) {
	p, err := ReadPolicy(policyFile(t, "p.yaml", "# all defaults\n"))
	require.NoError(t, err)
	require.Equal(t, v1alpha1.Policy{}, p)
}

func TestReadPolicySaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an unknown field", "nodeFe: 1\n", "$.nodeFe: unknown field"},
		{"a wrong value", "gap: 2\n", "$.gap: expected a gap of at least 0 and below 1, got 2"},
		{"another kind", "kind: Snapshot\n", `$.kind: expected Policy, got "Snapshot"`},
		{"another version", "apiVersion: mortise.dev/v2\nkind: Policy\n", `$.apiVersion: expected mortise.dev/v1alpha1, got "mortise.dev/v2"`},
		{"two documents", "gap: 0\n---\ngap: 0\n", "expected one Policy, got 2 documents"},
		{"a list", "[1]\n", "expected a Policy, got [1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := policyFile(t, "p.yaml", c.text)
			_, err := ReadPolicy(path)
			require.EqualError(t, err, path+": "+c.want)
		})
	}
	_, err := ReadPolicy("testdata/none.yaml")
	require.EqualError(t, err, "testdata/none.yaml: no such file or directory")
}

func TestMergePolicyPrefersWhatIsSet(t *testing.T) {
	base := v1alpha1.Policy{
		PoolOrder:   v1alpha1.PoolOrderWeight,
		Gap:         ptr.To(0.1),
		Consolidate: ptr.To(true),
		Windows:     []v1alpha1.Window{{}, {}},
		Preferences: &v1alpha1.Preferences{SoftSpread: ptr.To(1.0), SoftTaint: ptr.To(1.0)},
	}
	over := v1alpha1.Policy{
		Gap:         ptr.To(0.0),
		Consolidate: ptr.To(false),
		Windows:     []v1alpha1.Window{},
		Preferences: &v1alpha1.Preferences{SoftTaint: ptr.To(0.0)},
	}
	got := MergePolicy(base, over)
	require.Equal(t, v1alpha1.PoolOrderWeight, got.PoolOrder, "an absent field changes nothing")
	require.Equal(t, ptr.To(0.0), got.Gap, "zero beats a value")
	require.Equal(t, ptr.To(false), got.Consolidate)
	require.Empty(t, got.Windows, "an empty list beats a list")
	require.Equal(t, ptr.To(1.0), got.Preferences.SoftSpread)
	require.Equal(t, ptr.To(0.0), got.Preferences.SoftTaint)

	require.Equal(t, ptr.To(1.0), base.Preferences.SoftTaint, "the base is not changed")
	require.Equal(t, base, MergePolicy(base, v1alpha1.Policy{}))
	require.Equal(t, over, MergePolicy(v1alpha1.Policy{}, over))
}
