package verify_test

import (
	"fmt"
	"time"

	"github.com/awslabs/operatorpkg/status"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// now is a Tuesday.
var now = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func ago(d time.Duration) metav1.Time { return metav1.NewTime(now.Add(-d)) }

// cluster is a snapshot under construction.
type cluster struct {
	*v1alpha1.Snapshot
	pods   map[string]*corev1.Pod
	nodes  map[string]*corev1.Node
	claims map[string]*karpv1.NodeClaim
	pools  map[string]*karpv1.NodePool
}

func newCluster() *cluster {
	return &cluster{
		Snapshot: &v1alpha1.Snapshot{Time: metav1.NewTime(now)},
		pods:     map[string]*corev1.Pod{},
		nodes:    map[string]*corev1.Node{},
		claims:   map[string]*karpv1.NodeClaim{},
		pools:    map[string]*karpv1.NodePool{},
	}
}

func (c *cluster) add(objects ...runtime.Object) {
	for _, o := range objects {
		c.Objects = append(c.Objects, runtime.RawExtension{Object: o})
		switch o := o.(type) {
		case *corev1.Pod:
			c.pods[o.Name] = o
		case *corev1.Node:
			c.nodes[o.Name] = o
		case *karpv1.NodeClaim:
			c.claims[o.Name] = o
		case *karpv1.NodePool:
			c.pools[o.Name] = o
		}
	}
}

func quantities(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}

func room(cpu, memory string) corev1.ResourceList {
	out := quantities(cpu, memory)
	out[corev1.ResourcePods] = resource.MustParse("110")
	return out
}

// sell adds an instance type, on demand in two zones and as spot at a third of the price.
func (c *cluster) sell(name, cpu, memory string, price float64) *v1alpha1.InstanceType {
	t := v1alpha1.InstanceType{
		Name:     name,
		Capacity: room(cpu, memory),
		Requirements: []corev1.NodeSelectorRequirement{
			{Key: corev1.LabelArchStable, Operator: corev1.NodeSelectorOpIn, Values: []string{"amd64"}},
			{Key: corev1.LabelOSStable, Operator: corev1.NodeSelectorOpIn, Values: []string{"linux"}},
		},
	}
	for _, zone := range []string{"z1", "z2"} {
		t.Offerings = append(t.Offerings,
			v1alpha1.Offering{Zone: zone, CapacityType: "on-demand", Price: price},
			v1alpha1.Offering{Zone: zone, CapacityType: "spot", Price: price / 4})
	}
	c.InstanceTypes = append(c.InstanceTypes, t)
	return &c.InstanceTypes[len(c.InstanceTypes)-1]
}

func requirement(key string, operator corev1.NodeSelectorOperator, values ...string) karpv1.NodeSelectorRequirementWithMinValues {
	return karpv1.NodeSelectorRequirementWithMinValues{Key: key, Operator: operator, Values: values}
}

// offerPool adds a NodePool of which all nodes may go at once.
func (c *cluster) offerPool(name string, requirements ...karpv1.NodeSelectorRequirementWithMinValues) *karpv1.NodePool {
	p := &karpv1.NodePool{ObjectMeta: metav1.ObjectMeta{Name: name}}
	p.Spec.Template.Spec.NodeClassRef = &karpv1.NodeClassReference{Group: "example.com", Kind: "Class", Name: "default"}
	p.Spec.Template.Spec.Requirements = requirements
	p.Spec.Disruption.ConsolidateAfter = karpv1.MustParseNillableDuration("0s")
	p.Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: "100%"}}
	c.add(p)
	return p
}

func (c *cluster) capacity(instanceType string) corev1.ResourceList {
	for i := range c.InstanceTypes {
		if c.InstanceTypes[i].Name == instanceType {
			return c.InstanceTypes[i].Capacity.DeepCopy()
		}
	}
	panic("no type " + instanceType)
}

// run adds a node with its claim, up and consolidatable, on demand in zone z1.
func (c *cluster) run(name, instanceType, pool string, pods ...*corev1.Pod) *corev1.Node {
	n := c.runUnmanaged(name, instanceType, pods...)
	n.Labels[karpv1.NodePoolLabelKey] = pool
	n.Labels[karpv1.CapacityTypeLabelKey] = "on-demand"
	n.Labels[karpv1.NodeRegisteredLabelKey] = "true"
	n.Labels[karpv1.NodeInitializedLabelKey] = "true"
	claim := c.claim("claim-"+name, instanceType, pool)
	claim.Status.NodeName = name
	claim.Status.Conditions = conditions(karpv1.ConditionTypeInitialized, karpv1.ConditionTypeConsolidatable)
	return n
}

func conditions(types ...string) []status.Condition {
	var out []status.Condition
	for _, t := range types {
		out = append(out, status.Condition{Type: t, Status: metav1.ConditionTrue, LastTransitionTime: ago(time.Hour)})
	}
	return out
}

var readyConditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}

func (c *cluster) runUnmanaged(name, instanceType string, pods ...*corev1.Pod) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
		corev1.LabelHostname:           name,
		corev1.LabelInstanceTypeStable: instanceType,
		corev1.LabelTopologyZone:       "z1",
		corev1.LabelArchStable:         "amd64",
		corev1.LabelOSStable:           "linux",
	}}}
	n.Status.Allocatable = c.capacity(instanceType)
	n.Status.Capacity = c.capacity(instanceType)
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(time.Hour)}}
	c.add(n)
	for _, p := range pods {
		p.Spec.NodeName = name
		p.Status.Phase = corev1.PodRunning
		p.Status.StartTime = ptr.To(ago(time.Hour))
		p.Status.Conditions = readyConditions
		c.add(p)
	}
	return n
}

// claim adds a NodeClaim, on demand in zone z1, a day old.
func (c *cluster) claim(name, instanceType, pool string) *karpv1.NodeClaim {
	x := &karpv1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: ago(24 * time.Hour), Labels: map[string]string{
		karpv1.NodePoolLabelKey:        pool,
		corev1.LabelInstanceTypeStable: instanceType,
		corev1.LabelTopologyZone:       "z1",
		karpv1.CapacityTypeLabelKey:    "on-demand",
	}}}
	x.Spec.NodeClassRef = &karpv1.NodeClassReference{Group: "example.com", Kind: "Class", Name: "default"}
	c.add(x)
	return x
}

// newPod is a pending pod of a ReplicaSet, with its name up to the last dash as label app.
func newPod(name, cpu, memory string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{"app": app(name)}}}
	p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app(name), Controller: ptr.To(true)}}
	p.Spec.Containers = []corev1.Container{{Name: "main", Resources: corev1.ResourceRequirements{Requests: quantities(cpu, memory)}}}
	p.Status.Phase = corev1.PodPending
	return p
}

func app(name string) string {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '-' {
			return name[:i]
		}
	}
	return name
}

func selectApp(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

// budget adds a PodDisruptionBudget over an app.
func (c *cluster) budget(app string, allowed int32) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: app}}
	b.Spec.Selector = selectApp(app)
	b.Status.ObservedGeneration = 1
	b.Status.DisruptionsAllowed = allowed
	c.add(b)
	return b
}

// daemonSet adds a DaemonSet that runs on every node it tolerates.
func (c *cluster) daemonSet(name, cpu, memory string) *appsv1.DaemonSet {
	d := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: name}}
	d.Spec.Template.Spec = newPod(name, cpu, memory).Spec
	c.add(d)
	return d
}

// antiAffinity keeps a pod off the hosts of an app's pods.
func antiAffinity(app string) *corev1.Affinity {
	return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{LabelSelector: selectApp(app), TopologyKey: corev1.LabelHostname},
	}}}
}

func hostPort(port int32, ip string) []corev1.ContainerPort {
	return []corev1.ContainerPort{{ContainerPort: port, HostPort: port, HostIP: ip}}
}

// plan is a plan under construction.
type plan struct{ *v1alpha1.Plan }

func newPlan() *plan {
	p := &v1alpha1.Plan{Outcome: v1alpha1.Optimal}
	p.APIVersion, p.Kind = v1alpha1.APIVersion, v1alpha1.KindPlan
	p.Placement.Proved = true
	return &plan{p}
}

// cost states figures: prices before and after, one-off costs, fees, penalties.
func (p *plan) cost(before, after, moves, fees, penalties float64) {
	total := after + moves + fees + penalties
	p.Cost = v1alpha1.Cost{BeforePerHour: before, AfterPerHour: after, LowerBoundPerHour: after}
	p.Cost.Objective = v1alpha1.Objective{Prices: after, Moves: moves, Fees: fees, Penalties: penalties, Total: total, LowerBound: total}
}

// launch adds an on-demand launch in zone z1 for some pods of the default namespace.
func (p *plan) launch(pool, instanceType string, price float64, pods ...string) *v1alpha1.Launch {
	l := v1alpha1.Launch{
		ID: fmt.Sprintf("launch-%d", len(p.Launches)+1), NodePool: pool, InstanceType: instanceType, Zone: "z1", CapacityType: "on-demand",
		PricePerHour: price, Reason: v1alpha1.LaunchPending,
	}
	for _, name := range pods {
		l.Pods = append(l.Pods, "default/"+name)
	}
	p.Launches = append(p.Launches, l)
	return &p.Launches[len(p.Launches)-1]
}

// remove adds a removal from a pool at a price.
func (p *plan) remove(node, pool, reason string, price float64, step int, moves ...v1alpha1.Destination) *v1alpha1.Removal {
	p.Removals = append(p.Removals, v1alpha1.Removal{
		Node: node, NodeClaim: "claim-" + node, NodePool: pool, PricePerHour: price, Reason: reason, Step: step, Moves: moves,
	})
	return &p.Removals[len(p.Removals)-1]
}

func (p *plan) keep(reason string, nodes ...string) {
	for _, n := range nodes {
		p.Kept = append(p.Kept, v1alpha1.Kept{Node: n, Reason: reason})
	}
}

func toNode(pod, node string) v1alpha1.Destination {
	return v1alpha1.Destination{Pod: "default/" + pod, Node: node}
}

func toLaunch(pod, launch string) v1alpha1.Destination {
	return v1alpha1.Destination{Pod: "default/" + pod, Launch: launch}
}

func toClaim(pod, claim string) v1alpha1.Destination {
	return v1alpha1.Destination{Pod: "default/" + pod, NodeClaim: claim}
}
