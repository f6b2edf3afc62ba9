package observe

import "k8s.io/apimachinery/pkg/runtime/schema"

// Resources are those that a snapshot lists.
func Resources() []schema.GroupVersionResource {
	var out []schema.GroupVersionResource
	for _, r := range resources() {
		out = append(out, r.GroupVersionResource)
	}
	return out
}
