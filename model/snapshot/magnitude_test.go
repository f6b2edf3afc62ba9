package snapshot

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestAmountsBeyondAnyMachineAreNotMistakenForSmallOnes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"500m": 500, "1n": 1, "0": 0, "-5": 0, "9007199254740": 9007199254740000,
		"9999999999999999": fields.MostUnits, "9223372036854775807": fields.MostUnits, "1e30": fields.MostUnits,
	} {
		require.Equal(t, want, baseUnits(corev1.ResourceCPU, resource.MustParse(text)), "cpu %s", text)
	}
	for text, want := range map[string]int64{"1Gi": 1 << 30, "100m": 1, "7Ei": fields.MostUnits, "9Ei": fields.MostUnits, "1e30": fields.MostUnits} {
		require.Equal(t, want, baseUnits(corev1.ResourceMemory, resource.MustParse(text)), "memory %s", text)
	}
}

func TestPodsThatAskForTheMoonWait(t *testing.T) {
	t.Parallel()
	for _, cpu := range []string{"9999999999", "9999999999999999", "9223372036854775807", "1e30"} {
		moon := waits("p", 1000, func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = amountsOf("cpu", cpu) })
		c := compileOf(t, sold("m", 4), runs("n1"), moon)
		require.Less(t, c.Problem.Shapes[0].Allocatable[0], c.Problem.Groups[0].Request[0])
		require.Less(t, c.Problem.Nodes[0].Free[0], c.Problem.Groups[0].Request[0])
		require.Less(t, c.Problem.Groups[0].Request[0], int64(1_000_000), "so that sums stay small")
	}
}

func TestPodsThatHoldTheMoonLeaveNoRoom(t *testing.T) {
	t.Parallel()
	things := []any{sold("m", 4), runs("n1")}
	for i := range 5000 {
		things = append(things, waits(fmt.Sprint("p", i), 1, on("n1"), func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = amountsOf("cpu", "1e15") }))
	}
	require.EqualValues(t, 0, compileOf(t, things...).Problem.Nodes[0].Free[0])
}

func TestLimitsBeyondAllNumbersDoNotBind(t *testing.T) {
	t.Parallel()
	c := compileOf(t, sold("m", 4), waits("p", 1000), v1alpha1.Policy{Limits: map[string]resource.Quantity{"perHour": resource.MustParse("1e20")}},
		nodePool("default", func(p *karpv1.NodePool) {
			p.Spec.Limits = karpv1.Limits{"cpu": resource.MustParse("1e30"), "nodes": resource.MustParse("9999999999999999999"), "memory": resource.MustParse("1Gi")}
		}))
	var most []int64
	for _, l := range c.Problem.Limits {
		most = append(most, l.Max)
	}
	require.Equal(t, []int64{math.MaxInt64, 1 << 30, math.MaxInt64, math.MaxInt64}, most)
}

func TestSumsThatCannotBeKeptAreRefused(t *testing.T) {
	t.Parallel()
	many := func(n int, edit func(*corev1.Pod)) []any {
		var out []any
		for i := range n {
			out = append(out, waits(fmt.Sprint("p", i), 1000, edit))
		}
		return out
	}
	dear := offered(v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand", Price: fields.MostUSD})
	_, err := Compile(snapshotOf(append(many(10_000, func(*corev1.Pod) {}), sold("m", 4, dear))...), Options{})
	require.EqualError(t, err, "what all nodes and pods could cost comes to 1e+10 USD per hour: more than can be added up")

	vast := sold("m", 4, func(i *v1alpha1.InstanceType) { i.Capacity[corev1.ResourceMemory] = resource.MustParse("4Pi") })
	asks := func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = amountsOf("memory", "1e15") }
	_, err = Compile(snapshotOf(append(many(10_000, asks), vast)...), Options{})
	require.EqualError(t, err, "pods and nodes come to 1e+19 of memory: more than can be added up")
}

func TestDollarsThatAreNoneOrTooManyAreHeld(t *testing.T) {
	t.Parallel()
	require.Zero(t, model.Dollars(math.NaN()))
	require.Equal(t, model.Dollars(1e9), model.Dollars(math.Inf(1)))
	require.Equal(t, -model.Dollars(1e9), model.Dollars(-1e300))
}
