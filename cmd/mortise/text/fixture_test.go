package text

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// cluster is a snapshot that is built node by node.
type cluster struct{ v1alpha1.Snapshot }

func (c *cluster) add(o runtime.Object) {
	c.Objects = append(c.Objects, runtime.RawExtension{Object: o})
}

func (c *cluster) node(name, pool, instanceType, cpu, memory string) {
	labels := map[string]string{corev1.LabelInstanceTypeStable: instanceType}
	if pool != "" {
		labels["karpenter.sh/nodepool"] = pool
	}
	c.add(&corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Status:     corev1.NodeStatus{Allocatable: size(cpu, memory)},
	})
}

// pods adds n pods of a Deployment to a node, or waiting ones, and returns their keys.
func (c *cluster) pods(app, node string, n int, cpu, memory string) []string {
	keys := make([]string, n)
	for i := range n {
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "shop",
				Name:      fmt.Sprintf("%s-6d5f-%s%d", app, node, i),
				Labels:    map[string]string{"pod-template-hash": "6d5f"},
				OwnerReferences: []metav1.OwnerReference{
					{Kind: "ReplicaSet", Name: app + "-6d5f", Controller: ptr.To(true)},
				},
			},
			Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{
				{Name: "main", Resources: corev1.ResourceRequirements{Requests: size(cpu, memory)}},
			}},
		}
		c.add(p)
		keys[i] = p.Namespace + "/" + p.Name
	}
	return keys
}

func size(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}

func to(d v1alpha1.Destination, keys ...string) []v1alpha1.Destination {
	out := make([]v1alpha1.Destination, len(keys))
	for i, k := range keys {
		out[i] = d
		out[i].Pod = k
	}
	return out
}

// small is a plan that does everything once: it launches, removes, places, moves, keeps and leaves waiting.
func small() (*v1alpha1.Snapshot, *v1alpha1.Plan) {
	c := &cluster{}
	c.node("ip-10-0-1-17.internal", "general", "m5.2xlarge", "7910m", "28Gi")
	c.node("ip-10-0-2-40.internal", "general", "m5.xlarge", "3920m", "14Gi")
	c.node("ip-10-0-3-9.internal", "", "m5.large", "1930m", "6Gi")
	cart := c.pods("cart", "ip-10-0-1-17.internal", 3, "500m", "2Gi")
	c.pods("checkout", "ip-10-0-2-40.internal", 2, "900m", "3Gi")
	c.pods("dns", "ip-10-0-3-9.internal", 2, "100m", "70Mi")
	search := c.pods("search", "", 4, "1500m", "2Gi")
	train := c.pods("train", "", 1, "4", "16Gi")

	launch := func(id string, pods ...string) v1alpha1.Launch {
		return v1alpha1.Launch{
			ID: id, NodePool: "general", InstanceType: "c6a.xlarge", Zone: "us-east-1b", CapacityType: "on-demand",
			PricePerHour: 0.153, Reason: v1alpha1.LaunchPending, Pods: pods,
			Allocatable: size("3920m", "6Gi"), Requests: size("3", "4Gi"),
		}
	}
	return &c.Snapshot, &v1alpha1.Plan{
		Time:      metav1.NewTime(time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)),
		Outcome:   v1alpha1.Feasible,
		Placement: v1alpha1.PlanPlacement{UnplacedByPriority: map[string]int{"0": 1}, Proved: true},
		Cost: v1alpha1.Cost{
			BeforePerHour: 1.672, AfterPerHour: 1.594, LowerBoundPerHour: 1.587, Gap: 0.00439,
			Premiums: []v1alpha1.Premium{{Cause: "PoolWeight", PerHour: 0.05}},
		},
		Launches: []v1alpha1.Launch{launch("launch-1", search[:2]...), launch("launch-2", search[2:]...)},
		Removals: []v1alpha1.Removal{{
			Node: "ip-10-0-1-17.internal", NodePool: "general", PricePerHour: 0.384, Reason: v1alpha1.RemovalUnderutilized, Step: 2,
			Moves: append(to(v1alpha1.Destination{Launch: "launch-1"}, cart[:2]...), to(v1alpha1.Destination{Node: "ip-10-0-2-40.internal"}, cart[2:]...)...),
		}},
		Placements: append(to(v1alpha1.Destination{Launch: "launch-1"}, search[:2]...), to(v1alpha1.Destination{Node: "ip-10-0-2-40.internal"}, search[2])...),
		Unplaced: []v1alpha1.Unplaced{{
			Pods: train, Reason: v1alpha1.UnplacedPoolLimit,
			Message: "pool general: cpu limit 16, 12 used, the smallest type that fits needs 8",
		}},
		Kept: []v1alpha1.Kept{
			{Node: "ip-10-0-2-40.internal", Reason: v1alpha1.KeptDoNotDisrupt, Message: "pod shop/checkout-6d5f-ip-10-0-2-40.internal0 has karpenter.sh/do-not-disrupt"},
			{Node: "ip-10-0-3-9.internal", Reason: v1alpha1.KeptNotManaged, Message: "no NodePool owns it"},
		},
		Steps: []v1alpha1.Step{
			{Step: 1, Launch: []string{"launch-1", "launch-2"}},
			{Step: 2, After: []int{1}, Remove: []string{"ip-10-0-1-17.internal"}},
		},
		Potential: &v1alpha1.Potential{AfterPerHour: 1.402, HeldBackBy: map[string]float64{v1alpha1.KeptDoNotDisrupt: 0.192, v1alpha1.KeptBudget: 0.03}},
		Warnings:  []string{"pods without requests count as nothing, and may crowd the nodes that the plan fills: kube-system/aws-node and 3 more"},
		Solver:    v1alpha1.SolverReport{Engine: "builtin", Seconds: 0.214, Groups: 5, Shapes: 1, Stop: "gap"},
	}
}

// large is a plan that replaces most of a fleet too large to list.
func large() (*v1alpha1.Snapshot, *v1alpha1.Plan) {
	c := &cluster{}
	plan := &v1alpha1.Plan{
		Outcome:   v1alpha1.Optimal,
		Placement: v1alpha1.PlanPlacement{Proved: true},
		Cost:      v1alpha1.Cost{BeforePerHour: 23.04, AfterPerHour: 14.4, LowerBoundPerHour: 14.4},
		Solver:    v1alpha1.SolverReport{Engine: "builtin", Seconds: 3.1, Groups: 1, Shapes: 800, Stop: "optimal"},
	}
	for i := range 120 {
		node := fmt.Sprintf("n%03d", i)
		c.node(node, "general", "m5.xlarge", "4", "16Gi")
		pods := c.pods("web", node, 1, "2", "4Gi")
		if i%2 == 0 {
			plan.Removals = append(plan.Removals, v1alpha1.Removal{
				Node: node, NodePool: "general", PricePerHour: 0.192, Reason: v1alpha1.RemovalUnderutilized, Step: i/10 + 1,
				Moves: to(v1alpha1.Destination{Node: fmt.Sprintf("n%03d", i+1)}, pods...),
			})
		}
	}
	for i := range 30 {
		step := v1alpha1.Step{Step: i + 1}
		for _, r := range plan.Removals[2*i : 2*i+2] {
			step.Remove = append(step.Remove, r.Node)
		}
		plan.Steps = append(plan.Steps, step)
	}
	return &c.Snapshot, plan
}
