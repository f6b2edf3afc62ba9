package verify_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// drain is a plan that empties nodes with so many pods of app a into one, all in steps of their own.
func drain(pods ...int) (*cluster, *plan) {
	c, p := newCluster(), newPlan()
	c.sell("s", "16", "64Gi", 0.2)
	c.offerPool("default")
	c.run("home", "s", "default")
	p.keep(v1alpha1.KeptOptimal, "home")
	total := 0
	for i, n := range pods {
		node := fmt.Sprintf("n%d", i+1)
		c.run(node, "s", "default")
		var moves []v1alpha1.Destination
		for range n {
			total++
			pod := newPod(fmt.Sprintf("a-%d", total), "1", "1Gi")
			pod.Spec.NodeName = node
			c.add(pod)
			moves = append(moves, toNode(pod.Name, "home"))
		}
		p.remove(node, "default", v1alpha1.RemovalUnderutilized, 0.2, i+1, moves...)
		p.Steps = append(p.Steps, v1alpha1.Step{Step: i + 1, Remove: []string{node}})
	}
	p.cost(0.2*float64(len(pods)+1), 0.2, float64(total)*0.01/24, 0, 0)
	return c, p
}

func TestPodBudgetsGoInTurn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		pods    []int
		after   map[int][]int
		allowed int32
		want    []string
	}{
		{"one by one", []int{1, 1, 1}, map[int][]int{2: {1}, 3: {2}}, 1, nil},
		{"two at once, one allowed", []int{1, 1, 1}, map[int][]int{3: {1, 2}}, 1, []string{verify.RuleSteps}},
		{"two at once, two allowed", []int{1, 1, 1}, map[int][]int{3: {1, 2}}, 2, nil},
		{"three at once, two allowed", []int{1, 1, 1}, nil, 2, []string{verify.RuleSteps}},
		{"more on one node than allowed", []int{3}, nil, 1, nil},
		{"more on one node than allowed, beside another", []int{3, 1}, nil, 1, []string{verify.RuleSteps}},
		{"more on one node than allowed, before another", []int{3, 1}, map[int][]int{2: {1}}, 1, nil},
	} {
		c, p := drain(tt.pods...)
		c.budget("a", tt.allowed)
		for step, after := range tt.after {
			p.Steps[step-1].After = after
		}
		require.Equal(t, tt.want, rulesOf(c, p), tt.name)
	}
}

// TestPodBudgetsFromAFile: a budget without a status allows what its spec says of the pods there.
func TestPodBudgetsFromAFile(t *testing.T) {
	t.Parallel()
	text := func(s string) *intstr.IntOrString { v := intstr.Parse(s); return &v }
	for _, tt := range []struct {
		least, most *intstr.IntOrString
		want        []string
	}{
		{text("1"), nil, nil},
		{text("2"), nil, []string{verify.RulePodDisruptionBudget}},
		{text("50%"), nil, nil},
		{text("51%"), nil, []string{verify.RulePodDisruptionBudget}},
		{nil, text("1"), nil},
		{nil, text("0"), []string{verify.RulePodDisruptionBudget}},
		{nil, text("10%"), nil},
		{text("many"), nil, []string{verify.RulePodDisruptionBudget}},
	} {
		c, p := drain(2)
		for _, pod := range c.pods {
			pod.Status.Conditions = readyConditions
		}
		b := c.budget("a", 0)
		b.Status.ObservedGeneration = 0
		b.Spec.MinAvailable, b.Spec.MaxUnavailable = tt.least, tt.most
		require.Equal(t, tt.want, rulesOf(c, p), "at least %v, at most %v", tt.least, tt.most)
	}
}

func TestEvictionWeights(t *testing.T) {
	t.Parallel()
	for deletionCost, want := range map[string]float64{"0": 1, "134217728": 2, "-134217728": 0, "-999999999": 0, "2147483647": 10, "cheap": 1} {
		c, p := drain(1)
		c.pods["a-1"].Annotations = map[string]string{"controller.kubernetes.io/pod-deletion-cost": deletionCost}
		p.cost(0.4, 0.2, want*0.01/24, 0, 0)
		require.Empty(t, verify.Plan(c.Snapshot, p.Plan), deletionCost)
	}
}
