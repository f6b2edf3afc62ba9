package verify_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// rules are those that a plan is to break, what follows from the first included.
type rules []string

// TestWrongPlans changes one thing in the fleet's right plan, or in the fleet
// it was made for.
func TestWrongPlans(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(c *cluster, p *plan)
		want   rules
	}{
		// The document.
		{"another version", func(_ *cluster, p *plan) { p.APIVersion = "mortise.dev/v2" }, rules{verify.RuleDocument}},
		{"another kind", func(_ *cluster, p *plan) { p.Kind = "Snapshot" }, rules{verify.RuleDocument}},
		{"an unknown outcome", func(_ *cluster, p *plan) { p.Outcome = "Perfect" }, rules{verify.RuleDocument}},

		// Pending pods.
		{"a pending pod is forgotten", func(_ *cluster, p *plan) { p.Placements = p.Placements[1:] }, rules{verify.RulePlacement}},
		{"a pending pod is placed twice", func(_ *cluster, p *plan) { p.Placements = append(p.Placements, toNode("p-1", "s9")) }, rules{verify.RulePlacement}},
		{"a pod that is not there is placed", func(_ *cluster, p *plan) { p.Placements = append(p.Placements, toNode("ghost", "s9")) }, rules{verify.RulePlacement}},
		{"a running pod is placed", func(_ *cluster, p *plan) { p.Placements = append(p.Placements, toNode("f-1", "s2")) }, rules{verify.RulePlacement}},
		{"a gated pod is placed", func(c *cluster, _ *plan) {
			c.pods["p-1"].Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "later"}}
		}, rules{verify.RulePlacement}},
		{"another scheduler's pod is placed", func(c *cluster, _ *plan) { c.pods["p-1"].Spec.SchedulerName = "batch" }, rules{verify.RulePlacement}},
		{"a pod that has ended is placed", func(c *cluster, _ *plan) { c.pods["p-1"].Status.Phase = corev1.PodSucceeded }, rules{verify.RulePlacement}},
		{"a pod being deleted is placed", func(c *cluster, _ *plan) { c.pods["p-1"].DeletionTimestamp = ptr.To(ago(0)) }, rules{verify.RulePlacement}},
		{"a pod that the scheduler has not looked at is placed", func(c *cluster, _ *plan) {
			c.pods["p-1"].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "SchedulerError"}}
		}, rules{verify.RulePlacement}},
		{"a nominated pod is placed elsewhere", func(c *cluster, _ *plan) { c.pods["p-1"].Status.NominatedNodeName = "s9" }, rules{verify.RulePlacement}},

		// Pods left waiting.
		{"a placed pod is left waiting too", func(_ *cluster, p *plan) { p.Unplaced[1].Pods = append(p.Unplaced[1].Pods, "default/p-1") }, rules{verify.RuleUnplaced}},
		{"a pod is left waiting twice", func(_ *cluster, p *plan) { p.Unplaced[1].Pods = append(p.Unplaced[1].Pods, "default/p-4") }, rules{verify.RuleUnplaced}},
		{"a running pod is left waiting", func(_ *cluster, p *plan) { p.Unplaced[1].Pods = append(p.Unplaced[1].Pods, "default/f-1") }, rules{verify.RuleUnplaced}},
		{"a nominated pod is left waiting", func(c *cluster, _ *plan) { c.pods["p-4"].Status.NominatedNodeName = "s9" }, rules{verify.RuleUnplaced}},
		{"an unknown reason to wait", func(_ *cluster, p *plan) { p.Unplaced[1].Reason = "NoLuck" }, rules{verify.RuleUnplaced}},
		{"waiting pods are miscounted", func(_ *cluster, p *plan) { p.Placement.UnplacedByPriority["0"] = 2 }, rules{verify.RuleUnplaced}},
		{"waiting pods are not counted", func(_ *cluster, p *plan) { p.Placement.UnplacedByPriority = nil }, rules{verify.RuleUnplaced}},
		{"waiting pods are counted at another priority", func(c *cluster, _ *plan) { c.pods["p-4"].Spec.Priority = ptr.To[int32](7) }, rules{verify.RuleUnplaced}},

		// Moves.
		{"a moved pod is forgotten", func(_ *cluster, p *plan) { p.Removals[0].Moves = nil }, rules{verify.RuleMove}},
		{"a pod moves twice", func(_ *cluster, p *plan) { p.Removals[0].Moves = append(p.Removals[0].Moves, toNode("a-1", "s9")) }, rules{verify.RuleMove}},
		{"a pod of another node moves", func(_ *cluster, p *plan) { p.Removals[0].Moves = append(p.Removals[0].Moves, toNode("f-1", "s2")) }, rules{verify.RuleMove}},
		{"a daemon's pod moves", func(c *cluster, _ *plan) { c.pods["a-1"].OwnerReferences[0].Kind = "DaemonSet" }, rules{verify.RuleMove, verify.RuleCost, verify.RuleRemovalReason}},
		{"a mirror pod moves", func(c *cluster, _ *plan) {
			c.pods["a-1"].Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
		}, rules{verify.RuleMove, verify.RuleCost, verify.RuleRemovalReason}},
		{"a pod of a drifted node is left waiting", func(_ *cluster, p *plan) {
			p.Removals[3].Moves = nil
			p.Unplaced[1].Pods = append(p.Unplaced[1].Pods, "default/a-2")
		}, rules{verify.RuleMove, verify.RuleLaunch, verify.RuleUnplaced}},
		{"a pod of an expired node is forgotten", func(_ *cluster, p *plan) { p.Unplaced = p.Unplaced[1:] }, rules{verify.RuleMove, verify.RuleUnplaced}},

		// Destinations.
		{"a pod has two destinations", func(_ *cluster, p *plan) { p.Placements[0].Launch = "launch-1" }, rules{verify.RuleDestination}},
		{"a pod has no destination", func(_ *cluster, p *plan) { p.Placements[0].Node = "" }, rules{verify.RuleDestination}},
		{"a pod goes to a node that is not there", func(_ *cluster, p *plan) { p.Placements[0].Node = "ghost" }, rules{verify.RuleDestination}},
		{"a pod goes to a launch that is not there", func(_ *cluster, p *plan) { p.Placements[2].Launch = "launch-7" }, rules{verify.RuleDestination, verify.RuleLaunch}},
		{"a pod goes to a claim that is not there", func(_ *cluster, p *plan) { p.Placements[1].NodeClaim = "ghost" }, rules{verify.RuleDestination}},
		{"a pod goes to a removed node", func(_ *cluster, p *plan) { p.Placements[0].Node = "s4" }, rules{verify.RuleDestination}},
		{"a running node is named by its claim", func(_ *cluster, p *plan) { p.Placements[0] = toClaim("p-1", "claim-s9") }, rules{verify.RuleDestination}},
		{"a claim is named as a node", func(_ *cluster, p *plan) { p.Placements[1] = toNode("p-2", "i-way") }, rules{verify.RuleDestination}},
		{"a pod goes to a cordoned node", func(_ *cluster, p *plan) { p.Placements[0].Node = "s7" }, rules{verify.RuleDestination}},
		{"a pod goes to a node that is not ready", func(c *cluster, _ *plan) { c.nodes["s2"].Status.Conditions[0].Status = corev1.ConditionUnknown }, rules{verify.RuleDestination, verify.RuleRemoval}},
		{"a moved pod goes to a node on its way", func(_ *cluster, p *plan) { p.Removals[0].Moves[0] = toClaim("a-1", "way") }, rules{verify.RuleDestination}},
		{"a pod goes to a node that goes anyway", func(c *cluster, _ *plan) { c.claims["claim-s2"].DeletionTimestamp = ptr.To(ago(0)) }, rules{verify.RuleDestination, verify.RuleRemoval}},
		{"a moved pod goes to a quiet node", func(c *cluster, _ *plan) {
			c.Policy.QuietPeriod = &metav1.Duration{Duration: 60e9}
			c.Policy.QuietScope = v1alpha1.QuietScopeSourceAndDestination
			c.claims["claim-s2"].Status.LastPodEventTime = ago(30e9)
		}, rules{verify.RuleDestination}},

		// Room and rules of the node.
		{"a node has too little cpu", func(c *cluster, _ *plan) {
			c.pods["p-1"].Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("1001m")
		}, rules{verify.RuleResources}},
		{"a moved pod goes to a full node", func(_ *cluster, p *plan) { p.Removals[3].Moves[0] = toNode("a-2", "s2") }, rules{verify.RuleResources, verify.RuleLaunch}},
		{"a node has too few pod slots", func(c *cluster, _ *plan) {
			c.nodes["s2"].Status.Allocatable[corev1.ResourcePods] = resource.MustParse("2")
		}, rules{verify.RuleResources}},
		{"a node lacks a device", func(c *cluster, _ *plan) {
			c.pods["p-1"].Spec.Containers[0].Resources.Requests["example.com/gpu"] = resource.MustParse("1")
		}, rules{verify.RuleResources}},
		{"an init container needs more", func(c *cluster, _ *plan) {
			c.pods["p-1"].Spec.InitContainers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: quantities("2", "1Gi")}}}
		}, rules{verify.RuleResources}},
		{"a pod's overhead does not fit", func(c *cluster, _ *plan) { c.pods["p-1"].Spec.Overhead = quantities("1", "1Gi") }, rules{verify.RuleResources}},
		{"a limit counts as a request", func(c *cluster, _ *plan) {
			c.pods["p-1"].Spec.Containers[0].Resources = corev1.ResourceRequirements{Limits: quantities("2", "1Gi")}
		}, rules{verify.RuleResources}},
		{"the namespace gives a default request", func(c *cluster, _ *plan) {
			c.pods["p-1"].Spec.Containers[0].Resources.Requests = nil
			c.add(&corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "l"}, Spec: corev1.LimitRangeSpec{
				Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: quantities("2", "1Gi")}},
			}})
		}, rules{verify.RuleResources}},
		{"a pod being deleted holds its room", func(c *cluster, _ *plan) {
			c.pods["b-1"].DeletionTimestamp = ptr.To(ago(0))
			c.nodes["s2"].Status.Allocatable = room("3500m", "16Gi")
		}, rules{verify.RuleResources}},
		{"a nominated pod will take its room", func(c *cluster, _ *plan) {
			n := newPod("n-1", "1", "1Gi")
			n.Status.NominatedNodeName = "s2"
			c.add(n)
		}, rules{verify.RuleResources}},
		{"so will a nominated daemon", func(c *cluster, _ *plan) {
			n := newPod("n-1", "1", "1Gi")
			n.OwnerReferences[0].Kind = "DaemonSet"
			n.Status.NominatedNodeName = "s2"
			c.add(n)
		}, rules{verify.RuleResources}},
		{"a launch has no room for its daemon", func(c *cluster, _ *plan) { c.daemonSet("big", "4", "1Gi") }, rules{verify.RuleResources, verify.RuleAlternatives}},
		{"a node on its way has no room for its daemon", func(c *cluster, _ *plan) {
			c.pods["p-2"].Spec.Containers[0].Resources.Requests = quantities("3600m", "1Gi")
		}, rules{verify.RuleResources}},
		{"live nodes report less than the catalog", func(c *cluster, _ *plan) { c.nodes["l5"].Status.Allocatable = room("5", "32Gi") }, rules{verify.RuleResources, verify.RuleAlternatives}},
		{"a node selector does not match", func(c *cluster, _ *plan) { c.pods["p-1"].Spec.NodeSelector = map[string]string{"disk": "fast"} }, rules{verify.RuleNodeAffinity}},
		{"a node affinity does not match", func(c *cluster, _ *plan) {
			c.pods["p-1"].Spec.Affinity = nodeAffinity(corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{
				{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpNotIn, Values: []string{"z1"}},
			}})
		}, rules{verify.RuleNodeAffinity}},
		{"a node affinity asks for another node's name", func(c *cluster, _ *plan) {
			c.pods["p-1"].Spec.Affinity = nodeAffinity(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{
				{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"s9"}},
			}})
		}, rules{verify.RuleNodeAffinity}},
		{"a launch does not state the label that a pod asks for", func(_ *cluster, p *plan) { delete(p.Launches[0].Labels, "team") }, rules{verify.RuleNodeAffinity, verify.RuleAlternatives}},
		{"a launch states another label than a pod asks for", func(_ *cluster, p *plan) { p.Launches[0].Labels["team"] = "blue" }, rules{verify.RuleNodeAffinity, verify.RuleAlternatives}},
		{"a taint is ignored", func(_ *cluster, p *plan) { p.Placements[0].Node = "s8" }, rules{verify.RuleTaints}},
		{"a pool's taint is ignored", func(c *cluster, _ *plan) {
			c.pools["default"].Spec.Template.Spec.Taints = []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectNoExecute}}
		}, rules{verify.RuleTaints, verify.RuleAlternatives}},
		{"a claim's taint is ignored", func(c *cluster, _ *plan) {
			c.claims["way"].Spec.Taints = []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectNoSchedule}}
		}, rules{verify.RuleTaints}},
		{"a host port is taken", func(c *cluster, _ *plan) {
			c.pods["b-1"].Spec.Containers[0].Ports = hostPort(80, "10.0.0.1")
			c.pods["p-1"].Spec.Containers[0].Ports = hostPort(80, "")
		}, rules{verify.RuleHostPort}},
		{"two arrivals want one host port", func(c *cluster, _ *plan) {
			c.pods["a-1"].Spec.Containers[0].Ports = hostPort(80, "")
			c.pods["p-1"].Spec.Containers[0].Ports = hostPort(80, "0.0.0.0")
		}, rules{verify.RuleHostPort}},
		{"a daemon takes a host port of a launch", func(c *cluster, _ *plan) {
			c.daemonSet("proxy", "1m", "1Mi").Spec.Template.Spec.Containers[0].Ports = hostPort(80, "")
			c.pods["p-3"].Spec.Containers[0].Ports = hostPort(80, "")
		}, rules{verify.RuleHostPort, verify.RuleAlternatives}},
		{"a pod keeps away from one that is there", func(c *cluster, _ *plan) { c.pods["p-1"].Spec.Affinity = antiAffinity("b") }, rules{verify.RulePodAntiAffinity}},
		{"a pod that is there keeps others away", func(c *cluster, _ *plan) { c.pods["b-1"].Spec.Affinity = antiAffinity("p") }, rules{verify.RulePodAntiAffinity}},
		{"two arrivals keep away from each other", func(c *cluster, _ *plan) { c.pods["e-1"].Spec.Affinity = antiAffinity("a") }, rules{verify.RulePodAntiAffinity}},

		// Launches.
		{"two launches share an ID", func(_ *cluster, p *plan) { p.launch("default", "s", 0.2).ID = "launch-1" }, rules{verify.RuleLaunch}},
		{"a launch has no ID", func(_ *cluster, p *plan) { p.launch("default", "s", 0.2).ID = "" }, rules{verify.RuleLaunch}},
		{"a launch carries no pod", func(_ *cluster, p *plan) { p.launch("default", "s", 0.2) }, rules{verify.RuleLaunch, verify.RuleCost, verify.RuleSteps}},
		{"a launch lists a pod that goes elsewhere", func(_ *cluster, p *plan) { p.Launches[0].Pods = append(p.Launches[0].Pods, "default/p-1") }, rules{verify.RuleLaunch}},
		{"a launch leaves out a pod", func(_ *cluster, p *plan) { p.Launches[0].Pods = p.Launches[0].Pods[1:] }, rules{verify.RuleLaunch}},
		{"a launch states a label that its node cannot have", func(_ *cluster, p *plan) { p.Launches[0].Labels["team"] = "green" }, rules{verify.RuleLaunch, verify.RuleAlternatives, verify.RuleNodeAffinity}},
		{"a launch states a label that nobody gives", func(_ *cluster, p *plan) { p.Launches[0].Labels["disk"] = "fast" }, rules{verify.RuleLaunch}},
		{"an unknown reason to launch", func(_ *cluster, p *plan) { p.Launches[0].Reason = "Boredom" }, rules{verify.RuleLaunch}},
		{"an unknown instance type", func(_ *cluster, p *plan) { p.Launches[0].InstanceType = "xxl" }, rules{verify.RuleOffering, verify.RuleCost}},
		{"an unknown zone", func(_ *cluster, p *plan) { p.Launches[0].Zone = "z9" }, rules{verify.RuleOffering, verify.RuleCost}},
		{"an unknown pool", func(_ *cluster, p *plan) { p.Launches[0].NodePool = "ghost" }, rules{verify.RuleOffering, verify.RuleAlternatives, verify.RuleCost}},
		{"a sold-out offering", func(c *cluster, _ *plan) { c.InstanceTypes[1].Offerings[0].Available = ptr.To(false) }, rules{verify.RuleOffering}},
		{"an offering that the pool does not allow", func(c *cluster, _ *plan) {
			c.pools["default"].Spec.Template.Spec.Requirements[0].Values = []string{"spot"}
		}, rules{verify.RuleOffering, verify.RuleAlternatives}},
		{"a type that the pool's labels exclude", func(c *cluster, _ *plan) {
			c.pools["default"].Spec.Template.Labels = map[string]string{corev1.LabelArchStable: "arm64"}
		}, rules{verify.RuleOffering, verify.RuleAlternatives}},
		{"a type that the node class does not offer", func(c *cluster, _ *plan) { c.InstanceTypes[1].NodeClasses = []string{"other"} }, rules{verify.RuleOffering, verify.RuleAlternatives}},
		{"a pool being deleted", func(c *cluster, _ *plan) { c.pools["default"].DeletionTimestamp = ptr.To(ago(0)) }, rules{verify.RuleOffering, verify.RuleAlternatives}},
		{"a pool of a fixed size", func(c *cluster, _ *plan) { c.pools["default"].Spec.Replicas = ptr.To[int64](3) }, rules{verify.RuleOffering, verify.RuleAlternatives, verify.RuleNotConsolidatable}},
		{"a launch at a wrong price", func(_ *cluster, p *plan) { p.Launches[0].PricePerHour = 0.37 }, rules{verify.RulePrice}},
		{"a removal at a wrong price", func(_ *cluster, p *plan) { p.Removals[0].PricePerHour = 0.3 }, rules{verify.RulePrice}},
		{"an alternative at a wrong price", func(_ *cluster, p *plan) { p.Launches[0].Alternatives[0].PricePerHour = 0.09 }, rules{verify.RulePrice}},
		{"a price that is no number", func(_ *cluster, p *plan) { p.Launches[0].PricePerHour = math.NaN() }, rules{verify.RulePrice}},
		{"an alternative that is too small", func(_ *cluster, p *plan) {
			p.Launches[0].Alternatives[0] = v1alpha1.Alternative{InstanceType: "s", Zone: "z1", CapacityType: "spot", PricePerHour: 0.05}
		}, rules{verify.RuleAlternatives}},
		{"an alternative that is sold out", func(c *cluster, _ *plan) { c.InstanceTypes[1].Offerings[1].Available = ptr.To(false) }, rules{verify.RuleAlternatives}},
		{"an alternative that is the launch itself", func(_ *cluster, p *plan) { p.Launches[0].Alternatives[2].Zone = "z1" }, rules{verify.RuleAlternatives}},
		{"an alternative that does not exist", func(_ *cluster, p *plan) { p.Launches[0].Alternatives[2].Zone = "z9" }, rules{verify.RuleAlternatives}},
		{"an alternative that is there twice", func(_ *cluster, p *plan) { p.Launches[0].Alternatives[1] = p.Launches[0].Alternatives[0] }, rules{verify.RuleAlternatives}},
		{"alternatives out of order", func(_ *cluster, p *plan) {
			a := p.Launches[0].Alternatives
			a[0], a[1] = a[1], a[0]
		}, rules{verify.RuleAlternatives}},
		{"too many alternatives", func(_ *cluster, p *plan) {
			p.Launches[0].Alternatives = make([]v1alpha1.Alternative, 21)
		}, rules{verify.RuleAlternatives}},

		// Limits.
		{"a pool's limit of cpu", func(c *cluster, _ *plan) {
			c.pools["default"].Spec.Limits = karpv1.Limits{corev1.ResourceCPU: resource.MustParse("27")}
		}, rules{verify.RulePoolLimit}},
		{"a pool's limit of nodes", func(c *cluster, _ *plan) {
			c.pools["default"].Spec.Limits = karpv1.Limits{"nodes": resource.MustParse("5")}
		}, rules{verify.RuleNodeLimit}},
		{"a pool's limit of money", func(c *cluster, _ *plan) {
			c.pools["default"].Annotations = map[string]string{v1alpha1.AnnotationPriceLimit: "1.37"}
		}, rules{verify.RuleMoneyLimit}},
		{"a cluster's limit of nodes", func(c *cluster, _ *plan) {
			c.Policy.Limits = map[string]resource.Quantity{"nodes": resource.MustParse("6")}
		}, rules{verify.RuleClusterLimit}},
		{"a cluster's limit of memory", func(c *cluster, _ *plan) {
			c.Policy.Limits = map[string]resource.Quantity{"memory": resource.MustParse("127Gi")}
		}, rules{verify.RuleClusterLimit}},
		{"a cluster's limit of money", func(c *cluster, _ *plan) {
			c.Policy.Limits = map[string]resource.Quantity{"perHour": resource.MustParse("1.57")}
		}, rules{verify.RuleClusterLimit}},

		// Removals.
		{"an unknown node is removed", func(_ *cluster, p *plan) { p.Removals[2].Node = "ghost" }, rules{verify.RuleRemoval, verify.RuleCost, verify.RuleKept, verify.RuleSteps}},
		{"a removal names another node's claim", func(_ *cluster, p *plan) { p.Removals[2].NodeClaim = "claim-s9" }, rules{verify.RuleRemoval, verify.RuleCost, verify.RuleKept, verify.RuleSteps}},
		{"a removal names another pool", func(_ *cluster, p *plan) { p.Removals[2].NodePool = "other" }, rules{verify.RuleRemoval}},
		{"a node is removed twice", func(_ *cluster, p *plan) { p.Removals = append(p.Removals, p.Removals[2]) }, rules{verify.RuleRemoval}},
		{"an expired node stays", func(_ *cluster, p *plan) { p.Removals = append(p.Removals[:1], p.Removals[2:]...) }, rules{verify.RuleRemoval, verify.RuleCost, verify.RuleKept, verify.RuleLaunch, verify.RuleSteps, verify.RuleUnplaced}},
		{"a node that is being deleted stays", func(c *cluster, _ *plan) { c.nodes["s9"].DeletionTimestamp = ptr.To(ago(0)) }, rules{verify.RuleRemoval}},
		{"an interrupted node stays", func(c *cluster, _ *plan) {
			c.nodes["s9"].Annotations = map[string]string{v1alpha1.AnnotationInterruption: "2026-12-01T09:02:00Z"}
		}, rules{verify.RuleRemoval}},
		{"an unhealthy node stays", func(c *cluster, _ *plan) { c.nodes["s9"].Status.Conditions[0].Status = corev1.ConditionFalse }, rules{verify.RuleRemoval}},
		{"an empty node is removed as underutilized", func(_ *cluster, p *plan) { p.Removals[2].Reason = v1alpha1.RemovalUnderutilized }, rules{verify.RuleRemovalReason}},
		{"a node is removed as drifted that is not", func(_ *cluster, p *plan) { p.Removals[0].Reason = v1alpha1.RemovalDrifted }, rules{verify.RuleRemovalReason}},
		{"a node is removed as expired that is not", func(_ *cluster, p *plan) { p.Removals[0].Reason = v1alpha1.RemovalExpired }, rules{verify.RuleRemovalReason}},
		{"an expired node is removed as empty", func(_ *cluster, p *plan) { p.Removals[1].Reason = v1alpha1.RemovalEmpty }, rules{verify.RuleRemovalReason}},
		{"a node is both kept and removed", func(_ *cluster, p *plan) { p.keep(v1alpha1.KeptOptimal, "s1") }, rules{verify.RuleKept}},
		{"a node is neither kept nor removed", func(_ *cluster, p *plan) { p.Kept = p.Kept[1:] }, rules{verify.RuleKept}},
		{"a node is kept twice", func(_ *cluster, p *plan) { p.keep(v1alpha1.KeptOptimal, "s9") }, rules{verify.RuleKept}},
		{"an unknown node is kept", func(_ *cluster, p *plan) { p.keep(v1alpha1.KeptOptimal, "ghost") }, rules{verify.RuleKept}},
		{"an unknown reason to keep", func(_ *cluster, p *plan) { p.Kept[0].Reason = "Nostalgia" }, rules{verify.RuleKept}},
		{"a plan buys for pending pods and removes, which the policy forbids", func(c *cluster, _ *plan) { c.Policy.MovePending = ptr.To(false) }, rules{verify.RuleConsolidationOff}},

		// Steps.
		{"a launch is in no step", func(_ *cluster, p *plan) { p.Steps[0].Launch = nil }, rules{verify.RuleSteps}},
		{"a launch is in two steps", func(_ *cluster, p *plan) { p.Steps[1].Launch = []string{"launch-1"} }, rules{verify.RuleSteps}},
		{"a removal is in no step", func(_ *cluster, p *plan) { p.Steps[1].Remove = p.Steps[1].Remove[:2] }, rules{verify.RuleSteps}},
		{"a removal is in two steps", func(_ *cluster, p *plan) { p.Steps[2].Remove = append(p.Steps[2].Remove, "s4") }, rules{verify.RuleSteps}},
		{"a removal says another step", func(_ *cluster, p *plan) { p.Removals[2].Step = 3 }, rules{verify.RuleSteps}},
		{"a step launches what the plan does not", func(_ *cluster, p *plan) { p.Steps[0].Launch = append(p.Steps[0].Launch, "launch-7") }, rules{verify.RuleSteps}},
		{"a step removes what the plan does not", func(_ *cluster, p *plan) { p.Steps[2].Remove = append(p.Steps[2].Remove, "s9") }, rules{verify.RuleSteps}},
		{"a node goes before the launch its pods need", func(_ *cluster, p *plan) { p.Steps[2].After = nil }, rules{verify.RuleSteps}},
		{"pods of one budget go together", func(_ *cluster, p *plan) { p.Steps[2].After = []int{1} }, rules{verify.RuleSteps}},
		{"a step waits for one that is not there", func(_ *cluster, p *plan) { p.Steps[1].After = append(p.Steps[1].After, 9) }, rules{verify.RuleSteps}},
		{"steps wait for each other", func(_ *cluster, p *plan) { p.Steps[0].After = []int{3} }, rules{verify.RuleSteps}},
		{"a step is there twice", func(_ *cluster, p *plan) { p.Steps = append(p.Steps, v1alpha1.Step{Step: 2}) }, rules{verify.RuleSteps}},

		// Figures.
		{"a wrong price before", func(_ *cluster, p *plan) { p.Cost.BeforePerHour -= 0.01 }, rules{verify.RuleCost}},
		{"a wrong price after", func(_ *cluster, p *plan) { p.Cost.AfterPerHour -= 0.01 }, rules{verify.RuleCost, verify.RuleBound}},
		{"wrong prices in the objective", func(_ *cluster, p *plan) { p.Cost.Objective.Prices -= 0.01 }, rules{verify.RuleCost}},
		{"fees left out", func(c *cluster, _ *plan) { c.Policy.NodeFee = ptr.To(0.01) }, rules{verify.RuleCost}},
		{"fees of some nodes left out", func(c *cluster, _ *plan) {
			c.Policy.NodeFees = []v1alpha1.SelectorFee{{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelInstanceTypeStable: "l"}}, Fee: 0.01}}
		}, rules{verify.RuleCost}},
		{"evictions left out", func(_ *cluster, p *plan) { p.Cost.Objective.Moves = 0 }, rules{verify.RuleCost}},
		{"evictions of another weight", func(c *cluster, _ *plan) {
			c.pods["a-1"].Annotations = map[string]string{corev1.PodDeletionCost: "134217728"}
		}, rules{verify.RuleCost}},
		{"start-ups left out", func(c *cluster, _ *plan) { c.Policy.StartupCost = ptr.To(0.24) }, rules{verify.RuleCost}},
		{"penalties left out", func(c *cluster, _ *plan) { c.Policy.OfferingPenalties = []v1alpha1.SelectorAmount{{PerHour: 0.01}} }, rules{verify.RuleCost}},
		{"the hurdle left out", func(c *cluster, _ *plan) { c.Policy.Savings = &v1alpha1.Savings{Percent: 10} }, rules{verify.RuleCost}},
		{"the hurdle of the whole plan left out", func(c *cluster, _ *plan) { c.Policy.Savings = &v1alpha1.Savings{PerHour: 0.01} }, rules{verify.RuleCost}},
		{"a wrong total", func(_ *cluster, p *plan) { p.Cost.Objective.Total += 0.01 }, rules{verify.RuleCost, verify.RuleBound}},
		{"a bound above the total", func(_ *cluster, p *plan) { p.Cost.Objective.LowerBound += 0.01 }, rules{verify.RuleBound}},
		{"a bound that is no number", func(_ *cluster, p *plan) { p.Cost.Objective.LowerBound = math.NaN() }, rules{verify.RuleBound}},
		{"a wrong gap", func(_ *cluster, p *plan) { p.Cost.Gap = 0.1 }, rules{verify.RuleBound}},
		{"a wrong bound of the price", func(_ *cluster, p *plan) { p.Cost.LowerBoundPerHour -= 0.1 }, rules{verify.RuleBound}},
		{"optimal with a gap", func(_ *cluster, p *plan) { p.Cost.Objective.LowerBound -= 0.01 }, rules{verify.RuleBound}},
		{"optimal with a placement that is not proved", func(_ *cluster, p *plan) { p.Placement.Proved = false }, rules{verify.RuleBound}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, p := fleet()
			tt.change(c, p)
			require.ElementsMatch(t, tt.want, rulesOf(c, p))
		})
	}
}

func nodeAffinity(terms ...corev1.NodeSelectorTerm) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
	}}
}
