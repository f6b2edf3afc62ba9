package observe

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/mortise-io/mortise/model/snapshot"
)

// resource is a kind as the API server's paths name it.
type resource struct {
	schema.GroupVersionResource
	// essential: a snapshot without it would mislead.
	essential bool
}

// resources are those of all kinds that matter to a plan.
func resources() []resource {
	var out []resource
	for _, k := range snapshot.Kinds() {
		out = append(out, resource{
			GroupVersionResource: k.GroupVersion().WithResource(plural(k.Kind)),
			essential:            k.Group == "" && (k.Kind == "Pod" || k.Kind == "Node"),
		})
	}
	return out
}

// plural is the kind's name in paths. It knows the endings of the kinds there are.
func plural(kind string) string {
	name := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case strings.HasSuffix(name, "ty"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}

// String names the resource in messages: poddisruptionbudgets (policy/v1).
func (r resource) String() string {
	return fmt.Sprintf("%s (%s)", r.Resource, r.GroupVersion())
}

// path is where the API server lists it, of all namespaces.
func (r resource) path() string {
	if r.Group == "" {
		return "/api/" + r.Version + "/" + r.Resource
	}
	return "/apis/" + r.Group + "/" + r.Version + "/" + r.Resource
}
