package snapshot

import (
	"os"
	"path/filepath"
	"reflect"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

// ReadPolicy reads a Policy from a YAML or JSON file. The apiVersion and kind
// may be absent, and an empty file is the empty policy.
func ReadPolicy(path string) (v1alpha1.Policy, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return v1alpha1.Policy{}, withoutOperation(err)
	}
	file := source{name: filepath.Clean(path), data: data}
	docs, err := file.documents()
	if err != nil || len(docs) == 0 {
		return v1alpha1.Policy{}, err
	}
	if len(docs) > 1 {
		return v1alpha1.Policy{}, fieldError(fields.Faultf("", "expected one Policy, got %d documents", len(docs)), file.name, "")
	}
	return docs[0].policy()
}

// policy decodes and judges a Policy document.
func (d *document) policy() (v1alpha1.Policy, error) {
	if d.json[0] != '{' {
		return v1alpha1.Policy{}, d.fault("", "expected a Policy, got %s", fields.Excerpt(d.json))
	}
	var p v1alpha1.Policy
	if err := d.decodeFields(&p); err != nil {
		return v1alpha1.Policy{}, err
	}
	if p.Kind != "" && p.Kind != v1alpha1.KindPolicy {
		return v1alpha1.Policy{}, d.fault("$.kind", "expected %s, got %q", v1alpha1.KindPolicy, p.Kind)
	}
	if p.APIVersion != "" && p.APIVersion != v1alpha1.APIVersion {
		return v1alpha1.Policy{}, d.fault("$.apiVersion", "expected %s, got %q", v1alpha1.APIVersion, p.APIVersion)
	}
	if f := checkPolicy(&p, fields.Root); f != nil {
		return v1alpha1.Policy{}, fieldError(f, d.place, "")
	}
	return p, nil
}

// MergePolicy is base with every field that over sets as it is in over.
// Preferences are merged one by one; lists and maps are taken whole.
func MergePolicy(base, over v1alpha1.Policy) v1alpha1.Policy {
	preferences := base.Preferences
	if base.Preferences != nil && over.Preferences != nil {
		merged := *base.Preferences
		setFields(&merged, *over.Preferences)
		preferences = &merged
	} else if over.Preferences != nil {
		preferences = over.Preferences
	}
	setFields(&base, over)
	base.Preferences = preferences
	return base
}

// setFields copies the fields that are not at their zero value.
func setFields[T any](into *T, from T) {
	target, source := reflect.ValueOf(into).Elem(), reflect.ValueOf(from)
	for i := range source.NumField() {
		if field := source.Field(i); !field.IsZero() {
			target.Field(i).Set(field)
		}
	}
}
