package snapshot

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/mortise-io/mortise/api/fields"
)

// asJSON is a value as it stands in a document. Everything given to it can be encoded.
func asJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

func quote(s string) []byte { return asJSON(s) }

// difference is the path of the first field in which two documents differ, or
// empty if they are the same.
func difference(a, b any) string {
	var x, y any
	if json.Unmarshal(asJSON(a), &x) != nil || json.Unmarshal(asJSON(b), &y) != nil {
		return fields.Root
	}
	return firstDifference(x, y, fields.Root)
}

func firstDifference(a, b any, path string) string {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			return firstDifferentKey(x, y, path)
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				if p := firstDifference(x[i], y[i], fields.Index(path, i)); p != "" {
					return p
				}
			}
			return ""
		}
	}
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return path
}

func firstDifferentKey(a, b map[string]any, path string) string {
	keys := slices.Sorted(maps.Keys(a))
	for key := range b {
		if _, ok := a[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		if p := firstDifference(a[key], b[key], fields.Key(path, key)); p != "" {
			return p
		}
	}
	return ""
}
