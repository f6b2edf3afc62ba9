package catalog

import (
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Describe sums up a catalog that need not be built in.
func Describe(c *v1alpha1.Catalog) Info {
	info := Info{
		Name: c.Name, Provider: c.Provider, Region: c.Region, Zones: []string{}, Currency: c.Currency, PricesAsOf: c.PricesAsOf,
		InstanceTypes: len(c.InstanceTypes), Sources: c.Sources, Notes: c.Notes,
	}
	for _, t := range c.InstanceTypes {
		info.Offerings += len(t.Offerings)
		for _, o := range t.Offerings {
			info.Spot = info.Spot || o.CapacityType == SpotColumn
			info.Estimated = info.Estimated || o.Estimated
			info.Zones = append(info.Zones, o.Zone)
		}
	}
	slices.Sort(info.Zones)
	info.Zones = slices.Compact(info.Zones)
	return info
}
