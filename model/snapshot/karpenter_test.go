package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	karpbufferv1 "sigs.k8s.io/karpenter/pkg/apis/autoscaling/v1beta1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func TestKarpentersObjectsAreReadAsUsersWriteThem(t *testing.T) {
	s, warnings, err := Read([]string{"testdata/karpenter"}, nil, aTuesday)
	require.NoError(t, err)
	require.Equal(t, []string{"ignored 1 object of a kind that does not matter to a plan: 1 EC2NodeClass"}, warnings)
	require.Equal(t, []string{
		"CapacityBuffer shop/web-headroom",
		"NodeClaim general-purpose-x9wxq",
		"NodeOverlay default-discount", "NodeOverlay fuse-device", "NodeOverlay reserved-price",
		"NodePool general-purpose", "NodePool gpu", "NodePool minimal", "NodePool static",
	}, namesIn(s))

	t.Run("a general-purpose pool", func(t *testing.T) {
		p := one[*karpv1.NodePool](t, s, "general-purpose")
		require.Equal(t, map[string]string{"billing-team": "my-team"}, p.Spec.Template.Labels)
		require.Len(t, p.Spec.Template.Spec.Requirements, 7)
		require.Equal(t, 2, *p.Spec.Template.Spec.Requirements[3].MinValues)
		require.Equal(t, 48*time.Hour, p.Spec.Template.Spec.TerminationGracePeriod.Duration)
		require.Equal(t, time.Minute, *p.Spec.Disruption.ConsolidateAfter.Duration)
		require.Len(t, p.Spec.Disruption.Budgets, 4)
		require.Equal(t, "0 9 * * mon-fri", *p.Spec.Disruption.Budgets[3].Schedule)
		cpu := p.Spec.Limits["cpu"]
		require.Equal(t, int64(1000), cpu.Value())
	})
	t.Run("a pool of GPU nodes that never expire", func(t *testing.T) {
		p := one[*karpv1.NodePool](t, s, "gpu")
		require.Equal(t, "nvidia.com/gpu", p.Spec.Template.Spec.Taints[0].Key)
		require.Equal(t, "example.com/driver-not-ready", p.Spec.Template.Spec.StartupTaints[0].Key)
		require.Nil(t, p.Spec.Template.Spec.ExpireAfter.Duration)
		require.Nil(t, p.Spec.Disruption.ConsolidateAfter.Duration)
	})
	t.Run("a pool that leaves all it can to the defaults", func(t *testing.T) {
		p := one[*karpv1.NodePool](t, s, "minimal")
		require.Equal(t, 720*time.Hour, *p.Spec.Template.Spec.ExpireAfter.Duration)
		require.Equal(t, time.Duration(0), *p.Spec.Disruption.ConsolidateAfter.Duration)
		require.Equal(t, karpv1.ConsolidationPolicyWhenEmptyOrUnderutilized, p.Spec.Disruption.ConsolidationPolicy)
		require.Equal(t, []karpv1.Budget{{Nodes: "10%"}}, p.Spec.Disruption.Budgets)
	})
	t.Run("a static pool", func(t *testing.T) {
		require.Equal(t, ptr.To[int64](3), one[*karpv1.NodePool](t, s, "static").Spec.Replicas)
	})
	t.Run("a claim", func(t *testing.T) {
		c := one[*karpv1.NodeClaim](t, s, "general-purpose-x9wxq")
		require.Equal(t, "c3.xlarge", c.Labels["node.kubernetes.io/instance-type"])
		require.Equal(t, 720*time.Hour, *c.Spec.ExpireAfter.Duration)
		require.Equal(t, "58", c.Status.Allocatable.Pods().String())
		require.Len(t, c.Status.Conditions, 2)
		require.Empty(t, c.ManagedFields)
	})
	t.Run("overlays and a buffer", func(t *testing.T) {
		require.Equal(t, "-10%", *one[*karpv1alpha1.NodeOverlay](t, s, "default-discount").Spec.PriceAdjustment)
		require.Equal(t, "0.021", *one[*karpv1alpha1.NodeOverlay](t, s, "reserved-price").Spec.Price)
		require.Contains(t, one[*karpv1alpha1.NodeOverlay](t, s, "fuse-device").Spec.Capacity, corev1.ResourceName("smarter-devices/fuse"))
		require.Equal(t, int32(20), *one[*karpbufferv1.CapacityBuffer](t, s, "web-headroom").Spec.Percentage)
	})
}

func TestAPoolThatCannotBeReadIsFrozen(t *testing.T) {
	s, warnings, err := Read([]string{"testdata/bad/nodepool-operator.yaml"}, nil, aTuesday)
	require.NoError(t, err)
	require.Len(t, warnings, 1)
	p := one[*karpv1.NodePool](t, s, "default")
	require.Equal(t, "true", p.Annotations[v1alpha1.AnnotationHold], "its nodes stay")
	nodes := p.Spec.Limits["nodes"]
	require.True(t, nodes.IsZero(), "it buys nothing")
}

// one is the object of a type and name.
func one[T object](t *testing.T, s *v1alpha1.Snapshot, name string) T {
	t.Helper()
	for _, o := range s.Objects {
		if it, ok := any(o.Object).(T); ok && it.GetName() == name {
			return it
		}
	}
	require.FailNow(t, "not in the snapshot", name)
	panic("unreachable")
}
