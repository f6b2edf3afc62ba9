package snapshot

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mortise-io/mortise/api/fields"
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

// fieldError is the fault of an object that stands in a source.
func fieldError(f *fields.Fault, source, object string) *FieldError {
	return &FieldError{Source: source, Object: object, Path: f.Path, Problem: f.Problem}
}
