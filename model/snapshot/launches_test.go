package snapshot

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/stretchr/testify/require"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestLaunchReason(t *testing.T) {
	tests := []struct {
		name    string
		content string
		want    string
	}{
		{"a pending pod comes before all", "idle 1, drifted 1, dead 1, new 1", v1alpha1.LaunchPending},
		{"then pods whose node goes anyway", "idle 1, drifted 1, dead 1", v1alpha1.LaunchReplacement},
		{"then pods of a drifted node", "idle 1, drifted 1", v1alpha1.LaunchDrift},
		{"pods of nodes removed to save money alone", "idle 1", v1alpha1.LaunchConsolidation},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilt("default")
			b.shape("default:t8/on-demand/z1", 8, 0.3)
			b.node("n-dead", "default", 0.2).goes = v1alpha1.RemovalExpired
			b.node("n-drifted", "default", 0.2).drifted = true
			b.node("n-idle", "default", 0.2)
			b.group("dead", 100, "dead@n-dead")
			b.group("drifted", 100, "drifted@n-drifted")
			b.group("idle", 100, "idle@n-idle")
			b.group("new", 100, "new")
			b.removes(model.Forced, "n-dead")
			b.removes(model.Drifted, "n-drifted")
			b.removes(model.Underutilized, "n-idle")
			b.launches("default:t8/on-demand/z1", test.content)
			require.Equal(t, test.want, b.plan().Launches[0].Reason)
		})
	}
}

func TestALaunchStatesWhatItsClaimHasTo(t *testing.T) {
	b := newBuilt("default")
	i := b.shape("default:t8/spot/z1", 8, 0.3)
	b.shapes[i].pinned = map[string]string{"example.com/disk": "fast"}
	b.shapes[i].labels["team"] = "a"
	b.pools[0].object.Spec.Template.Labels = map[string]string{"team": "a"}
	b.shapes[i].taints = []corev1.Taint{{Key: "only", Effect: corev1.TaintEffectNoSchedule}}
	b.group("web", 1500, "b", "a")
	b.launches("default:t8/spot/z1", "web 2")

	l := b.plan().Launches[0]
	require.Equal(t, map[string]string{
		karpv1.NodePoolLabelKey: "default", karpv1.CapacityTypeLabelKey: "spot",
		corev1.LabelInstanceTypeStable: "t8", corev1.LabelTopologyZone: "z1",
		"example.com/disk": "fast", "team": "a",
	}, l.Labels)
	require.Equal(t, b.shapes[i].taints, l.Taints)
	require.Equal(t, []string{"default/a", "default/b"}, l.Pods)
	require.InDelta(t, 0.3, l.PricePerHour, 1e-12)
	require.Equal(t, "8", l.Allocatable.Cpu().String(), "daemons are not taken off")
	require.Equal(t, "3500m", l.Requests.Cpu().String(), "daemons are counted")
	require.Equal(t, "3", l.Requests.Pods().String())
}

func TestLaunchesAreNumberedInAFixedOrder(t *testing.T) {
	b := newBuilt("b", "a")
	for _, name := range []string{"b:t4/spot/z1", "a:t4/spot/z2", "a:t4/spot/z1", "a:t4/on-demand/z1", "a:t2/spot/z9"} {
		b.shape(name, 4, 0.2)
	}
	b.group("web", 1000, "1", "2", "3", "4", "5", "6")
	for _, name := range []string{"b:t4/spot/z1", "a:t4/spot/z2", "a:t4/spot/z1", "a:t4/on-demand/z1", "a:t2/spot/z9", "a:t4/spot/z1"} {
		b.launches(name, "web 1")
	}
	var got []string
	for _, l := range b.plan().Launches {
		got = append(got, l.ID+" "+l.NodePool+":"+l.InstanceType+"/"+l.CapacityType+"/"+l.Zone+" "+l.Pods[0])
	}
	require.Equal(t, []string{
		"launch-1 a:t2/spot/z9 default/1",
		"launch-2 a:t4/on-demand/z1 default/2",
		"launch-3 a:t4/spot/z1 default/3",
		"launch-4 a:t4/spot/z1 default/4",
		"launch-5 a:t4/spot/z2 default/5",
		"launch-6 b:t4/spot/z1 default/6",
	}, got)
}
