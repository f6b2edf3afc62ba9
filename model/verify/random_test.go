package verify_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

const (
	family    = "karpenter.k8s.aws/instance-family"
	nodeClass = "example.com/class"
)

// dice make random clusters in which every rule comes up now and then.
type dice struct {
	*rand.Rand
	c     *cluster
	pools []string
	count int // of pods
}

// randomCluster is the same for the same seed.
func randomCluster(seed uint64) *cluster {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0)), c: newCluster(), pools: []string{"default"}}
	if d.chance(50) {
		d.pools = append(d.pools, "second")
	}
	for i, name := range []string{"s", "m", "l", "x"} {
		d.sell(name, 2<<i)
	}
	for _, name := range d.pools {
		d.offerPool(name)
	}
	for i := range 1 + d.IntN(7) {
		d.run(fmt.Sprintf("n%d", i))
	}
	for range d.IntN(8) {
		p := d.pod()
		if d.chance(5) {
			p.Status.NominatedNodeName = fmt.Sprintf("n%d", d.IntN(8))
			p.OwnerReferences[0].Kind = d.pick("ReplicaSet", "DaemonSet")
		}
		d.c.add(p)
	}
	d.addRest()
	d.setPolicy()
	return d.c
}

func (d *dice) chance(percent int) bool { return d.IntN(100) < percent }

func (d *dice) pick(words ...string) string { return words[d.IntN(len(words))] }

func (d *dice) sell(name string, cpu int) {
	t := d.c.sell(name, strconv.Itoa(cpu), fmt.Sprint(4*cpu, "Gi"), 0.05*float64(cpu)*(0.9+0.2*d.Float64()))
	label := func(key, value string) {
		t.Requirements = append(t.Requirements, corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}})
	}
	if d.chance(30) {
		t.Overhead = quantities("100m", "500Mi")
	}
	if d.chance(30) {
		label(family, d.pick("a", "b"))
	}
	if d.chance(20) {
		label("gpu", "yes")
		t.Capacity["example.com/gpu"] = resource.MustParse("2")
	}
	for i := range t.Offerings {
		t.Offerings[i].Available = ptr.To(d.chance(80))
	}
	if d.chance(30) {
		t.Offerings = append(t.Offerings, v1alpha1.Offering{
			Zone: "z1", CapacityType: "reserved", Reservation: &v1alpha1.Reservation{ID: "r-" + name, Count: int32(d.IntN(3))},
		})
	}
	if d.chance(10) {
		t.NodeClasses = []string{d.pick("default", "other")}
	}
}

func (d *dice) offerPool(name string) {
	requirements := []karpv1.NodeSelectorRequirementWithMinValues{
		requirement(karpv1.CapacityTypeLabelKey, corev1.NodeSelectorOpIn, "on-demand", d.pick("spot", "reserved", "on-demand")),
	}
	for _, r := range []karpv1.NodeSelectorRequirementWithMinValues{
		requirement("team", corev1.NodeSelectorOpIn, "red", "blue"),
		requirement("size", corev1.NodeSelectorOpExists),
		requirement("num", corev1.NodeSelectorOpGt, "5"),
		requirement(family, corev1.NodeSelectorOpNotIn, "a"),
	} {
		if d.chance(30) {
			requirements = append(requirements, r)
		}
	}
	p := d.c.offerPool(name, requirements...)
	s := &p.Spec.Template.Spec
	if d.chance(30) {
		p.Spec.Template.Labels = map[string]string{"env": d.pick("prod", "dev")}
	}
	if d.chance(30) {
		s.Taints = []corev1.Taint{{Key: "dedicated", Value: "x", Effect: corev1.TaintEffect(d.pick("NoSchedule", "PreferNoSchedule", "NoExecute"))}}
	}
	s.StartupTaints = []corev1.Taint{{Key: "startup", Effect: corev1.TaintEffectNoSchedule}}
	switch d.IntN(6) {
	case 0:
		p.Spec.Limits = karpv1.Limits{corev1.ResourceCPU: *resource.NewQuantity(int64(10+d.IntN(60)), resource.DecimalSI)}
	case 1:
		p.Spec.Limits = karpv1.Limits{v1alpha1.LimitNodes: *resource.NewQuantity(int64(2+d.IntN(8)), resource.DecimalSI)}
	case 2:
		p.Annotations = map[string]string{v1alpha1.AnnotationPriceLimit: fmt.Sprint(1 + d.Float64())}
	}
	disruption := &p.Spec.Disruption
	switch d.IntN(4) {
	case 0:
		disruption.Budgets = nil
	case 1:
		disruption.Budgets = []karpv1.Budget{{Nodes: d.pick("10%", "1", "2", "50%")},
			{Nodes: d.pick("1", "0", "3"), Reasons: []karpv1.DisruptionReason{karpv1.DisruptionReason(d.pick("Empty", "Drifted", "Underutilized"))}}}
	}
	disruption.ConsolidationPolicy = karpv1.ConsolidationPolicy(d.pick("", "", "", "WhenEmpty", "Balanced"))
	disruption.ConsolidateAfter = karpv1.MustParseNillableDuration(d.pick("0s", "0s", "0s", "Never"))
}

func (d *dice) pod() *corev1.Pod {
	d.count++
	p := newPod(fmt.Sprintf("%s-%d", d.pick("a", "b", "c", "d"), d.count), fmt.Sprint(100+100*d.IntN(25), "m"), fmt.Sprint(100+d.IntN(6000), "Mi"))
	s := &p.Spec
	main := &s.Containers[0]
	if d.chance(30) {
		s.Tolerations = []corev1.Toleration{{Key: "dedicated", Operator: corev1.TolerationOpExists}}
	}
	switch d.IntN(15) {
	case 0:
		s.NodeSelector = map[string]string{
			d.pick("team", "env", "size", "num", corev1.LabelTopologyZone, "beta.kubernetes.io/arch", nodeClass): d.pick("red", "prod", "7", "z1", "z2", "amd64", "default"),
		}
	case 1:
		s.Affinity = nodeAffinity(
			corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: d.pick("team", "env", family), Operator: corev1.NodeSelectorOperator(d.pick("In", "NotIn")), Values: []string{d.pick("red", "blue", "a", "prod")}}}},
			corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: d.pick("team", "num", "size"), Operator: corev1.NodeSelectorOperator(d.pick("Exists", "DoesNotExist"))}}})
	case 2:
		s.Affinity = antiAffinity(d.pick("a", "b", app(p.Name)))
	case 3:
		main.Ports = hostPort(int32(80+d.IntN(2)), d.pick("", "10.0.0.1", "10.0.0.2"))
	case 4:
		main.Resources.Requests = nil
	case 5:
		main.Resources = corev1.ResourceRequirements{Limits: quantities("1", "1Gi")}
	case 6:
		s.InitContainers = []corev1.Container{{Name: "init", Resources: corev1.ResourceRequirements{Requests: quantities("2", "1Gi")}}}
		if d.chance(50) {
			s.InitContainers[0].RestartPolicy = ptr.To(corev1.ContainerRestartPolicyAlways)
		}
	case 7:
		s.Priority = ptr.To(int32(d.IntN(3) * 1_000_000))
	case 8:
		main.Resources.Requests["example.com/gpu"] = resource.MustParse("1")
	case 9:
		p.Annotations = map[string]string{corev1.PodDeletionCost: strconv.Itoa(d.IntN(1_000_000_000) - 300_000_000)}
	}
	return p
}

// residents are pods of a node, some of them not to be moved.
func (d *dice) residents() []*corev1.Pod {
	var out []*corev1.Pod
	for range d.IntN(4) {
		p := d.pod()
		owner := &p.OwnerReferences[0]
		switch d.IntN(18) {
		case 0:
			p.DeletionTimestamp = ptr.To(ago(time.Minute))
		case 1:
			owner.Kind = "StatefulSet"
			p.DeletionTimestamp = ptr.To(ago(time.Minute))
		case 2:
			owner.APIVersion, owner.Kind = "batch/v1", "Job"
		case 3:
			owner.Kind = "DaemonSet"
		case 4:
			p.OwnerReferences = nil
		case 5:
			p.Annotations = map[string]string{karpv1.DoNotDisruptAnnotationKey: d.pick("true", "2h", "10m")}
		}
		out = append(out, p)
	}
	return out
}

func (d *dice) run(name string) {
	instanceType := d.pick("s", "m", "l", "x")
	if d.chance(15) {
		n := d.c.runUnmanaged(name, instanceType, d.residents()...)
		n.Labels["eks.amazonaws.com/capacityType"] = d.pick("SPOT", "ON_DEMAND")
		return
	}
	n := d.c.run(name, instanceType, d.pick(d.pools...), d.residents()...)
	claim := d.c.claims["claim-"+name]
	n.Labels[karpv1.CapacityTypeLabelKey] = d.pick("on-demand", "on-demand", "spot")
	n.Labels["team"] = d.pick("red", "blue")
	claim.Status.LastPodEventTime = ago(time.Duration(d.IntN(100)) * time.Minute)
	switch d.IntN(18) {
	case 0:
		n.Spec.Unschedulable = true
	case 1:
		n.Status.Conditions[0].Status = corev1.ConditionFalse
		n.Status.Conditions[0].LastTransitionTime = ago(time.Duration(d.IntN(60)) * time.Minute)
	case 2:
		claim.DeletionTimestamp = ptr.To(ago(time.Minute))
	case 3:
		claim.Spec.ExpireAfter = karpv1.MustParseNillableDuration("1h")
	case 4, 5:
		claim.Status.Conditions = append(claim.Status.Conditions, conditions(karpv1.ConditionTypeDrifted)...)
		if d.chance(30) {
			claim.Spec.TerminationGracePeriod = &metav1.Duration{Duration: time.Hour}
		}
	case 6:
		n.Annotations = map[string]string{v1alpha1.AnnotationInterruption: "2026-12-01T09:02:00Z"}
	case 7:
		delete(n.Labels, karpv1.NodeInitializedLabelKey)
		claim.Status.Conditions = nil
		claim.Spec.StartupTaints = []corev1.Taint{{Key: "startup", Effect: corev1.TaintEffectNoSchedule}}
		n.Spec.Taints = []corev1.Taint{{Key: "startup", Effect: corev1.TaintEffectNoSchedule}, {Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}}
	case 8:
		n.Labels[corev1.LabelTopologyZone] = "z9"
	case 9:
		n.Status.Allocatable[corev1.ResourceMemory] = resource.MustParse("6Gi")
	}
}

// addRest adds what a cluster has beside pods, pools and nodes.
func (d *dice) addRest() {
	if d.chance(30) {
		way := d.c.claim("way", d.pick("s", "m", "l"), d.pick(d.pools...))
		way.Status.ProviderID = d.pick("", "example://z1/i-way")
		if d.chance(30) {
			way.Spec.Requirements = []karpv1.NodeSelectorRequirementWithMinValues{requirement("team", corev1.NodeSelectorOpIn, "red")}
		}
	}
	if d.chance(40) {
		s := &d.c.daemonSet("agent", "200m", "200Mi").Spec.Template.Spec
		switch d.IntN(4) {
		case 0:
			s.Containers[0].Ports = hostPort(80, "")
		case 1:
			s.NodeSelector = map[string]string{d.pick("env", "team", corev1.LabelTopologyRegion): d.pick("prod", "red")}
		case 2:
			s.Containers[0].Resources.Requests = nil
		}
	}
	if d.chance(30) {
		d.c.budget(d.pick("a", "b"), int32(d.IntN(3)))
	}
	if d.chance(20) {
		d.c.add(&corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: d.pick("default", "kube-system"), Name: "defaults"}, Spec: corev1.LimitRangeSpec{
			Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: quantities("300m", "1Gi")}},
		}})
	}
	if d.chance(30) {
		o := &karpv1alpha1.NodeOverlay{ObjectMeta: metav1.ObjectMeta{Name: "overlay"}}
		o.Spec.Requirements = []karpv1alpha1.NodeSelectorRequirement{{
			Key:      d.pick(corev1.LabelInstanceTypeStable, karpv1.NodePoolLabelKey, corev1.LabelTopologyZone, "env"),
			Operator: corev1.NodeSelectorOpIn, Values: []string{d.pick("s", "m", "default", "z1", "prod")},
		}}
		if d.chance(70) {
			o.Spec.PriceAdjustment = ptr.To(d.pick("+10%", "-10%", "+0.1", "-0.05"))
		} else {
			o.Spec.Capacity = corev1.ResourceList{"example.com/gpu": resource.MustParse("1")}
		}
		d.c.add(o)
	}
}

func (d *dice) setPolicy() {
	p := &d.c.Policy
	label := func(key, value string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
	}
	p.MovePending, p.Consolidate = ptr.To(d.chance(80)), ptr.To(d.chance(90))
	p.EvictBarePods, p.ProtectJobs = ptr.To(d.chance(20)), ptr.To(d.chance(20))
	p.SpotFlexibility, p.SpotDiversity = ptr.To(int32(1+d.IntN(2))), ptr.To(0.5+0.5*float64(d.IntN(2)))
	p.QuietPeriod, p.QuietScope = &metav1.Duration{Duration: time.Duration(d.IntN(20)) * time.Minute}, d.pick("source", "sourceAndDestination")
	p.Drift = d.pick("act", "act", "act", "report")
	if d.chance(30) {
		p.NodeFee = ptr.To(0.02)
		p.NodeFees = []v1alpha1.SelectorFee{{Selector: label(karpv1.CapacityTypeLabelKey, "spot"), Fee: 0.01}, {Fee: 0.001}}
	}
	if d.chance(20) {
		p.Savings = &v1alpha1.Savings{Percent: 10, PerHour: 0.01}
	}
	if d.chance(20) {
		p.StartupCost = ptr.To(0.01)
		p.StartupCosts = []v1alpha1.SelectorCost{{Selector: label(karpv1.CapacityTypeLabelKey, "spot"), Cost: 0.2}, {Selector: label(corev1.LabelTopologyZone, "z1"), Cost: 0.3}}
	}
	if d.chance(20) {
		p.SpotRisk = ptr.To(0.01)
		p.OfferingPenalties = []v1alpha1.SelectorAmount{{Selector: label(corev1.LabelTopologyZone, "z2"), PerHour: 0.01}}
	}
	if d.chance(20) {
		p.Limits = map[string]resource.Quantity{d.pick("nodes", "cpu", "perHour"): *resource.NewQuantity(int64(4+d.IntN(20)), resource.DecimalSI)}
	}
	if d.chance(20) {
		p.Windows = []v1alpha1.Window{{
			Reasons: []string{d.pick("Empty", "Drifted", "Underutilized")},
			Allow:   []v1alpha1.Allow{{Schedule: d.pick("0 8 * * *", "0 9 * * *"), Duration: metav1.Duration{Duration: time.Hour}}},
		}}
	}
	if d.chance(10) {
		p.Manage = []v1alpha1.Manage{{Selector: label("eks.amazonaws.com/capacityType", "SPOT"), NodePool: "default"}}
	}
}
