package snapshot

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
)

// runtimeClassOf is the RuntimeClass that has something to add to the pod, or nil.
func (k *cluster) runtimeClassOf(p *corev1.Pod) *nodev1.RuntimeClass {
	if p.Spec.RuntimeClassName == nil {
		return nil
	}
	class := k.runtimeClasses[*p.Spec.RuntimeClassName]
	if class == nil || class.Overhead == nil && class.Scheduling == nil {
		return nil
	}
	return class
}

// applyRuntimeClass adds what the class says and the pod does not: overhead,
// node selector, tolerations.
func applyRuntimeClass(p *corev1.Pod, class *nodev1.RuntimeClass) {
	if class.Overhead != nil && len(p.Spec.Overhead) == 0 {
		p.Spec.Overhead = class.Overhead.PodFixed
	}
	if class.Scheduling == nil {
		return
	}
	if len(class.Scheduling.NodeSelector) > 0 {
		selector := maps.Clone(class.Scheduling.NodeSelector)
		maps.Copy(selector, p.Spec.NodeSelector)
		p.Spec.NodeSelector = selector
	}
	for _, t := range class.Scheduling.Tolerations {
		if !slices.ContainsFunc(p.Spec.Tolerations, func(o corev1.Toleration) bool { return o.MatchToleration(&t) }) {
			p.Spec.Tolerations = append(p.Spec.Tolerations, t)
		}
	}
}
