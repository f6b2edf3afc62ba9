package snapshot

import (
	"runtime"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/mortise-io/mortise/api/fields"
)

// decoded is an object that matters, and where it stood.
type decoded struct {
	raw    *rawObject
	kind   schema.GroupKind
	object object
}

func (d *decoded) name() string {
	return objectName(d.kind.Kind, d.object.GetNamespace(), d.object.GetName())
}

func (d *decoded) where() string { return d.raw.where() }

// where is the place of an object: its file, and its path if it is not the whole document.
func (r *rawObject) where() string {
	if r.path == "" {
		return r.place
	}
	return r.place + ": " + r.path
}

// objectName is how messages call an object: Pod default/web.
func objectName(kind, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return strings.TrimSpace(kind + " " + name)
}

// decodeObjects decodes the objects that matter, in their order, on all cores.
func decodeObjects(raw []rawObject) ([]decoded, *findings) {
	outcomes := make([]outcome, len(raw))
	var workers sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		workers.Go(func() {
			for i := core; i < len(raw); i += cores {
				outcomes[i] = raw[i].decode()
			}
		})
	}
	workers.Wait()
	dropStandIns(outcomes)

	var objects []decoded
	found := &findings{ignored: map[string]int{}}
	for i := range outcomes {
		found.add(&raw[i], &outcomes[i])
		if outcomes[i].object != nil {
			objects = append(objects, decoded{raw: &raw[i], kind: outcomes[i].kind, object: outcomes[i].object})
		}
	}
	return objects, found
}

// dropStandIns drops what stands in for an object that is there in a readable version too.
func dropStandIns(outcomes []outcome) {
	readable := map[string]bool{}
	for i := range outcomes {
		if o := &outcomes[i]; isNodePool(o.kind) && o.bad == nil {
			readable[o.name] = true
		}
	}
	for i := range outcomes {
		if o := &outcomes[i]; o.bad != nil && readable[o.name] {
			o.object = nil
		}
	}
}

// outcome is what became of an object.
type outcome struct {
	kind schema.GroupKind
	// name is the kind, namespace and name; empty if there is none.
	name string
	// object is nil if the object was left out or ignored.
	object object
	// ignored: its kind does not matter to a plan.
	ignored bool
	// bad is why the object was left out.
	bad *fields.Fault
	// unknown are its fields that are not in the schema.
	unknown []*fields.Fault
}

// leftOut says what becomes of a bad object.
func (o *outcome) leftOut() string {
	if o.object != nil {
		return "nothing is bought in this pool, and its nodes are held"
	}
	return "left out"
}

// decode reads the object as the API server would: strictly, and with defaults filled in.
func (r *rawObject) decode() outcome {
	t := typeOf(r.json)
	if t.Kind == "" {
		t = r.implied
	}
	gvk := schema.FromAPIVersionAndKind(t.APIVersion, t.Kind)
	out := outcome{kind: gvk.GroupKind()}
	k, matters := kinds[out.kind]
	switch {
	case r.json[0] != '{':
		out.bad = fields.Faultf("", "expected a Kubernetes object, got %s", fields.Excerpt(r.json))
		return out
	case t.Kind == "":
		out.bad = fields.Faultf("$.kind", "missing, expected the kind of the object")
		return out
	case !matters:
		out.ignored = true
		return out
	}
	namespace, name := namesOf(r.json, k.namespaced)
	if name != "" {
		out.name = objectName(gvk.Kind, namespace, name)
	}

	expected := schema.GroupVersion{Group: gvk.Group, Version: k.version}
	if gvk.GroupVersion() != expected {
		out.bad = fields.Faultf("$.apiVersion", "expected %s, got %s", expected, t.APIVersion)
	} else {
		out.object, out.unknown, out.bad = decodeKind(r.json, k)
	}
	if out.object == nil && isNodePool(out.kind) && name != "" {
		out.object = frozenPool(name)
	}
	if out.object != nil {
		out.object.GetObjectKind().SetGroupVersionKind(expected.WithKind(gvk.Kind))
		out.object.SetNamespace(namespace)
		prune(out.object)
		setDefaults(out.object, r.json)
	}
	return out
}

// decodeKind returns the typed object and its unknown fields, or why it is left out.
func decodeKind(data []byte, k kind) (object, []*fields.Fault, *fields.Fault) {
	o := k.empty()
	unknown, f := fields.Decode(data, o)
	if f != nil {
		return nil, nil, f
	}
	if o.GetName() == "" {
		return nil, nil, fields.Faultf("$.metadata.name", "missing, expected the name of the object")
	}
	if f := checkObject(o); f != nil {
		return nil, nil, f
	}
	return o, unknown, nil
}

// namesOf is the namespace and name that an object says it has. Without a
// namespace it belongs to the default one, as kubectl would have it.
func namesOf(data []byte, namespaced bool) (namespace, name string) {
	for key, metadata := range members(data) {
		if key != "metadata" {
			continue
		}
		for key, value := range members(metadata) {
			switch key {
			case "name":
				name = unquote(value)
			case "namespace":
				namespace = unquote(value)
			}
		}
	}
	if !namespaced {
		return "", name
	}
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	return namespace, name
}
