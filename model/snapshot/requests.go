package snapshot

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/component-helpers/resource"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/model"
)

// requests is what the pod asks of its node, as kube-scheduler counts it, the
// pod slot included. It is shared: not to be changed.
func (c *Compiled) requests(p *corev1.Pod) corev1.ResourceList {
	if r, ok := c.requested[p]; ok {
		return r
	}
	r := podRequests(p)
	if c.requested == nil {
		c.requested = map[*corev1.Pod]corev1.ResourceList{}
	}
	c.requested[p] = r
	return r
}

// podRequests sums up containers, init containers, overhead and pod-level
// resources; a container that is being resized counts with the larger amount.
func podRequests(p *corev1.Pod) corev1.ResourceList {
	r := resource.PodRequests(p, resource.PodResourcesOptions{
		UseStatusResources: true,
		InPlacePodLevelResourcesVerticalScalingEnabled: true,
	})
	r[corev1.ResourcePods] = *apiresource.NewQuantity(1, apiresource.DecimalSI)
	return r
}

// vector is the list's amounts by index into Problem.Resources.
func (c *Compiled) vector(list corev1.ResourceList) model.Quantities {
	v := make(model.Quantities, len(c.Problem.Resources))
	for name, q := range list {
		if i, ok := slices.BinarySearch(c.Problem.Resources, string(name)); ok {
			v[i] = baseUnits(name, q)
		}
	}
	return v
}

// baseUnits is q in the unit that the problem counts the resource in:
// thousandths of a core, otherwise bytes or pieces. What is beyond any machine
// (fields.MostUnits) need not be told apart, and sums of many stay within an int64.
func baseUnits(name corev1.ResourceName, q apiresource.Quantity) int64 {
	if name == corev1.ResourceCPU {
		return inScale(q, apiresource.Milli, fields.MostUnits)
	}
	return inScale(q, 0, fields.MostUnits)
}

// inScale is q in thousandths, billionths or as it is, rounded up, between 0 and most:
// Quantity's own conversions answer anything where the result does not fit.
func inScale(q apiresource.Quantity, scale apiresource.Scale, most int64) int64 {
	if q.Cmp(*apiresource.NewScaledQuantity(most, scale)) >= 0 {
		return most
	}
	if q.Sign() <= 0 {
		return 0
	}
	return q.ScaledValue(scale)
}

// less returns a − b, resource by resource of a, and nothing below zero.
func less(a, b corev1.ResourceList) corev1.ResourceList {
	out := make(corev1.ResourceList, len(a))
	for name, q := range a {
		if off, ok := b[name]; ok {
			q = q.DeepCopy()
			q.Sub(off)
			if q.Sign() < 0 {
				q = apiresource.Quantity{Format: q.Format}
			}
		}
		out[name] = q
	}
	return out
}

// plus adds b to a in place, and returns it.
func plus(a, b corev1.ResourceList) corev1.ResourceList {
	if a == nil {
		a = corev1.ResourceList{}
	}
	for name, q := range b {
		sum := a[name].DeepCopy()
		sum.Add(q)
		a[name] = sum
	}
	return a
}

// largest returns the larger amount of each resource of a and b.
func largest(a, b corev1.ResourceList) corev1.ResourceList {
	out := make(corev1.ResourceList, len(a))
	for name, q := range a {
		out[name] = q
	}
	for name, q := range b {
		if have, ok := out[name]; !ok || have.Cmp(q) < 0 {
			out[name] = q
		}
	}
	return out
}
