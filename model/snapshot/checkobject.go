package snapshot

import (
	"cmp"
	"regexp"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/fields"
)

// checkObject says what an API server with Karpenter's definitions would refuse
// in an object whose fields have the right types. Pods are judged later, one by one.
func checkObject(o object) *fields.Fault {
	switch o := o.(type) {
	case *karpv1.NodePool:
		return checkNodePool(o)
	case *karpv1.NodeClaim:
		return checkNodeClaim(o)
	case *karpv1alpha1.NodeOverlay:
		return checkOverlay(o)
	case *corev1.Node:
		return checkNode(o)
	case *appsv1.DaemonSet:
		return checkDaemonSet(o)
	}
	return nil
}

func checkNode(n *corev1.Node) *fields.Fault {
	return cmp.Or(
		checkTaints("$.spec.taints", n.Spec.Taints),
		fields.Quantities("$.status.capacity", n.Status.Capacity),
		fields.Quantities("$.status.allocatable", n.Status.Allocatable),
	)
}

func checkNodeClaim(c *karpv1.NodeClaim) *fields.Fault {
	for i, r := range c.Spec.Requirements {
		if f := fields.Requirement(fields.Index("$.spec.requirements", i), plain(r)); f != nil {
			return f
		}
	}
	return cmp.Or(
		checkTaints("$.spec.taints", c.Spec.Taints),
		checkTaints("$.spec.startupTaints", c.Spec.StartupTaints),
		fields.Quantities("$.status.capacity", c.Status.Capacity),
		fields.Quantities("$.status.allocatable", c.Status.Allocatable),
	)
}

// checkDaemonSet judges the template as pods are judged.
func checkDaemonSet(d *appsv1.DaemonSet) *fields.Fault {
	if fault := podFault(daemonPod(d)); fault != "" {
		path, problem, _ := strings.Cut(fault, ": ")
		return fields.Faultf("$.spec.template."+path, "%s", problem)
	}
	return nil
}

func checkNodePool(p *karpv1.NodePool) *fields.Fault {
	if f := checkTemplate("$.spec.template", p); f != nil {
		return f
	}
	if w := p.Spec.Weight; w != nil && (*w < 1 || *w > 100) {
		return fields.Faultf("$.spec.weight", "expected 1 to 100, got %d", *w)
	}
	for _, name := range sortedKeys(p.Spec.Limits) {
		if q := p.Spec.Limits[name]; q.Sign() < 0 {
			return fields.Faultf(fields.Key("$.spec.limits", string(name)), "expected a quantity that is not negative, got %s", q.String())
		}
	}
	return checkDisruption(&p.Spec.Disruption)
}

// checkTemplate judges what the pool's nodes are to be.
func checkTemplate(path string, p *karpv1.NodePool) *fields.Fault {
	spec := &p.Spec.Template.Spec
	for i, r := range spec.Requirements {
		here := fields.Index(path+".spec.requirements", i)
		if f := fields.Requirement(here, plain(r)); f != nil {
			return f
		}
		if r.MinValues != nil && r.Operator == corev1.NodeSelectorOpIn && len(r.Values) < *r.MinValues {
			return fields.Faultf(here+".minValues", "expected at most as many as values are listed, got %d", *r.MinValues)
		}
	}
	return cmp.Or(
		checkTaints(path+".spec.taints", spec.Taints),
		checkTaints(path+".spec.startupTaints", spec.StartupTaints),
	)
}

// plain is the requirement without its minValues.
func plain(r karpv1.NodeSelectorRequirementWithMinValues) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: r.Key, Operator: r.Operator, Values: r.Values}
}

func checkTaints(path string, taints []corev1.Taint) *fields.Fault {
	for i, t := range taints {
		if t.Key == "" {
			return fields.Faultf(fields.Index(path, i)+".key", "missing, expected a taint's key")
		}
		f := fields.Word(fields.Index(path, i)+".effect", string(t.Effect),
			string(corev1.TaintEffectNoSchedule), string(corev1.TaintEffectPreferNoSchedule), string(corev1.TaintEffectNoExecute))
		if f != nil {
			return f
		}
	}
	return nil
}

func checkDisruption(d *karpv1.Disruption) *fields.Fault {
	const path = "$.spec.disruption"
	if d.ConsolidationPolicy != "" {
		f := fields.Word(path+".consolidationPolicy", string(d.ConsolidationPolicy), string(karpv1.ConsolidationPolicyWhenEmpty),
			string(karpv1.ConsolidationPolicyWhenEmptyOrUnderutilized), string(karpv1.ConsolidationPolicyBalanced))
		if f != nil {
			return f
		}
	}
	for i := range d.Budgets {
		if f := checkBudget(&d.Budgets[i], fields.Index(path+".budgets", i)); f != nil {
			return f
		}
	}
	return nil
}

func checkBudget(b *karpv1.Budget, path string) *fields.Fault {
	if _, err := budgetNodes(b.Nodes, 0); err != nil {
		return fields.Faultf(path+".nodes", "expected a number of nodes or a percentage such as 10%%, got %q", b.Nodes)
	}
	for i, reason := range b.Reasons {
		f := fields.Word(fields.Index(path+".reasons", i), string(reason),
			string(karpv1.DisruptionReasonUnderutilized), string(karpv1.DisruptionReasonEmpty), string(karpv1.DisruptionReasonDrifted))
		if f != nil {
			return f
		}
	}
	switch {
	case b.Schedule == nil && b.Duration == nil:
		return nil
	case b.Schedule == nil:
		return fields.Faultf(path+".schedule", "missing, expected one because there is a duration")
	case b.Duration == nil:
		return fields.Faultf(path+".duration", "missing, expected one because there is a schedule")
	case b.Duration.Duration <= 0:
		return fields.Faultf(path+".duration", "expected a duration above 0, got %s", b.Duration.Duration)
	}
	return checkSchedule(path+".schedule", *b.Schedule)
}

var (
	overlayPrice      = regexp.MustCompile(`^\d+(\.\d+)?$`)
	overlayAdjustment = regexp.MustCompile(`^(([+-]\d*\.?\d+)|(\+\d*\.?\d+%)|(-\d{1,2}(\.\d+)?%)|(-100%))$`)
)

func checkOverlay(o *karpv1alpha1.NodeOverlay) *fields.Fault {
	for i, r := range o.Spec.Requirements {
		if f := fields.Requirement(fields.Index("$.spec.requirements", i), r.AsNodeSelectorRequirement()); f != nil {
			return f
		}
	}
	price, adjustment := o.Spec.Price, o.Spec.PriceAdjustment
	switch {
	case price != nil && adjustment != nil:
		return fields.Faultf("$.spec.priceAdjustment", "expected a price or an adjustment, got both")
	case price != nil && !overlayPrice.MatchString(*price):
		return fields.Faultf("$.spec.price", "expected a price such as 0.25, got %q", *price)
	case adjustment != nil && !overlayAdjustment.MatchString(*adjustment):
		return fields.Faultf("$.spec.priceAdjustment", "expected an amount such as -0.5 or a percentage such as +10%%, got %q", *adjustment)
	}
	return nil
}
