package verify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// fleet is a cluster with a bit of everything, and a right plan for it.
//
//	s1  a-1            underutilized: a-1 goes to s2
//	s2  b-1            kept, receives a-1 and p-1, and is full then
//	s3  e-1, e-2       expired: e-1 goes to launch-1, e-2 waits
//	s4                 empty
//	l5  a-2            drifted: a-2 goes to launch-1, after a-1 has moved (their budget allows one)
//	s6  u-1            not managed
//	s7                 cordoned
//	s8                 tainted
//	s9  f-1            kept
//	way                a claim without a node: receives p-2
//	launch-1           e-1, a-2, p-3 and a daemon
//	waiting            e-2 (priority 5), p-4
func fleet() (*cluster, *plan) {
	c := newCluster()
	c.sell("s", "4", "16Gi", 0.2)
	c.sell("l", "8", "32Gi", 0.38)
	c.sell("x", "16", "64Gi", 0.9)
	c.sell("tiny", "1", "2Gi", 0.05)
	c.offerPool("default",
		requirement(karpv1.CapacityTypeLabelKey, corev1.NodeSelectorOpIn, "on-demand", "spot"),
		requirement("team", corev1.NodeSelectorOpIn, "red", "blue"))
	c.run("s1", "s", "default", newPod("a-1", "1", "4Gi"))
	c.run("s2", "s", "default", newPod("b-1", "2", "8Gi"))
	c.run("s3", "s", "default", newPod("e-1", "3", "4Gi"), newPod("e-2", "1", "1Gi"))
	c.run("s4", "s", "default")
	c.run("l5", "l", "default", newPod("a-2", "1", "4Gi"))
	c.runUnmanaged("s6", "s", newPod("u-1", "3", "1Gi"))
	c.run("s7", "s", "default").Spec.Unschedulable = true
	c.run("s8", "s", "default").Spec.Taints = []corev1.Taint{{Key: "dedicated", Value: "x", Effect: corev1.TaintEffectNoSchedule}}
	c.run("s9", "s", "default", newPod("f-1", "1", "1Gi"))
	way := c.claim("way", "s", "default")
	way.Status.ProviderID = "example://z1/i-way"
	c.daemonSet("agent", "500m", "512Mi")
	c.budget("a", 1)
	c.add(newPod("p-1", "1", "4Gi"), newPod("p-2", "1", "1Gi"), newPod("p-3", "1", "1Gi"), newPod("p-4", "64", "1Gi"))

	c.claims["claim-s3"].Spec.ExpireAfter = karpv1.MustParseNillableDuration("1h")
	c.claims["claim-l5"].Status.Conditions = append(c.claims["claim-l5"].Status.Conditions, conditions(karpv1.ConditionTypeDrifted)...)
	priority := int32(5)
	c.pods["e-2"].Spec.Priority = &priority
	c.pods["p-3"].Spec.NodeSelector = map[string]string{"team": "red"}

	p := newPlan()
	l := p.launch("default", "l", 0.38, "a-2", "e-1", "p-3")
	l.Labels = map[string]string{"team": "red", karpv1.NodePoolLabelKey: "default", corev1.LabelTopologyZone: "z1"}
	l.Alternatives = []v1alpha1.Alternative{
		{InstanceType: "l", Zone: "z1", CapacityType: "spot", PricePerHour: 0.095},
		{InstanceType: "x", Zone: "z2", CapacityType: "spot", PricePerHour: 0.225},
		{InstanceType: "l", Zone: "z2", CapacityType: "on-demand", PricePerHour: 0.38},
	}
	p.remove("s1", "default", v1alpha1.RemovalUnderutilized, 0.2, 2, toNode("a-1", "s2"))
	p.remove("s3", "default", v1alpha1.RemovalExpired, 0.2, 2, toLaunch("e-1", "launch-1"))
	p.remove("s4", "default", v1alpha1.RemovalEmpty, 0.2, 2)
	p.remove("l5", "default", v1alpha1.RemovalDrifted, 0.38, 3, toLaunch("a-2", "launch-1"))
	p.Placements = []v1alpha1.Destination{toNode("p-1", "s2"), toClaim("p-2", "way"), toLaunch("p-3", "launch-1")}
	p.Unplaced = []v1alpha1.Unplaced{
		{Pods: []string{"default/e-2"}, Reason: v1alpha1.UnplacedPoolLimit},
		{Pods: []string{"default/p-4"}, Reason: v1alpha1.UnplacedNoInstanceTypeFits},
	}
	p.Placement.UnplacedByPriority = map[string]int{"5": 1, "0": 1}
	p.keep(v1alpha1.KeptNoRoom, "s2", "s7", "s8", "s9")
	p.keep(v1alpha1.KeptNotManaged, "s6")
	p.Kept = append(p.Kept, v1alpha1.Kept{Node: "i-way", NodeClaim: "way", Reason: v1alpha1.KeptNotInitialized})
	p.Steps = []v1alpha1.Step{
		{Step: 1, Launch: []string{"launch-1"}},
		{Step: 2, After: []int{1}, Remove: []string{"s1", "s3", "s4"}},
		{Step: 3, After: []int{1, 2}, Remove: []string{"l5"}},
	}
	p.cost(2.18, 1.58, 2*0.01/24, 0, 0)
	return c, p
}

func TestRightPlanBreaksNothing(t *testing.T) {
	c, p := fleet()
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan))
}

// rulesOf are the rules that the plan breaks, each once.
func rulesOf(c *cluster, p *plan) []string {
	var out []string
	for _, v := range verify.Plan(c.Snapshot, p.Plan) {
		out = append(out, v.Rule)
	}
	return slices.Compact(out)
}

func TestOrderOfInputDoesNotMatter(t *testing.T) {
	t.Parallel()
	c, p := fleet()
	p.Removals[0].Moves, p.Placements[0].Node, p.Launches[0].PricePerHour = nil, "s8", 7
	want := verify.Plan(c.Snapshot, p.Plan)
	require.Len(t, want, 3)
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		shuffle(r, c.Objects)
		shuffle(r, c.InstanceTypes)
		shuffle(r, p.Removals)
		shuffle(r, p.Placements)
		shuffle(r, p.Kept)
		shuffle(r, p.Steps)
		require.Equal(t, want, verify.Plan(c.Snapshot, p.Plan))
	}
}

func shuffle[T any](r *rand.Rand, list []T) {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

func TestNothingToVerify(t *testing.T) {
	t.Parallel()
	require.NotEmpty(t, verify.Plan(nil, &v1alpha1.Plan{}))
	require.NotEmpty(t, verify.Plan(&v1alpha1.Snapshot{}, nil))
	require.NotEmpty(t, verify.Plan(&v1alpha1.Snapshot{}, &v1alpha1.Plan{}))
}

func ExamplePlan() {
	snapshot := &v1alpha1.Snapshot{}
	plan := &v1alpha1.Plan{Outcome: v1alpha1.Feasible}
	plan.APIVersion, plan.Kind = v1alpha1.APIVersion, v1alpha1.KindPlan
	plan.Placements = []v1alpha1.Destination{{Pod: "web/api-7f", Node: "n1"}}
	for _, v := range verify.Plan(snapshot, plan) {
		fmt.Println(v)
	}
	// Output: Placement: pod web/api-7f: is placed, and is not pending
}
