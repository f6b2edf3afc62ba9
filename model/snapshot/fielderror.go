package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// FieldError is bad input: where it stands, and what is wrong there.
type FieldError struct {
	// Source is the file, with the document if the file has several.
	Source string
	// Object is the kind and name of the Kubernetes object; empty outside of one.
	Object string
	// Path is the field, from the root of the document or object: $.policy.gap.
	Path string
	// Problem says what was found, and what was expected.
	Problem string
}

func (e *FieldError) Error() string {
	parts := []string{e.Source, e.Object, e.Path, e.Problem}
	return oneLine(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": "))
}

// oneLine puts spaces for the line breaks and other control characters that
// input can bring into a message.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// fault is a problem of one field, by its path from the document's root.
type fault struct {
	path, problem string
}

func faultf(path, format string, args ...any) *fault {
	return &fault{path: path, problem: fmt.Sprintf(format, args...)}
}

func (f *fault) in(source, object string) *FieldError {
	return &FieldError{Source: source, Object: object, Path: f.path, Problem: f.problem}
}

// rootPath is the path of a whole document or object.
const rootPath = "$"

// atKey extends a path by a key; keys that would be ambiguous are quoted.
func atKey(path, key string) string {
	if strings.ContainsAny(key, ".[]\" ") {
		return fmt.Sprintf("%s[%q]", path, key)
	}
	return path + "." + key
}

func atIndex(path string, i int) string {
	return fmt.Sprintf("%s[%d]", path, i)
}
