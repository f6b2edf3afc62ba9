package catalog

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// decodeStrict decodes a JSON value into the pointer into, and fails on the
// first field that it does not know or whose value does not fit. The error
// starts with the path of that field; the value itself is at path.
// ignoreCase matches names of fields as encoding/json does.
func decodeStrict(raw []byte, into any, path string, ignoreCase bool) error {
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s := strict{ignoreCase: ignoreCase}
	if err := s.check(reflect.TypeOf(into).Elem(), value, path); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// strict holds a decoded JSON value against the Go type it is meant for.
type strict struct {
	ignoreCase bool
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	quantity    = reflect.TypeFor[resource.Quantity]()
)

func (s strict) check(t reflect.Type, value any, path string) error {
	if value == nil {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		return s.check(t.Elem(), value, path)
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return s.checkLeaf(t, value, path)
	}
	switch t.Kind() {
	case reflect.Struct:
		return s.checkStruct(t, value, path)
	case reflect.Map:
		return s.checkMap(t, value, path)
	case reflect.Slice:
		return s.checkSlice(t, value, path)
	default:
		return s.checkLeaf(t, value, path)
	}
}

func (s strict) checkStruct(t reflect.Type, value any, path string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return mismatch(t, value, path)
	}
	fields := map[string]reflect.Type{}
	s.collect(t, fields)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		name := key
		if s.ignoreCase {
			name = strings.ToLower(key)
		}
		fieldType, known := fields[name]
		if !known {
			return fmt.Errorf("%s: unknown field", field(path, key))
		}
		if err := s.check(fieldType, object[key], field(path, key)); err != nil {
			return err
		}
	}
	return nil
}

// collect lists the fields of t and of the structs inlined in it by their JSON names.
func (s strict) collect(t reflect.Type, into map[string]reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			s.collect(f.Type, into)
		case s.ignoreCase:
			into[strings.ToLower(name)] = f.Type
		default:
			into[name] = f.Type
		}
	}
}

func (s strict) checkMap(t reflect.Type, value any, path string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return mismatch(t, value, path)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if err := s.check(t.Elem(), object[key], field(path, key)); err != nil {
			return err
		}
	}
	return nil
}

func (s strict) checkSlice(t reflect.Type, value any, path string) error {
	list, ok := value.([]any)
	if !ok {
		return mismatch(t, value, path)
	}
	for i, element := range list {
		if err := s.check(t.Elem(), element, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (s strict) checkLeaf(t reflect.Type, value any, path string) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if json.Unmarshal(raw, reflect.New(t).Interface()) != nil {
		return mismatch(t, value, path)
	}
	return nil
}

func mismatch(t reflect.Type, value any, path string) error {
	return fmt.Errorf("%s: expected %s, got %s", path, expectation(t), description(value))
}

// expectation is what a user may write where t is wanted.
func expectation(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "a whole number"
	}
	switch {
	case t == quantity:
		return "a quantity such as 500m or 8Gi"
	case strings.HasSuffix(t.String(), "Time"):
		return `a time such as "2026-12-01T09:00:00Z"`
	}
	return "an object"
}

func description(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("%.60q", v)
	}
	return fmt.Sprintf("%.60v", value)
}
