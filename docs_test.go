package mortise_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// TestPolicyIsDocumented looks for every field in docs/policy.md.
func TestPolicyIsDocumented(t *testing.T) {
	page := read(t, "docs/policy.md")
	for _, field := range jsonFields(reflect.TypeFor[v1alpha1.Policy]()) {
		name := field[strings.LastIndex(field, ".")+1:]
		if !strings.Contains(page, "`"+field+"`") && !strings.Contains(page, "`"+name+"`") {
			t.Errorf("%s is not in docs/policy.md", field)
		}
	}
}

// TestPolicyExamples reads every example, strictly; the first is the defaults.
func TestPolicyExamples(t *testing.T) {
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(read(t, "docs/policy.md"), -1)
	require.NotEmpty(t, examples)
	for i, example := range examples {
		var policy v1alpha1.Policy
		require.NoError(t, yaml.UnmarshalStrict([]byte(example[1]), &policy), example[1])
		if i == 0 {
			want := v1alpha1.Policy{}.Default()
			want.TypeMeta = policy.TypeMeta
			require.Equal(t, want, policy)
		}
	}
}

// TestDependenciesHaveReasons looks for what go.mod requires in ARCHITECTURE.md.
func TestDependenciesHaveReasons(t *testing.T) {
	page := read(t, "ARCHITECTURE.md")
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(read(t, "go.mod"), -1) { // direct ones, without a comment
		if !strings.Contains(page, "`"+m[1]+"`") {
			t.Errorf("ARCHITECTURE.md has no reason for %s", m[1])
		}
	}
}

// TestLinks follows every relative link of the documents.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	for _, page := range append(pages, "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md") {
		for _, m := range regexp.MustCompile(`\]\(([^):#]+)(?:#[^)]*)?\)`).FindAllStringSubmatch(read(t, page), -1) {
			require.FileExists(t, filepath.Join(filepath.Dir(page), m[1]), page)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// jsonFields are the fields of a document by path, without its kind and without those of foreign types.
func jsonFields(typ reflect.Type) []string {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || !strings.HasSuffix(typ.PkgPath(), "api/v1alpha1") {
		return nil
	}
	var out []string
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if name == "" {
			continue // inlined
		}
		below := jsonFields(typ.Field(i).Type)
		if len(below) == 0 {
			out = append(out, name)
		}
		for _, b := range below {
			out = append(out, name+"."+b)
		}
	}
	return out
}
