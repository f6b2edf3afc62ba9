package snapshot

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// anonymizer replaces the names in values of any type, in place.
type anonymizer struct {
	// replace is what becomes of a name that is not public.
	replace func(string) string
	// public are names of this snapshot that stay: the keys of its node classes.
	public map[string]bool
	// compared are the labels that somebody compares as numbers; numbers under them stay.
	compared map[string]bool
	// implied: the pool default is the one that is implied, and keeps its name.
	implied bool
}

func newAnonymizer(s *v1alpha1.Snapshot) *anonymizer {
	return &anonymizer{public: map[string]bool{}, compared: map[string]bool{}, implied: impliedPool(s)}
}

func (a *anonymizer) snapshot(s *v1alpha1.Snapshot) {
	a.walk(reflect.ValueOf(&s.Policy).Elem())
	a.walk(reflect.ValueOf(s.InstanceTypes))
	for i := range s.Objects {
		a.walk(reflect.ValueOf(s.Objects[i].Object).Elem())
	}
}

func (a *anonymizer) name(s string) string {
	if s == "" || publicNames[s] || isFact(s) || a.public[s] {
		return s
	}
	return a.replace(s)
}

// value is what stands under the key of a label or taint.
func (a *anonymizer) value(key, s string) string {
	switch {
	case isFact(key):
		return s
	case key == karpv1.NodePoolLabelKey:
		return a.pool(s)
	case a.compared[key] && isNumber(s):
		return s
	}
	return a.name(s)
}

func (a *anonymizer) pool(s string) string {
	if a.implied && s == "default" {
		return s
	}
	return a.name(s)
}

func (a *anonymizer) pools(names []string) {
	for i := range names {
		names[i] = a.pool(names[i])
	}
}

// walk replaces every text below the value but those that have a rule of their own.
func (a *anonymizer) walk(v reflect.Value) {
	if v.CanAddr() && a.special(v.Addr().Interface()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			a.walk(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			a.walk(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			a.walkField(v.Field(i), v.Type().Field(i), verbatim[v.Type()])
		}
	case reflect.Map:
		a.walkMap(v)
	case reflect.String:
		// Other string types are words of the API.
		if t := v.Type(); t == reflect.TypeFor[string]() || t == reflect.TypeFor[types.UID]() {
			v.SetString(a.name(v.String()))
		}
	}
}

func (a *anonymizer) walkField(v reflect.Value, field reflect.StructField, verbatim []string) {
	switch {
	case !field.IsExported() || slices.Contains(verbatim, field.Name):
	case field.Name == "Message" || field.Name == "Description": // for people, who write names in them
		v.SetZero()
	default:
		a.walk(v)
	}
}

// walkMap replaces the keys of a map, and what is under them. Keys that are no
// plain texts are resources, which keep their names and have quantities.
func (a *anonymizer) walkMap(v reflect.Value) {
	if v.IsNil() || v.Type().Key() != reflect.TypeFor[string]() {
		return
	}
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for key, value := range v.Seq2() {
		replaced := reflect.New(v.Type().Elem()).Elem()
		replaced.Set(value)
		if value.Kind() == reflect.String {
			replaced.SetString(a.value(key.String(), value.String()))
		} else {
			a.walk(replaced)
		}
		out.SetMapIndex(reflect.ValueOf(a.name(key.String())), replaced)
	}
	v.Set(out)
}
