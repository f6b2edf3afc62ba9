package snapshot

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzRead: whatever the bytes, reading ends with one line that says what is
// wrong, or with a snapshot that can be written, read again and expanded.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/bad/*.[jy]*", "testdata/karpenter/*.yaml", "testdata/forms/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(data)
		}
	}
	for _, text := range []string{
		"", "{", "[", "[]", "[[]]", "]", "}", "null", "{}{}", "[1,]", `{"kind": "List", "items": null}`, `"a`, "{\"\\", "\x00", "---\n---\n--- {a: b}\n...\n",
		"a: &a [*a]", "kind: [List]\nitems: 5", "apiVersion: v1\nkind: Pod\nmetadata: 5", "{kind: Policy, windows: [{allow: [{schedule: 'CRON_TZ=x', duration: 1h}]}]}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, warnings, err := Decode("input", data, aTuesday)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "input: "), "%v", err)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, w := range warnings {
			require.NotContains(t, w, "\n")
		}
		written, err := json.Marshal(s)
		require.NoError(t, err)
		again, _, err := Decode("again", written, time.Time{})
		require.NoError(t, err)
		require.Equal(t, Hash(s), Hash(again))
		before := Hash(s)
		Expand(s)
		require.Equal(t, before, Hash(s), "Expand changes its input")
	})
}

// FuzzMembers: looking into valid JSON finds what decoding it does.
func FuzzMembers(f *testing.F) {
	for _, text := range []string{`{}`, `{"a":1,"b":[1,"]",{}],"c":{"d":"}\""}}`, ` { "\u0061" : null , "b" : -1e5 } `, `[1, "a", {}, [], true]`, `"{"`, "{\"\x80\": {}}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			return
		}
		var want map[string]json.RawMessage
		_ = json.Unmarshal(data, &want)
		got := map[string]json.RawMessage{}
		for key, value := range members(data) {
			got[key] = value
		}
		require.Len(t, got, len(want))
		for key, value := range want {
			require.Equal(t, string(value), string(got[key]))
		}
		var list []json.RawMessage
		if json.Unmarshal(data, &list) == nil {
			i := 0
			for element := range elements(data) {
				require.Equal(t, string(list[i]), string(element))
				i++
			}
			require.Len(t, list, i)
		}
	})
}

func TestFieldErrorsCanBeTakenApart(t *testing.T) {
	_, _, err := Read([]string{"testdata/bad/policy-unknown-field.yaml"}, nil, aTuesday)
	e, ok := errors.AsType[*FieldError](err)
	require.True(t, ok)
	require.Equal(t, &FieldError{Source: "testdata/bad/policy-unknown-field.yaml: document 2", Path: "$.policy.nodeFe", Problem: "unknown field"}, e)
}
