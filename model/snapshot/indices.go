package snapshot

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model"
)

// gatherIndices numbers the instance types and zones of shapes and machines, by name.
func (c *Compiled) gatherIndices() {
	for _, t := range c.types {
		c.typeNames = append(c.typeNames, t.Name)
		for _, o := range t.offerings {
			c.zoneNames = append(c.zoneNames, o.Zone)
		}
	}
	for _, m := range c.nodes {
		c.typeNames = append(c.typeNames, label(m.labels, corev1.LabelInstanceTypeStable))
		c.zoneNames = append(c.zoneNames, m.zone)
	}
	c.typeNames, c.zoneNames = distinct(c.typeNames), distinct(c.zoneNames)
}

// distinct returns the names that are not empty, ascending, each once.
func distinct(names []string) []string {
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > 0 && names[0] == "" {
		names = names[1:]
	}
	return names
}

// typeIndex is the number of the instance type; None without a name.
func (c *Compiled) typeIndex(name string) model.TypeIndex {
	if i, ok := slices.BinarySearch(c.typeNames, name); ok {
		return model.TypeIndex(i)
	}
	return model.None
}

// zoneIndex is the number of the zone; None without a name.
func (c *Compiled) zoneIndex(name string) model.ZoneIndex {
	if i, ok := slices.BinarySearch(c.zoneNames, name); ok {
		return model.ZoneIndex(i)
	}
	return model.None
}
