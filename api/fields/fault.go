// Package fields finds what is wrong with a document, and says in which field:
//
//	$.instanceTypes[0].offerings[1].price: expected a number, got "cheap"
//
// It decodes strictly, and judges the values that several documents have in
// common. What it finds is always the same: the first fault in the order of the
// fields, those of objects with free keys in alphabetical order.
package fields

import (
	"fmt"
	"strings"
)

// Root is the path of a whole document or object.
const Root = "$"

// Fault is what is wrong with one field.
type Fault struct {
	// Path is the field, from the root of its document: $.policy.gap.
	Path string
	// Problem says what was found, and what was expected.
	Problem string
}

// Faultf is a fault of the field at the path.
func Faultf(path, format string, args ...any) *Fault {
	return &Fault{Path: path, Problem: fmt.Sprintf(format, args...)}
}

func (f *Fault) Error() string {
	if f.Path == "" {
		return f.Problem
	}
	return f.Path + ": " + f.Problem
}

// Key extends a path by a key; keys that would be ambiguous are quoted.
func Key(path, key string) string {
	if key == "" || strings.ContainsAny(key, ".[]\" ") {
		return fmt.Sprintf("%s[%q]", path, key)
	}
	return path + "." + key
}

// Index extends a path by the index of a list.
func Index(path string, i int) string {
	return fmt.Sprintf("%s[%d]", path, i)
}
