package fields

import (
	"reflect"
	"strings"

	strictjson "sigs.k8s.io/json"
)

// Decode decodes JSON into the pointer as the API server does: names of fields
// are told apart by case, and no key may stand twice. Fields that the type does
// not have are left out, and returned; into is complete unless there is a fault.
func Decode(data []byte, into any) (unknown []*Fault, fault *Fault) {
	strict, err := strictjson.UnmarshalStrict(data, into)
	if err != nil {
		return nil, Type(Root, data, reflect.TypeOf(into).Elem())
	}
	for _, err := range strict {
		path := Root
		if field, ok := err.(strictjson.FieldError); ok { //nolint:errorlint // these errors are never wrapped
			path = joined(path, field.FieldPath())
		}
		if strings.HasPrefix(err.Error(), "duplicate") {
			return nil, Faultf(path, "given twice")
		}
		unknown = append(unknown, Faultf(path, "unknown field"))
	}
	return unknown, nil
}

// joined is the path of a field by its path within the value at path.
func joined(path, within string) string {
	if strings.HasPrefix(within, "[") {
		return path + within
	}
	return path + "." + within
}

// DecodeKnown is Decode for documents in which every field must be known.
func DecodeKnown(data []byte, into any) *Fault {
	unknown, fault := Decode(data, into)
	if fault == nil && len(unknown) > 0 {
		fault = unknown[0]
	}
	return fault
}
