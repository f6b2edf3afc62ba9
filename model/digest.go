package model

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"
)

// Digest is equal for equal problems only, in every process. Empty and missing
// lists are the same.
func (p *Problem) Digest() string {
	content := appendValue(nil, reflect.ValueOf(p).Elem())
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// keyed is a set: what is in it counts, not how long its list is.
type keyed interface{ Key() string }

// appendValue writes the fields of structures in order, and lists with their
// length, so that no two values are written alike.
func appendValue(out []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(out, 1)
		}
		return append(out, 0)
	case reflect.Int, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(out, v.Int())
	case reflect.Uint8:
		return append(out, byte(v.Uint()))
	case reflect.String:
		out = binary.AppendUvarint(out, uint64(v.Len()))
		return append(out, v.String()...)
	case reflect.Slice:
		out = binary.AppendUvarint(out, uint64(v.Len()))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			out = appendValue(out, v.Index(i))
		}
		return out
	case reflect.Struct:
		if set, ok := v.Interface().(keyed); ok {
			return appendValue(out, reflect.ValueOf(set.Key()))
		}
		for i := range v.NumField() {
			out = appendValue(out, v.Field(i))
		}
		return out
	}
	panic(fmt.Sprintf("a problem holds no %s", v.Type()))
}
