package snapshot

import (
	corev1 "k8s.io/api/core/v1"
)

// gatherDefaultRequests notes what the LimitRanges of each namespace request for
// a container that does not say. Of several, the first by name that names a resource decides.
func (k *cluster) gatherDefaultRequests() {
	k.defaultRequests = map[string]corev1.ResourceList{}
	for _, lr := range k.limitRanges {
		for i := range lr.Spec.Limits {
			if item := &lr.Spec.Limits[i]; item.Type == corev1.LimitTypeContainer {
				k.defaultRequests[lr.Namespace] = filled(k.defaultRequests[lr.Namespace], defaultRequest(item))
			}
		}
	}
}

// defaultRequest is the request that a limit range item implies: its default
// request, else its default limit, else its maximum, else its minimum.
func defaultRequest(item *corev1.LimitRangeItem) corev1.ResourceList {
	var out corev1.ResourceList
	for _, list := range []corev1.ResourceList{item.DefaultRequest, item.Default, item.Max, item.Min} {
		out = filled(out, list)
	}
	return out
}
