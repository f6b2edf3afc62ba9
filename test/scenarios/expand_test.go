package scenarios_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// snapshot is the cluster in the API's own words.
func (c *cluster) snapshot() *v1alpha1.Snapshot {
	s := &v1alpha1.Snapshot{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.KindSnapshot},
		Time:     c.Time,
		Policy:   c.Policy,
	}
	for i := range c.Types {
		s.InstanceTypes = append(s.InstanceTypes, c.Types[i].expand())
	}
	for _, o := range c.objects() {
		s.Objects = append(s.Objects, runtime.RawExtension{Object: o})
	}
	return s
}

func (c *cluster) objects() []runtime.Object {
	var out []runtime.Object
	for i := range c.Pools {
		out = append(out, c.nodePool(&c.Pools[i]))
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		out = append(out, c.machine(n)...)
		for j := range n.Pods {
			out = append(out, c.pod(&n.Pods[j], n))
		}
		out = append(out, c.daemonPods(n)...)
	}
	for i := range c.Pending {
		out = append(out, c.pod(&c.Pending[i], nil))
	}
	for i := range c.Daemons {
		out = append(out, c.daemonSet(&c.Daemons[i]))
	}
	for i := range c.PDBs {
		out = append(out, c.podDisruptionBudget(&c.PDBs[i], i))
	}
	for i := range c.Overlays {
		out = append(out, c.nodeOverlay(&c.Overlays[i], i))
	}
	for ns, a := range c.DefaultRequests {
		out = append(out, &corev1.LimitRange{
			TypeMeta:   typeMeta(corev1.SchemeGroupVersion, "LimitRange"),
			ObjectMeta: c.meta("defaults", ns, 0),
			Spec:       corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: corev1.ResourceList(a)}}},
		})
	}
	return out
}

func typeMeta(gv schema.GroupVersion, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: gv.String(), Kind: kind}
}

var karpenter = schema.GroupVersion{Group: "karpenter.sh", Version: "v1"}

func (c *cluster) ago(d time.Duration) metav1.Time {
	return metav1.NewTime(c.Time.Add(-d))
}

// meta of an object that is a month old unless it has an age.
func (c *cluster) meta(name, namespace string, age time.Duration) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: namespace, CreationTimestamp: c.ago(cmp.Or(age, 30*24*time.Hour))}
}

func (t *instanceType) expand() v1alpha1.InstanceType {
	in := func(k, v string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: k, Operator: corev1.NodeSelectorOpIn, Values: []string{v}}
	}
	out := v1alpha1.InstanceType{
		Name:         t.Name,
		Capacity:     t.Size.withSlots(),
		Requirements: []corev1.NodeSelectorRequirement{in(corev1.LabelArchStable, cmp.Or(t.Arch, "amd64")), in(corev1.LabelOSStable, "linux")},
	}
	for _, k := range sortedKeys(t.Labels) {
		out.Requirements = append(out.Requirements, in(k, t.Labels[k]))
	}
	offer := func(capacityType string, byZone prices) {
		for _, zone := range sortedKeys(byZone) {
			o := v1alpha1.Offering{Zone: zone, CapacityType: capacityType, Price: byZone[zone]}
			if slices.Contains(t.SoldOut, capacityType) {
				o.Available, o.UnavailableUntil = ptr.To(false), t.Until
			}
			out.Offerings = append(out.Offerings, o)
		}
	}
	offer(karpv1.CapacityTypeOnDemand, t.OnDemand)
	offer(karpv1.CapacityTypeSpot, t.Spot)
	if r := t.Reserved; r != nil {
		out.Offerings = append(out.Offerings, v1alpha1.Offering{
			Zone: defaultZone, CapacityType: karpv1.CapacityTypeReserved, Price: r.Price,
			Reservation: &v1alpha1.Reservation{ID: r.ID, Count: r.Count},
		})
	}
	return out
}

func (c *cluster) nodePool(p *pool) *karpv1.NodePool {
	out := &karpv1.NodePool{TypeMeta: typeMeta(karpenter, "NodePool"), ObjectMeta: c.meta(p.Name, "", 0)}
	out.Annotations = p.Annotations
	out.Spec.Weight = p.Weight
	out.Spec.Limits = p.Limits
	out.Spec.Disruption = karpv1.Disruption{
		ConsolidationPolicy: karpv1.ConsolidationPolicy(cmp.Or(p.Policy, string(karpv1.ConsolidationPolicyWhenEmptyOrUnderutilized))),
		ConsolidateAfter:    karpv1.MustParseNillableDuration(cmp.Or(p.After, "0s")),
		Budgets:             p.Budgets,
	}
	if len(p.Budgets) == 0 {
		out.Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: "100%"}}
	}

	template := &out.Spec.Template
	template.Labels = p.Labels
	template.Spec.NodeClassRef = &karpv1.NodeClassReference{Group: "karpenter.kwok.sh", Kind: "KWOKNodeClass", Name: "default"}
	template.Spec.Taints = plainTaints(p.Taints)
	template.Spec.StartupTaints = plainTaints(p.StartupTaints)
	template.Spec.ExpireAfter = karpv1.MustParseNillableDuration("Never")
	template.Spec.TerminationGracePeriod = c.endOfLife(p.Name)
	requirements := append(plainRequirements(p.Requirements),
		corev1.NodeSelectorRequirement{Key: corev1.LabelOSStable, Operator: corev1.NodeSelectorOpIn, Values: []string{"linux"}})
	if !slices.ContainsFunc(p.Requirements, func(r requirement) bool { return r.Key == karpv1.CapacityTypeLabelKey }) {
		requirements = append(requirements, corev1.NodeSelectorRequirement{
			Key: karpv1.CapacityTypeLabelKey, Operator: corev1.NodeSelectorOpIn,
			Values: []string{karpv1.CapacityTypeOnDemand, karpv1.CapacityTypeReserved, karpv1.CapacityTypeSpot},
		})
	}
	for _, r := range requirements {
		template.Spec.Requirements = append(template.Spec.Requirements, karpv1.NodeSelectorRequirementWithMinValues{Key: r.Key, Operator: r.Operator, Values: r.Values})
	}
	return out
}

func (c *cluster) endOfLife(poolName string) *metav1.Duration {
	for i := range c.Nodes {
		if c.Nodes[i].Pool == poolName && c.Nodes[i].EndOfLife != nil {
			return c.Nodes[i].EndOfLife
		}
	}
	return nil
}

func (c *cluster) podDisruptionBudget(b *pdb, i int) *policyv1.PodDisruptionBudget {
	healthy := int32(0)
	for j := range c.Nodes {
		for _, p := range c.Nodes[j].Pods {
			if p.App == b.App {
				healthy++
			}
		}
	}
	out := &policyv1.PodDisruptionBudget{
		TypeMeta:   typeMeta(policyv1.SchemeGroupVersion, "PodDisruptionBudget"),
		ObjectMeta: c.meta(fmt.Sprintf("pdb-%d", i+1), metav1.NamespaceDefault, 0),
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: appSelector(b.App)},
		Status: policyv1.PodDisruptionBudgetStatus{
			DisruptionsAllowed: b.Allowed, CurrentHealthy: healthy, DesiredHealthy: healthy - b.Allowed, ExpectedPods: healthy,
		},
	}
	if b.MaxUnavailable != nil {
		out.Spec.MaxUnavailable = ptr.To(intstr.FromInt(*b.MaxUnavailable))
	}
	if b.MinAvailable != nil {
		out.Spec.MinAvailable = ptr.To(intstr.FromInt(*b.MinAvailable))
	}
	return out
}

func (c *cluster) nodeOverlay(o *overlay, i int) *karpv1alpha1.NodeOverlay {
	out := &karpv1alpha1.NodeOverlay{
		TypeMeta:   typeMeta(schema.GroupVersion{Group: karpenter.Group, Version: "v1alpha1"}, "NodeOverlay"),
		ObjectMeta: c.meta(fmt.Sprintf("overlay-%d", i+1), "", 0),
	}
	out.Spec.Weight = ptr.To[int32](10)
	for _, r := range o.Requirements {
		out.Spec.Requirements = append(out.Spec.Requirements, karpv1alpha1.NodeSelectorRequirement{Key: r.Key, Operator: r.Operator, Values: r.Values})
	}
	if o.Price != "" {
		out.Spec.Price = &o.Price
	}
	if o.Adjustment != "" {
		out.Spec.PriceAdjustment = &o.Adjustment
	}
	return out
}

func (c *cluster) daemonSet(d *daemon) *appsv1.DaemonSet {
	p := d.pod()
	return &appsv1.DaemonSet{
		TypeMeta:   typeMeta(appsv1.SchemeGroupVersion, "DaemonSet"),
		ObjectMeta: c.meta(d.Name, daemonNamespace, 0),
		Spec: appsv1.DaemonSetSpec{
			Selector: appSelector(d.Name),
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": d.Name}}, Spec: p.spec()},
		},
	}
}

func (d *daemon) pod() *pod {
	p := &pod{Name: d.Name, App: d.Name, Age: &metav1.Duration{Duration: defaultPodAge}, Namespace: daemonNamespace, Owner: "DaemonSet", Needs: d.Needs, Selector: d.Selector, Ports: d.Ports}
	if !d.Shy {
		p.Tolerations = []toleration{{Operator: corev1.TolerationOpExists}}
	}
	return p
}

// daemonPods run on every initialized node that their selector allows.
func (c *cluster) daemonPods(n *node) []runtime.Object {
	var out []runtime.Object
	if n.Joining || n.ClaimOnly {
		return nil
	}
	labels := c.labels(n)
	for i := range c.Daemons {
		d := &c.Daemons[i]
		p := d.pod()
		p.Name = d.Name + "-" + n.Name
		if len(p.Needs) == 0 {
			p.Needs = c.DefaultRequests[daemonNamespace]
		}
		matches := true
		for k, v := range longKeys(d.Selector) {
			matches = matches && labels[k] == v
		}
		if matches {
			out = append(out, c.pod(p, n))
		}
	}
	return out
}

func (c *cluster) labels(n *node) map[string]string {
	out := map[string]string{
		corev1.LabelInstanceTypeStable: n.Type, corev1.LabelTopologyZone: n.Zone, corev1.LabelArchStable: "amd64",
		corev1.LabelOSStable: "linux", corev1.LabelHostname: n.Name, karpv1.CapacityTypeLabelKey: n.Capacity,
	}
	for i := range c.Types {
		if c.Types[i].Name == n.Type {
			out[corev1.LabelArchStable] = cmp.Or(c.Types[i].Arch, "amd64")
			for k, v := range c.Types[i].Labels {
				out[k] = v
			}
		}
	}
	if p := c.pool(n); p != nil && !n.Foreign {
		out[karpv1.NodePoolLabelKey] = n.Pool
		out[karpv1.NodeRegisteredLabelKey] = "true"
		if !n.Joining {
			out[karpv1.NodeInitializedLabelKey] = "true"
		}
		for _, r := range p.Requirements {
			if _, ok := out[r.Key]; !ok && r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1 {
				out[r.Key] = r.Values[0]
			}
		}
		for k, v := range p.Labels {
			out[k] = v
		}
	}
	if n.Foreign {
		delete(out, karpv1.CapacityTypeLabelKey)
	}
	if n.Reservation != "" {
		out["karpenter.sh/reservation-id"] = n.Reservation
	}
	for k, v := range n.Labels {
		out[k] = v
	}
	return out
}

func (c *cluster) pool(n *node) *pool {
	for i := range c.Pools {
		if c.Pools[i].Name == n.Pool {
			return &c.Pools[i]
		}
	}
	return nil
}

func appSelector(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// allocatable is what the node reports.
func (c *cluster) allocatable(n *node) corev1.ResourceList {
	out := corev1.ResourceList{}
	for i := range c.Types {
		if c.Types[i].Name == n.Type {
			out = c.Types[i].Size.withSlots()
		}
	}
	if len(out) == 0 { // its type is not for sale
		return n.Allocatable.withSlots()
	}
	maps.Copy(out, corev1.ResourceList(n.Allocatable))
	return out
}
