package snapshot

import (
	"bytes"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

// input is what all documents hold, before it is merged.
type input struct {
	snapshots []placedSnapshot
	objects   []rawObject
	// notes are what a plan on a catalog must tell.
	notes []string
}

// placedSnapshot is a Snapshot document without its objects; a Policy or a
// Catalog counts as a Snapshot of nothing else.
type placedSnapshot struct {
	place    string
	snapshot v1alpha1.Snapshot
	// policyPath is where the document has its policy.
	policyPath string
}

// rawObject is a Kubernetes object not yet decoded.
type rawObject struct {
	place string
	// path of the object in its document; empty if it is the document.
	path string
	json []byte
	// implied is what the object's list says of its type.
	implied metav1.TypeMeta
}

// addDocument files a document by its kind.
func (in *input) addDocument(d *document) error {
	if d.json[0] == '[' {
		in.addObjects(d.place, fields.Root, d.json, metav1.TypeMeta{})
		return nil
	}
	if d.json[0] != '{' {
		return d.fault("", "expected a Snapshot, a List or a Kubernetes object, got %s", fields.Excerpt(d.json))
	}
	t := typeOf(d.json)
	ours := t.APIVersion == "" || strings.HasPrefix(t.APIVersion, v1alpha1.Group+"/")
	switch {
	case t.Kind == "":
		return d.withoutKind()
	case t.Kind == v1alpha1.KindSnapshot && ours:
		return in.addSnapshot(d)
	case t.Kind == v1alpha1.KindPolicy && ours:
		return in.addPolicy(d)
	case t.Kind == v1alpha1.KindCatalog && ours:
		return in.addCatalog(d)
	case t.Kind == v1alpha1.KindPlan && ours:
		return d.fault("$.kind", "a Plan is an answer: expected a Snapshot, a List or a Kubernetes object")
	case strings.HasSuffix(t.Kind, "List"):
		return in.addList(d, t)
	}
	in.objects = append(in.objects, rawObject{place: d.place, json: d.json})
	return nil
}

// withoutKind is an error for a file that the user named, but a directory may
// hold files that have nothing to do with Kubernetes.
func (d *document) withoutKind() error {
	if d.found {
		return nil
	}
	return d.fault("$.kind", "missing, expected a Snapshot, a List or a Kubernetes object")
}

func (in *input) addSnapshot(d *document) error {
	const key = "objects"
	head, objects := d.cut(key)
	var s v1alpha1.Snapshot
	if err := head.decode(&s); err != nil {
		return err
	}
	if f := checkSnapshot(&s); f != nil {
		return fieldError(f, d.place, "")
	}
	switch {
	case len(objects) > 1:
		return d.fault("$.objects", "given twice")
	case len(objects) == 1 && !in.addObjects(d.place, "$.objects", objects[0], metav1.TypeMeta{}):
		return d.fault("$.objects", "expected a list, got %s", fields.Excerpt(objects[0]))
	}
	in.snapshots = append(in.snapshots, placedSnapshot{place: d.place, snapshot: s, policyPath: "$.policy"})
	return nil
}

func (in *input) addPolicy(d *document) error {
	p, err := d.policy()
	if err != nil {
		return err
	}
	in.snapshots = append(in.snapshots, placedSnapshot{place: d.place, snapshot: v1alpha1.Snapshot{Policy: p}, policyPath: fields.Root})
	return nil
}

func (in *input) addCatalog(d *document) error {
	var c v1alpha1.Catalog
	if err := d.decode(&c); err != nil {
		return err
	}
	if c.Currency != "" && c.Currency != "USD" {
		return d.fault("$.currency", "expected USD, got %s", c.Currency)
	}
	if f := fields.InstanceTypes("$.instanceTypes", c.InstanceTypes); f != nil {
		return fieldError(f, d.place, "")
	}
	for _, note := range c.Notes {
		in.notes = append(in.notes, oneLine(fmt.Sprintf("catalog %s: %s", c.Name, note)))
	}
	in.snapshots = append(in.snapshots, placedSnapshot{place: d.place, snapshot: v1alpha1.Snapshot{InstanceTypes: c.InstanceTypes}})
	return nil
}

// addList adds the items of a List. The items of a PodList need not say their kind.
func (in *input) addList(d *document, t metav1.TypeMeta) error {
	implied := metav1.TypeMeta{APIVersion: t.APIVersion, Kind: strings.TrimSuffix(t.Kind, "List")}
	if implied.Kind == "" {
		implied = metav1.TypeMeta{}
	}
	_, items := d.cut("items")
	switch {
	case len(items) == 0:
		return d.fault("$.items", "missing, expected a list")
	case len(items) > 1:
		return d.fault("$.items", "given twice")
	case !in.addObjects(d.place, "$.items", items[0], implied):
		return d.fault("$.items", "expected a list, got %s", fields.Excerpt(items[0]))
	}
	return nil
}

// addObjects adds the elements of a list, and says whether it is one.
func (in *input) addObjects(place, path string, list []byte, implied metav1.TypeMeta) bool {
	i := 0
	for item := range elements(list) {
		in.objects = append(in.objects, rawObject{place: place, path: fields.Index(path, i), json: item, implied: implied})
		i++
	}
	return list[0] == '[' || string(list) == "null"
}

// cut is the document without one key, and the values that the key has in it.
func (d *document) cut(key string) (document, [][]byte) {
	var kept bytes.Buffer
	var values [][]byte
	for k, v := range members(d.json) {
		if k == key {
			values = append(values, v)
			continue
		}
		if kept.Len() > 0 {
			kept.WriteByte(',')
		}
		fmt.Fprintf(&kept, "%s:%s", quote(k), v)
	}
	return document{place: d.place, found: d.found, json: []byte("{" + kept.String() + "}")}, values
}

// decode decodes a document of ours; its apiVersion must be ours.
func (d *document) decode(into any) error {
	if err := d.decodeFields(into); err != nil {
		return err
	}
	if version := typeOf(d.json).APIVersion; version != v1alpha1.APIVersion {
		return d.fault("$.apiVersion", "expected %s, got %q", v1alpha1.APIVersion, version)
	}
	return nil
}

// decodeFields decodes strictly: every field must be known, given once and of its type.
func (d *document) decodeFields(into any) error {
	if f := fields.DecodeKnown(d.json, into); f != nil {
		return fieldError(f, d.place, "")
	}
	return nil
}

func (d *document) fault(path, format string, args ...any) error {
	return fieldError(fields.Faultf(path, format, args...), d.place, "")
}

// typeOf is the type that a JSON object says it has; empty where it says none.
func typeOf(data []byte) metav1.TypeMeta {
	var t metav1.TypeMeta
	for key, value := range members(data) {
		switch key {
		case "apiVersion":
			t.APIVersion = unquote(value)
		case "kind":
			t.Kind = unquote(value)
		}
	}
	return t
}
