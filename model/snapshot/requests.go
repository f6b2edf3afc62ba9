package snapshot

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/component-helpers/resource"
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
// Who asks for less than nothing asks for nothing.
func podRequests(p *corev1.Pod) corev1.ResourceList {
	r := resource.PodRequests(p, resource.PodResourcesOptions{
		UseStatusResources: true,
		InPlacePodLevelResourcesVerticalScalingEnabled: true,
	})
	maps.DeleteFunc(r, func(_ corev1.ResourceName, q apiresource.Quantity) bool { return q.Sign() < 0 })
	r[corev1.ResourcePods] = *apiresource.NewQuantity(1, apiresource.DecimalSI)
	return r
}
