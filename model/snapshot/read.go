package snapshot

import (
	"fmt"
	"io"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Read makes one snapshot of all that the paths hold: Snapshot documents,
// Lists as kubectl prints them, single Kubernetes objects, Policies and
// Catalogs; YAML with any number of documents, or JSON. A path is a file, a
// directory (every .yaml, .yml and .json file in it, at any depth), or - for
// stdin. The order of the input does not matter, and the snapshot's objects
// and instance types are sorted.
//
// It is an error, nearly always a *FieldError, if input cannot be parsed, if a
// Snapshot, Policy or Catalog has a field that is unknown or wrong, or if
// documents contradict each other. The second result are warnings: a Kubernetes
// object that does not decode is left out, an unknown field in one is ignored,
// and objects that do not matter to a plan are counted. In place of a NodePool
// that is left out stands one that buys nothing and holds its nodes, because
// without any they would be planned by rules that are not theirs.
//
// Nothing here reads a clock: now is the snapshot's time if no Snapshot
// document gives one; if now is zero that is an error.
func Read(paths []string, stdin io.Reader, now time.Time) (*v1alpha1.Snapshot, []string, error) {
	files, err := sources(paths, stdin)
	if err != nil {
		return nil, nil, err
	}
	return read(files, now)
}

// Decode is Read of a document that the caller already has. Errors and warnings
// speak of it by the name.
func Decode(name string, data []byte, now time.Time) (*v1alpha1.Snapshot, []string, error) {
	return read([]source{{name: name, data: data}}, now)
}

func read(files []source, now time.Time) (*v1alpha1.Snapshot, []string, error) {
	var in input
	for i := range files {
		if err := in.addSource(&files[i]); err != nil {
			return nil, nil, err
		}
	}
	s, err := mergeSnapshots(in.snapshots)
	if err != nil {
		return nil, nil, err
	}
	if s.Time.IsZero() {
		s.Time = metav1.NewTime(now)
	}
	if s.Time.IsZero() {
		return nil, nil, fieldError(fields.Faultf("$.time", "missing, expected a time such as 2026-12-01T09:00:00Z"), files[0].name, "")
	}
	s.Time = metav1.NewTime(s.Time.UTC())

	objects, found := decodeObjects(in.objects)
	if s.Objects, err = mergeObjects(objects); err != nil {
		return nil, nil, err
	}
	slices.Sort(in.notes)
	return s, append(in.notes, found.warnings()...), nil
}

func (in *input) addSource(s *source) error {
	docs, err := s.documents()
	if err != nil {
		return err
	}
	if len(docs) == 0 && !s.found {
		return fmt.Errorf("%s: empty, expected a Snapshot, a List or Kubernetes objects", s.name)
	}
	for i := range docs {
		if err := in.addDocument(&docs[i]); err != nil {
			return err
		}
	}
	return nil
}
