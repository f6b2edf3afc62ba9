package benchmarks

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// groups are Deployments with as many pods in all, each a pod group of its own.
func groups(count, pods int) (*v1alpha1.Snapshot, error) {
	s := &v1alpha1.Snapshot{}
	left, share := pods, shares(count)
	for i, q := range distinctRequests(random(1), count) {
		replicas := max(1, int(float64(pods)*share[i]))
		if i == count-1 {
			replicas = left
		}
		left -= replicas
		s.Objects = append(s.Objects, runtime.RawExtension{Object: deployment(fmt.Sprintf("app-%03d", i+1), replicas, q.list())})
	}
	return settle(s), nil
}
