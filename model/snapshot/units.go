package snapshot

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/model"
)

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
func baseUnits(name corev1.ResourceName, q resource.Quantity) int64 {
	return inScale(q, scaleOf(name), fields.MostUnits)
}

// scaleOf is the decimal power of the unit that the resource is counted in.
func scaleOf(name corev1.ResourceName) resource.Scale {
	if name == corev1.ResourceCPU {
		return resource.Milli
	}
	return 0
}

// inScale is q in thousandths, billionths or as it is, rounded up, between 0 and most:
// Quantity's own conversions answer anything where the result does not fit.
func inScale(q resource.Quantity, scale resource.Scale, most int64) int64 {
	if q.Cmp(*resource.NewScaledQuantity(most, scale)) >= 0 {
		return most
	}
	if q.Sign() <= 0 {
		return 0
	}
	return q.ScaledValue(scale)
}
