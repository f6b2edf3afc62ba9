package catalog

import (
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Filter picks instance types. A field that is empty or zero picks all.
type Filter struct {
	// Names are patterns as of path.Match: m5.*.
	Names []string
	// Families, as the provider's label has them: m5, n2, D.
	Families      []string
	Architectures []string
	// CapacityTypes and Zones pick offerings; a type without any that is picked is left out.
	CapacityTypes, Zones []string
	// Least and largest capacity, both included.
	MinCPU, MaxCPU, MinMemory, MaxMemory resource.Quantity
}

// Apply returns c with what f picks, in the same order. It fails if a pattern is malformed.
func (f Filter) Apply(c *v1alpha1.Catalog) (*v1alpha1.Catalog, error) {
	for _, pattern := range f.Names {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("pattern %q: %w", pattern, err)
		}
	}
	out := *c
	out.InstanceTypes = nil
	for _, t := range c.InstanceTypes {
		if !f.picks(&t) {
			continue
		}
		if len(f.CapacityTypes)+len(f.Zones) > 0 {
			t.Offerings = slices.DeleteFunc(slices.Clone(t.Offerings), func(o v1alpha1.Offering) bool {
				return !picked(f.CapacityTypes, o.CapacityType) || !picked(f.Zones, o.Zone)
			})
			if len(t.Offerings) == 0 {
				continue
			}
		}
		out.InstanceTypes = append(out.InstanceTypes, t)
	}
	return &out, nil
}

func (f Filter) picks(t *v1alpha1.InstanceType) bool {
	matches := func(pattern string) bool {
		ok, _ := path.Match(pattern, t.Name)
		return ok
	}
	switch {
	case len(f.Names) > 0 && !slices.ContainsFunc(f.Names, matches),
		!picked(f.Families, Family(t)),
		!picked(f.Architectures, Architecture(t)),
		!within(t.Capacity[corev1.ResourceCPU], f.MinCPU, f.MaxCPU),
		!within(t.Capacity[corev1.ResourceMemory], f.MinMemory, f.MaxMemory):
		return false
	}
	return true
}

// picked says whether a list picks a word; an empty one picks all.
func picked(list []string, word string) bool {
	return len(list) == 0 || slices.Contains(list, word)
}

func within(q, least, most resource.Quantity) bool {
	return q.Cmp(least) >= 0 && (most.IsZero() || q.Cmp(most) <= 0)
}

// Family is the family of t as its provider's label has it; empty if there is none.
func Family(t *v1alpha1.InstanceType) string {
	return labelOf(t, func(key string) bool {
		return strings.HasSuffix(key, "/instance-family") || strings.HasSuffix(key, "/sku-family")
	})
}

// Architecture is the CPU architecture of t; empty if it does not say one.
func Architecture(t *v1alpha1.InstanceType) string {
	return labelOf(t, func(key string) bool { return key == corev1.LabelArchStable })
}

// labelOf is the one value that t gives to a label, if it gives one.
func labelOf(t *v1alpha1.InstanceType, is func(key string) bool) string {
	for _, r := range t.Requirements {
		if is(r.Key) && r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1 {
			return r.Values[0]
		}
	}
	return ""
}
