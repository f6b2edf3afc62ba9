package verify

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// requests are what the pod holds on the node it runs on, as kube-scheduler
// counts it: the pod slot included.
func (c *cluster) requests(p *pod) resources {
	if p.held == nil {
		p.held = c.count(p.Pod)
	}
	return p.held
}

// arriving are what the pod will hold where it is placed or moved to: a pod
// that admission has still to see gets the defaults of its namespace.
func (c *cluster) arriving(p *pod) resources {
	if p.wanted == nil {
		p.wanted = c.count(c.admitted(p.Pod))
	}
	return p.wanted
}

func (c *cluster) count(p *corev1.Pod) resources {
	r := resourcesOf(resource.PodRequests(p, resource.PodResourcesOptions{
		UseStatusResources: true,
		InPlacePodLevelResourcesVerticalScalingEnabled: true,
	}))
	if p.Spec.Overhead == nil && p.Spec.RuntimeClassName != nil {
		r.add(resourcesOf(c.overheads[*p.Spec.RuntimeClassName]))
	}
	maps.DeleteFunc(r, func(_ corev1.ResourceName, n int64) bool { return n < 0 })
	r[corev1.ResourcePods] = 1
	return r
}

// admitted is p with the defaults that the API server gives to its containers:
// limits count as requests where those are absent, then those of the
// namespace's LimitRanges.
func (c *cluster) admitted(p *corev1.Pod) *corev1.Pod {
	defaults := c.defaultRequests[p.Namespace]
	if len(defaults) == 0 && !limitsWithoutRequests(p) {
		return p
	}
	p = p.DeepCopy()
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range list {
			r := &list[i].Resources
			requests := corev1.ResourceList{}
			maps.Copy(requests, defaults)
			maps.Copy(requests, r.Limits)
			maps.Copy(requests, r.Requests)
			r.Requests = requests
		}
	}
	return p
}

func limitsWithoutRequests(p *corev1.Pod) bool {
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range list {
			for name := range list[i].Resources.Limits {
				if _, ok := list[i].Resources.Requests[name]; !ok {
					return true
				}
			}
		}
	}
	return false
}

// addDefaults notes what a LimitRange gives to containers without requests.
// Of several in a namespace the first by name counts.
func (c *cluster) addDefaults(l *corev1.LimitRange) {
	defaults := c.defaultRequests[l.Namespace]
	if defaults == nil {
		defaults = corev1.ResourceList{}
		c.defaultRequests[l.Namespace] = defaults
	}
	for _, item := range l.Spec.Limits {
		if item.Type != corev1.LimitTypeContainer {
			continue
		}
		given := corev1.ResourceList{}
		maps.Copy(given, item.Min)
		maps.Copy(given, item.Max)
		maps.Copy(given, item.Default)
		maps.Copy(given, item.DefaultRequest)
		for name, q := range given {
			if _, ok := defaults[name]; !ok {
				defaults[name] = q
			}
		}
	}
}
