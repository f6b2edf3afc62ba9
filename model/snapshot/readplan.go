package snapshot

import (
	"io"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

// ReadPlan reads a Plan, as YAML or JSON, from a file, or from stdin if the path
// is -. As with Read, errors say which file and field, and what was expected.
func ReadPlan(path string, stdin io.Reader) (*v1alpha1.Plan, error) {
	files, err := sourcesAt(path, stdin)
	if err != nil {
		return nil, err
	}
	var docs []document
	for i := range files {
		some, err := files[i].documents()
		if err != nil {
			return nil, err
		}
		docs = append(docs, some...)
	}
	if len(docs) != 1 {
		return nil, fieldError(fields.Faultf("", "expected one Plan, got %d documents", len(docs)), files[0].name, "")
	}
	return docs[0].plan()
}

func (d *document) plan() (*v1alpha1.Plan, error) {
	if d.json[0] != '{' {
		return nil, d.fault("", "expected a Plan, got %s", fields.Excerpt(d.json))
	}
	if kind := typeOf(d.json).Kind; kind != v1alpha1.KindPlan {
		return nil, d.fault("$.kind", "expected %s, got %q", v1alpha1.KindPlan, kind)
	}
	plan := &v1alpha1.Plan{}
	if err := d.decode(plan); err != nil {
		return nil, err
	}
	return plan, nil
}
