package verify_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// TestLargePlan keeps the benchmark's plan a right one.
func TestLargePlan(t *testing.T) {
	t.Parallel()
	c, p := largePlan(20, 100)
	require.Empty(t, verify.Plan(c.Snapshot, p.Plan))
}

// BenchmarkPlan checks 10,000 pods on 1,000 nodes, half of which go, and
// launches with alternatives among 16,000 offerings.
func BenchmarkPlan(b *testing.B) {
	c, p := largePlan(1000, 4000)
	for b.Loop() {
		require.Empty(b, verify.Plan(c.Snapshot, p.Plan))
	}
}

// largePlan removes every other of so many nodes, and moves its pods to
// launches with all the alternatives that a launch may have.
func largePlan(nodes, types int) (*cluster, *plan) {
	c, p := newCluster(), newPlan()
	c.sell("s", "16", "64Gi", 0.5)
	for i := 1; i < types; i++ {
		c.sell(fmt.Sprintf("t%d", i), "16", "64Gi", 0.6+float64(i)/1000)
	}
	c.offerPool("default")
	c.daemonSet("agent", "100m", "100Mi")
	var alternatives []v1alpha1.Alternative
	for _, t := range c.InstanceTypes {
		for _, o := range t.Offerings {
			alternatives = append(alternatives, v1alpha1.Alternative{InstanceType: t.Name, Zone: o.Zone, CapacityType: o.CapacityType, PricePerHour: o.Price})
		}
	}
	slices.SortStableFunc(alternatives, func(a, b v1alpha1.Alternative) int { return cmp.Compare(a.PricePerHour, b.PricePerHour) })
	alternatives = slices.DeleteFunc(alternatives, func(a v1alpha1.Alternative) bool {
		return a.InstanceType == "s" && a.Zone == "z1" && a.CapacityType == "on-demand"
	})[:20]

	p.Steps = []v1alpha1.Step{{Step: 1}, {Step: 2, After: []int{1}}}
	launches, moved := 0, 0
	for i := range nodes {
		node := fmt.Sprintf("n%d", i)
		c.run(node, "s", "default")
		var moves []v1alpha1.Destination
		var names []string
		for k := range 10 {
			pod := newPod(fmt.Sprintf("app-%d-%d", i, k), "700m", "1Gi")
			if i%4 == 0 {
				pod.Spec.Affinity = antiAffinity("other")
			}
			pod.Spec.NodeName = node
			c.add(pod)
			names = append(names, pod.Name)
			moves = append(moves, toLaunch(pod.Name, fmt.Sprintf("launch-%d", launches/2+1)))
		}
		if i%2 == 0 {
			p.keep(v1alpha1.KeptOptimal, node)
			continue
		}
		if launches%2 == 0 {
			l := p.launch("default", "s", 0.5)
			l.Alternatives = alternatives
			p.Steps[0].Launch = append(p.Steps[0].Launch, l.ID)
		}
		l := &p.Launches[launches/2]
		l.Pods = append(l.Pods, prefixed(names)...)
		p.remove(node, "default", v1alpha1.RemovalUnderutilized, 0.5, 2, moves...)
		p.Steps[1].Remove = append(p.Steps[1].Remove, node)
		launches++
		moved += len(moves)
	}
	before := 0.5 * float64(nodes)
	after := before - 0.5*float64(len(p.Removals)-len(p.Launches))
	p.cost(before, after, float64(moved)*0.01/24, 0, 0)
	return c, p
}

func prefixed(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "default/"+n)
	}
	return out
}
