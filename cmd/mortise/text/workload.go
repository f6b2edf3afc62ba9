package text

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// pods finds a snapshot's pods by namespace/name.
type pods map[string]*corev1.Pod

func podsOf(s *v1alpha1.Snapshot) pods {
	out := pods{}
	for i := range s.Objects {
		if p, ok := s.Objects[i].Object.(*corev1.Pod); ok {
			out[p.Namespace+"/"+p.Name] = p
		}
	}
	return out
}

// terminal says whether the pod has ended, and holds nothing.
func terminal(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// workload is namespace/name of what the pod belongs to: its Deployment,
// StatefulSet or Job, or else the pod itself.
func (ps pods) workload(key string) string {
	p, ok := ps[key]
	if !ok {
		return withoutOrdinal(key)
	}
	owner := metav1.GetControllerOf(p)
	if owner == nil {
		return key
	}
	name := owner.Name
	if hash := p.Labels[appsv1.DefaultDeploymentUniqueLabelKey]; hash != "" {
		name = strings.TrimSuffix(name, "-"+hash)
	}
	return p.Namespace + "/" + name
}

// workloads counts pods by what they belong to.
func (ps pods) workloads(keys []string) counts {
	c := counts{}
	for _, k := range keys {
		c[ps.workload(k)]++
	}
	return c
}

// withoutOrdinal takes the number off the name of a pod that exists only in the plan.
func withoutOrdinal(key string) string {
	name := strings.TrimRight(key, "0123456789")
	if trimmed := strings.TrimRight(name, "-#"); trimmed != name {
		return trimmed
	}
	return key
}
