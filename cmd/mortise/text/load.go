package text

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// load is an amount of cpu in cores and of memory in bytes.
type load struct{ cpu, memory float64 }

func (l *load) add(m load) {
	l.cpu += m.cpu
	l.memory += m.memory
}

// of is l as shares of a whole.
func (l load) of(whole load) load {
	share := func(part, whole float64) float64 {
		if whole <= 0 {
			return 0
		}
		return part / whole
	}
	return load{share(l.cpu, whole.cpu), share(l.memory, whole.memory)}
}

func loadOf(r corev1.ResourceList) load {
	return load{r.Cpu().AsApproximateFloat64(), r.Memory().AsApproximateFloat64()}
}

// requests is what a pod asks of its node; nothing if the snapshot does not have the pod.
func (ps pods) requests(key string) load {
	p, ok := ps[key]
	if !ok {
		return load{}
	}
	return loadOf(resource.PodRequests(p, resource.PodResourcesOptions{}))
}
