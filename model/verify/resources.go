package verify

import (
	"maps"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// resources are amounts in base units: millicores of cpu, bytes, pieces.
type resources map[corev1.ResourceName]int64

// defaultPods is how many pods a kubelet takes unless it is told otherwise.
const defaultPods = 110

// amount is a quantity of the named resource in base units, held within the
// range of int64. Quantity's own conversions answer anything beyond it.
func amount(name corev1.ResourceName, q resource.Quantity) int64 {
	scale := resource.Scale(0)
	if name == corev1.ResourceCPU {
		scale = resource.Milli
	}
	switch {
	case q.Cmp(*resource.NewScaledQuantity(math.MaxInt64, scale)) >= 0:
		return math.MaxInt64
	case q.Cmp(*resource.NewScaledQuantity(-math.MaxInt64, scale)) <= 0:
		return -math.MaxInt64
	}
	return q.ScaledValue(scale)
}

func resourcesOf(list corev1.ResourceList) resources {
	r := make(resources, len(list))
	for name, q := range list {
		r[name] = amount(name, q)
	}
	return r
}

// add adds more to r.
func (r resources) add(more resources) {
	for name, n := range more {
		r[name] = saturating(r[name], n)
	}
}

// subtract takes less off r.
func (r resources) subtract(less resources) {
	for name, n := range less {
		r[name] = saturating(r[name], -n)
	}
}

// saturating is a + b, held within the range of int64.
func saturating(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < -math.MaxInt64-b:
		return -math.MaxInt64
	}
	return a + b
}

// larger is the larger of a and b in each resource.
func larger(a, b resources) resources {
	out := maps.Clone(a)
	if out == nil {
		out = resources{}
	}
	for name, n := range b {
		out[name] = max(out[name], n)
	}
	return out
}

// names are the resources of r in order.
func (r resources) names() []corev1.ResourceName {
	return slices.Sorted(maps.Keys(r))
}

// show is an amount of the named resource as people write it.
func show(name corev1.ResourceName, n int64) string {
	switch name {
	case corev1.ResourceCPU:
		return resource.NewMilliQuantity(n, resource.DecimalSI).String()
	case corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
		return resource.NewQuantity(n, resource.BinarySI).String()
	default:
		return resource.NewQuantity(n, resource.DecimalSI).String()
	}
}
