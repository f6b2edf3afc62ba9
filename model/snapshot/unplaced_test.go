package snapshot

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestWhyPodsWait(t *testing.T) {
	t4, t8 := "default:t4/on-demand/z1", "default:t8/on-demand/z1"
	tests := []struct {
		name    string
		build   func(b *built)
		reason  string
		message string
	}{
		{"no type is large enough", func(b *built) {
			b.shape(t4, 4, 0.2)
			b.shape("default:t2/on-demand/z1", 2, 0.1)
			b.shapes[1].daemons = amounts(250, 1)
			b.group("web", 9000, "p")
		}, v1alpha1.UnplacedNoInstanceTypeFits, "requests cpu 9; the largest allocatable is cpu 4, of which daemons take cpu 250m to 500m"},
		{"a type without daemons would be large enough", func(b *built) {
			b.shape(t4, 4, 0.2)
			b.group("web", 3600, "p")
		}, v1alpha1.UnplacedNoInstanceTypeFits, "requests cpu 3600m; the largest allocatable is cpu 4, of which daemons take cpu 500m"},
		{"nothing is for sale", func(b *built) {
			b.group("web", 1000, "p")
		}, v1alpha1.UnplacedNoInstanceTypeFits, "no instance type meets the requirements of the node pools"},
		{"there is no pool", func(b *built) {
			b.pools, b.Problem.Pools = nil, nil
			b.group("web", 1000, "p")
		}, v1alpha1.UnplacedNoInstanceTypeFits, "there is no node pool to launch from"},
		{"a pool's limit on a resource", func(b *built) {
			b.shape(t8, 8, 0.4)
			b.shape(t4, 4, 0.2)
			b.limits("default", 0, 6000)
			b.node("n1", "default", 0.2)
			b.group("web", 1000, "p")
		}, v1alpha1.UnplacedPoolLimit, "pool default: cpu limit 6, 4 used, the smallest type that fits needs 4"},
		{"the limit that blocks the most types is named", func(b *built) {
			b.shape(t8, 8, 0.4)
			b.shape(t4, 4, 0.2)
			b.limits("default", 0, 4000)
			b.limits("", model.Spending, int64(model.Dollars(0.1)))
			b.group("web", 1000, "p")
		}, v1alpha1.UnplacedMoneyLimit, "cluster: price limit 0.1 USD per hour, 0 used, the cheapest type that fits costs 0.2"},
		{"the cluster's limit on a resource", func(b *built) {
			b.shape(t4, 4, 0.2)
			b.limits("", 0, 3000)
			b.group("web", 1000, "p")
		}, v1alpha1.UnplacedClusterLimit, "cluster: cpu limit 3, 0 used, the smallest type that fits needs 4"},
		{"a limit on nodes, which the plan itself uses up", func(b *built) {
			b.shape(t4, 4, 0.2)
			b.limits("default", model.Machines, 1)
			b.group("web", 1000, "o", "p")
			b.launches(t4, "web 1")
		}, v1alpha1.UnplacedNodeLimit, "pool default: nodes limit 1, 1 used"},
		{"a node that goes frees its share of a limit", func(b *built) {
			b.shape(t4, 4, 0.2)
			b.limits("default", 0, 4000)
			b.node("n1", "default", 0.2)
			b.removes(model.Empty, "n1")
			b.group("web", 1000, "p")
		}, v1alpha1.UnplacedTimeLimit, "the search ended before it found this pod a place"},
		{"a reservation that the plan uses up", func(b *built) {
			b.shape("default:t4/reserved/z1", 4, 0)
			b.Problem.Shapes[0].Reservation = 0
			b.Problem.Reservations = []model.Reservation{{Name: "cr-1", Count: 1}}
			b.group("web", 1000, "o", "p")
			b.launches("default:t4/reserved/z1", "web 1")
		}, v1alpha1.UnplacedReservationFull, "reservation cr-1: the plan takes all machines that are left of it"},
		{"a share of the spot market", func(b *built) {
			b.shape("default:t4/spot/z1", 4, 0)
			b.Problem.Rules.SpotDiversity = 300_000
			b.group("web", 1000, "o", "p")
			b.launches("default:t4/spot/z1", "web 1")
		}, v1alpha1.UnplacedNoOfferingAvailable, "default:t4/spot/z1 would do, and its share of the pool's spot nodes is as large as the policy's spotDiversity allows"},
		{"room only on nodes, and that is taken", func(b *built) {
			b.node("n1", "default", 0.2)
			b.group("web", 1000, "p")
		}, v1alpha1.UnplacedNoInstanceTypeFits, "no node that would take it has room left"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilt("default")
			test.build(b)
			require.Equal(t, []v1alpha1.Unplaced{{Pods: []string{"default/p"}, Reason: test.reason, Message: test.message}}, b.plan().Unplaced)
		})
	}
}

func TestUnplacedPodsShareALine(t *testing.T) {
	b := newBuilt("default")
	b.shape("default:t4/on-demand/z1", 4, 0.2)
	b.limits("default", 0, 4000)
	var pods []string
	for i := range 15_000 {
		pods = append(pods, fmt.Sprintf("job-%05d", i))
	}
	b.group("job", 1000, pods...)
	b.group("twin", 1000, "twin")
	b.Problem.Groups[0].Priority = 7
	b.group("big", 8000, "big-1", "big-2")
	b.group("bad", 1, "bad-1", "bad-2")
	for _, p := range b.groups[3].pods {
		b.invalid = append(b.invalid, invalidPod{pod: p.pod, reason: v1alpha1.UnplacedInvalidPod, message: "unknown operator"})
	}
	b.groups[3].pods = nil
	b.launches("default:t4/on-demand/z1", "job 3")

	p := b.plan()
	require.Len(t, p.Unplaced, 3)
	require.Equal(t, []string{"default/bad-1", "default/bad-2"}, p.Unplaced[0].Pods)
	require.Equal(t, []string{"default/big-1", "default/big-2"}, p.Unplaced[1].Pods)
	require.Equal(t, v1alpha1.UnplacedPoolLimit, p.Unplaced[2].Reason)
	require.Len(t, p.Unplaced[2].Pods, 14_998, "of two groups")
	require.Equal(t, "default/job-00003", p.Unplaced[2].Pods[0])
	require.Equal(t, map[string]int{"0": 5, "7": 14_997}, p.Placement.UnplacedByPriority)
}
