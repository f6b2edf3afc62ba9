package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// admit gives every pod what an API server would have given it: requests from
// limits, LimitRange defaults, and the overhead, node selector and tolerations of its RuntimeClass.
// Pods that have it all stay as they are; others are replaced by a copy.
func (c *Compiled) admit() {
	for i, p := range c.cluster.pods {
		c.cluster.pods[i] = c.cluster.admitted(p)
	}
}

// admitted returns the pod as an API server would store it.
func (k *cluster) admitted(p *corev1.Pod) *corev1.Pod {
	defaults := k.defaultRequests[p.Namespace]
	class := k.runtimeClassOf(p)
	if class == nil && !lacksRequests(&p.Spec, defaults) {
		return p
	}
	p = p.DeepCopy()
	requestLimits(&p.Spec)
	requestDefaults(&p.Spec, defaults)
	if class != nil {
		applyRuntimeClass(p, class)
	}
	return p
}

// lacksRequests says whether some container of the pod would be given a request.
func lacksRequests(spec *corev1.PodSpec, defaults corev1.ResourceList) bool {
	if spec.Resources != nil && lacks(spec.Resources.Requests, spec.Resources.Limits) {
		return true
	}
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			r := &containers[i].Resources
			if lacks(r.Requests, r.Limits) || lacks(r.Requests, defaults) {
				return true
			}
		}
	}
	return false
}

func lacks(have, want corev1.ResourceList) bool {
	for name := range want {
		if _, ok := have[name]; !ok {
			return true
		}
	}
	return false
}

// requestLimits copies limits into the requests that are missing.
func requestLimits(spec *corev1.PodSpec) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			r := &containers[i].Resources
			r.Requests = filled(r.Requests, r.Limits)
		}
	}
	if spec.Resources == nil {
		return
	}
	// A pod's own limit stands in for a request only where no container requests the resource.
	asked := resource.AggregateContainerRequests(&corev1.Pod{Spec: *spec}, resource.PodResourcesOptions{})
	for name, limit := range spec.Resources.Limits {
		if _, ok := asked[name]; !ok {
			spec.Resources.Requests = filled(spec.Resources.Requests, corev1.ResourceList{name: limit})
		}
	}
}

// requestDefaults gives containers the requests of the namespace's LimitRanges.
func requestDefaults(spec *corev1.PodSpec, defaults corev1.ResourceList) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			r := &containers[i].Resources
			r.Requests = filled(r.Requests, defaults)
		}
	}
}
