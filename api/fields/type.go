package fields

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	strictjson "sigs.k8s.io/json"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Type finds the first value in data that does not decode into a t; nil if all
// do. Decoders tell the place of few such errors, and that without indices; so
// this looks for it, at the price of decoding every level once more.
func Type(path string, data []byte, t reflect.Type) *Fault {
	if strictjson.UnmarshalCaseSensitivePreserveInts(data, reflect.New(t).Interface()) == nil {
		return nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !decodesItself(t) {
		if f := innerFault(path, data, t); f != nil {
			return f
		}
	}
	return Faultf(path, "expected %s, got %s", expectation(t), Excerpt(data))
}

func innerFault(path string, data []byte, t reflect.Type) *Fault {
	switch t.Kind() {
	case reflect.Struct:
		return fieldFault(path, data, t)
	case reflect.Map:
		return valueFault(path, data, t.Elem())
	case reflect.Slice:
		return elementFault(path, data, t.Elem())
	}
	return nil
}

func fieldFault(path string, data []byte, t reflect.Type) *Fault {
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if ft := fieldType(t, name); ft != nil {
			if f := Type(Key(path, name), fields[name], ft); f != nil {
				return f
			}
		}
	}
	return nil
}

func valueFault(path string, data []byte, t reflect.Type) *Fault {
	var values map[string]json.RawMessage
	if json.Unmarshal(data, &values) != nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if f := Type(Key(path, key), values[key], t); f != nil {
			return f
		}
	}
	return nil
}

func elementFault(path string, data []byte, t reflect.Type) *Fault {
	var elements []json.RawMessage
	if json.Unmarshal(data, &elements) != nil {
		return nil
	}
	for i, e := range elements {
		if f := Type(Index(path, i), e, t); f != nil {
			return f
		}
	}
	return nil
}

// fieldType is the type of a struct's field by its JSON name, embedded structs
// included; nil if there is none.
func fieldType(t reflect.Type, name string) reflect.Type {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name {
			return f.Type
		}
		if f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct {
			if ft := fieldType(f.Type, name); ft != nil {
				return ft
			}
		}
	}
	return nil
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func decodesItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(unmarshaler)
}

// expectation says what a value of the type looks like in a document.
func expectation(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return "a quantity such as 500m or 2Gi"
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](), reflect.TypeFor[time.Time]():
		return "a time such as 2026-12-01T09:00:00Z"
	case reflect.TypeFor[metav1.Duration]():
		return "a duration such as 24h"
	case reflect.TypeFor[karpv1.NillableDuration]():
		return "a duration such as 720h, or Never"
	case reflect.TypeFor[intstr.IntOrString]():
		return "a whole number or a string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		return fmt.Sprintf("a whole number of at most %d bits, not negative", t.Bits())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		return fmt.Sprintf("a whole number of at most %d bits", t.Bits())
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a " + t.String()
}

// Excerpt is the beginning of a value, as it stands in the document.
func Excerpt(data []byte) string {
	const longest = 40
	s := []rune(strings.Join(strings.Fields(string(data)), " "))
	if len(s) > longest {
		return string(s[:longest]) + "…"
	}
	return string(s)
}
