package snapshot

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"
)

// The functions here look into JSON that is known to be valid without decoding
// it: a large snapshot is scanned at the speed of memory, and only its objects
// are decoded, each once.

// members yields the keys and values of a JSON object; nothing of another value.
func members(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		rest, ok := inside(data, '{')
		for ok && rest[0] == '"' {
			end := valueEnd(rest)
			key := unquote(rest[:end])
			rest = bytes.TrimLeft(rest[end:], " \t\r\n:")
			end = valueEnd(rest)
			if !yield(key, rest[:end]) {
				return
			}
			rest = bytes.TrimLeft(rest[end:], " \t\r\n,")
		}
	}
}

// elements yields the elements of a JSON list; nothing of another value.
func elements(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		rest, ok := inside(data, '[')
		for ok && rest[0] != ']' {
			end := valueEnd(rest)
			if !yield(rest[:end]) {
				return
			}
			rest = bytes.TrimLeft(rest[end:], " \t\r\n,")
		}
	}
}

func inside(data []byte, bracket byte) ([]byte, bool) {
	data = bytes.TrimLeft(data, " \t\r\n")
	if len(data) == 0 || data[0] != bracket {
		return nil, false
	}
	return bytes.TrimLeft(data[1:], " \t\r\n"), true
}

// unquote is a JSON string's value; empty if the value is none.
func unquote(data []byte) string {
	if len(data) >= 2 && data[0] == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data) {
		return string(data[1 : len(data)-1])
	}
	var s string
	_ = json.Unmarshal(data, &s)
	return s
}

// valueEnd is the length of the JSON value at the start of data.
func valueEnd(data []byte) int {
	switch data[0] {
	case '"':
		return stringEnd(data)
	case '{', '[':
		return bracketEnd(data)
	}
	if end := bytes.IndexAny(data, " \t\r\n,]}"); end >= 0 {
		return end
	}
	return len(data)
}

// bracketEnd is the length of the JSON object or list at the start of data, or
// of all data if it does not end.
func bracketEnd(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i += stringEnd(data[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(data)
}

// stringEnd is the length of the JSON string at the start of data, quotes included.
func stringEnd(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// hasMember says whether a JSON object has a value at the path of keys.
func hasMember(data []byte, path ...string) bool {
	if len(path) == 0 {
		return true
	}
	for key, value := range members(data) {
		if key == path[0] {
			return hasMember(value, path[1:]...)
		}
	}
	return false
}
