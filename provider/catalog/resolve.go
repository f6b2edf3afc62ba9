package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Resolve returns a copy of s whose instance types are those of the catalog it
// names and its own, which replace the catalog's of the same name; sorted by
// name. The warnings are what the catalog tells its reader. To resolve a
// resolved snapshot changes nothing.
//
// Resolve fails if the catalog is not built in, or an instance type of s is
// malformed; the error names the field.
func Resolve(s *v1alpha1.Snapshot) (*v1alpha1.Snapshot, []string, error) {
	if s.Catalog == "" {
		return with(s, &v1alpha1.Catalog{})
	}
	c, err := Load(s.Catalog)
	if err != nil {
		return nil, nil, fmt.Errorf("$.catalog: %w", err)
	}
	return with(s, c)
}

// Override is Resolve with another catalog than the one s names: a built-in one
// or a file, as for Open. With a file the copy names no catalog, for its instance
// types are all there.
func Override(s *v1alpha1.Snapshot, nameOrPath string) (*v1alpha1.Snapshot, []string, error) {
	out := *s
	if IsBuiltIn(nameOrPath) {
		out.Catalog = nameOrPath
		return Resolve(&out)
	}
	c, err := Open(nameOrPath)
	if err != nil {
		return nil, nil, err
	}
	out.Catalog = ""
	return with(&out, c)
}

func with(s *v1alpha1.Snapshot, c *v1alpha1.Catalog) (*v1alpha1.Snapshot, []string, error) {
	if f := fields.InstanceTypes("$.instanceTypes", s.InstanceTypes); f != nil {
		return nil, nil, f
	}
	byName := make(map[string]v1alpha1.InstanceType, len(c.InstanceTypes)+len(s.InstanceTypes))
	for _, types := range [][]v1alpha1.InstanceType{c.InstanceTypes, s.InstanceTypes} {
		for _, t := range types {
			byName[t.Name] = t
		}
	}
	out := *s
	out.InstanceTypes = slices.SortedFunc(maps.Values(byName), byTypeName)
	return &out, warnings(c), nil
}

func byTypeName(a, b v1alpha1.InstanceType) int { return cmp.Compare(a.Name, b.Name) }

func warnings(c *v1alpha1.Catalog) []string {
	var out []string
	for _, note := range c.Notes {
		out = append(out, fmt.Sprintf("catalog %s: %s", c.Name, note))
	}
	return out
}
