package snapshot

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// less returns a − b, resource by resource of a, and nothing below zero.
func less(a, b corev1.ResourceList) corev1.ResourceList {
	out := make(corev1.ResourceList, len(a))
	for name, q := range a {
		if off, ok := b[name]; ok {
			q = q.DeepCopy()
			q.Sub(off)
			if q.Sign() < 0 {
				q = resource.Quantity{Format: q.Format}
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
	out := maps.Clone(a)
	if out == nil {
		out = corev1.ResourceList{}
	}
	for name, q := range b {
		if have, ok := out[name]; !ok || have.Cmp(q) < 0 {
			out[name] = q
		}
	}
	return out
}

// filled adds to list the entries of more that it lacks, in place, and returns it.
func filled(list, more corev1.ResourceList) corev1.ResourceList {
	for name, q := range more {
		if _, ok := list[name]; ok {
			continue
		}
		if list == nil {
			list = corev1.ResourceList{}
		}
		list[name] = q
	}
	return list
}

// completed returns list with what is zero or missing taken from more.
func completed(list, more corev1.ResourceList) corev1.ResourceList {
	out := maps.Clone(list)
	if out == nil {
		out = corev1.ResourceList{}
	}
	for name, q := range more {
		if have, ok := out[name]; !ok || have.IsZero() {
			out[name] = q
		}
	}
	return out
}
