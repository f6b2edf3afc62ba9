package snapshot

import (
	"cmp"
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Kind is a kind of object that matters to a plan, in the version that is read.
type Kind struct {
	schema.GroupVersionKind
	Namespaced bool
}

// Kinds lists the kinds that matter to a plan, by group and name.
func Kinds() []Kind {
	out := make([]Kind, 0, len(kinds))
	for of, k := range kinds {
		out = append(out, Kind{GroupVersionKind: of.WithVersion(k.version), Namespaced: k.namespaced})
	}
	slices.SortFunc(out, func(a, b Kind) int { return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind)) })
	return out
}

// Part is some of a snapshot's objects, decoded.
type Part struct {
	objects []decoded
	found   *findings
}

// DecodePart reads one document with Kubernetes objects, such as a page of a
// list, as Read would. Errors and warnings speak of it by the name. Nothing of
// data is held on to.
func DecodePart(name string, data []byte) (*Part, error) {
	var in input
	if err := in.addSource(&source{name: name, data: data}); err != nil {
		return nil, err
	}
	if len(in.snapshots) > 0 {
		return nil, errors.New(name + ": expected Kubernetes objects")
	}
	p := &Part{}
	p.objects, p.found = decodeObjects(in.objects)
	for i := range in.objects {
		in.objects[i].json = nil
	}
	return p, nil
}

// Join makes one snapshot of all parts: what Read would have made of them. Its
// second result are warnings.
func Join(parts []*Part, now time.Time) (*v1alpha1.Snapshot, []string, error) {
	var objects []decoded
	found := &findings{ignored: map[string]int{}}
	for _, p := range parts {
		objects = append(objects, p.objects...)
		found.addAll(p.found)
	}
	merged, err := mergeObjects(objects)
	if err != nil {
		return nil, nil, err
	}
	return &v1alpha1.Snapshot{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.KindSnapshot},
		Time:     metav1.NewTime(now.UTC()),
		Objects:  merged,
	}, found.warnings(), nil
}

// addAll adds what was found elsewhere.
func (f *findings) addAll(other *findings) {
	f.all = append(f.all, other.all...)
	for kind, n := range other.ignored {
		f.ignored[kind] += n
	}
}
