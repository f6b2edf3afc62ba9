package catalog

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

//go:embed data
var data embed.FS

// Info describes a catalog without its instance types.
type Info struct {
	Name     string   `json:"name"`
	Provider string   `json:"provider,omitempty"`
	Region   string   `json:"region,omitempty"`
	Zones    []string `json:"zones"`
	Currency string   `json:"currency"`
	// PricesAsOf is the date of the price list.
	PricesAsOf metav1.Time `json:"pricesAsOf,omitzero"`
	// InstanceTypes and Offerings count what is in the catalog.
	InstanceTypes int `json:"instanceTypes"`
	Offerings     int `json:"offerings"`
	// Spot says that the catalog has spot prices, Estimated that they are computed, not published.
	Spot      bool `json:"spot"`
	Estimated bool `json:"estimated"`
	// Synthetic says that types and prices are made up.
	Synthetic bool `json:"synthetic"`
	// Bytes is the size of the catalog's tables in the binary; 0 if it is not built in.
	// The table of types is counted for each region that shares it.
	Bytes   int      `json:"bytes,omitempty"`
	Sources []string `json:"sources,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// index reads the list of built-in catalogs once. A broken index is a broken
// build, which the tests of this package find.
var index = sync.OnceValue(func() []Info {
	raw, err := data.ReadFile("data/index.json")
	if err != nil {
		panic(fmt.Sprintf("catalog index: %v", err))
	}
	var infos []Info
	if err := json.Unmarshal(raw, &infos); err != nil {
		panic(fmt.Sprintf("catalog index: %v", err))
	}
	for i := range infos {
		infos[i].Bytes = sizeOf(infos[i].typesFile()) + sizeOf(infos[i].pricesFile())
	}
	return infos
})

func (i Info) typesFile() string  { return path.Join("data", i.Provider, "types.tsv") }
func (i Info) pricesFile() string { return path.Join("data", i.Provider, i.table()+".tsv") }

// table is the region, or the provider's name where there are no regions.
func (i Info) table() string {
	if i.Region == "" {
		return i.Provider
	}
	return i.Region
}

func sizeOf(file string) int {
	raw, err := data.ReadFile(file)
	if err != nil {
		panic(fmt.Sprintf("catalog index: %v", err))
	}
	return len(raw)
}

// Names lists the built-in catalogs, sorted.
func Names() []string {
	names := make([]string, 0, len(index()))
	for _, info := range index() {
		names = append(names, info.Name)
	}
	return names
}

// List describes the built-in catalogs, sorted by name, without loading them.
func List() []Info {
	infos := slices.Clone(index())
	for i := range infos {
		infos[i].Zones = slices.Clone(infos[i].Zones)
		infos[i].Sources = slices.Clone(infos[i].Sources)
		infos[i].Notes = slices.Clone(infos[i].Notes)
	}
	return infos
}

// IsBuiltIn tells whether a catalog of that name is compiled in.
func IsBuiltIn(name string) bool {
	return slices.Contains(Names(), name)
}

// Load decodes the built-in catalog of that name: instance types sorted by
// name, their offerings by zone, on-demand before spot. Each call returns a
// value of its own, which the caller may change. Load fails if there is no such
// catalog; the error lists those there are.
func Load(name string) (*v1alpha1.Catalog, error) {
	i := slices.IndexFunc(index(), func(info Info) bool { return info.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("catalog %q is not built in: known are %s", name, strings.Join(Names(), ", "))
	}
	info := List()[i]
	types, err := data.ReadFile(info.typesFile())
	if err != nil {
		return nil, fmt.Errorf("catalog %s: %w", name, err)
	}
	prices, err := data.ReadFile(info.pricesFile())
	if err != nil {
		return nil, fmt.Errorf("catalog %s: %w", name, err)
	}
	instanceTypes, err := decodeTables(info, string(types), string(prices))
	if err != nil {
		return nil, fmt.Errorf("catalog %s: %w", name, err)
	}
	return &v1alpha1.Catalog{
		TypeMeta:      metav1.TypeMeta{APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.KindCatalog},
		Name:          info.Name,
		Provider:      info.Provider,
		Region:        info.Region,
		Currency:      info.Currency,
		PricesAsOf:    info.PricesAsOf,
		Sources:       info.Sources,
		Notes:         info.Notes,
		InstanceTypes: instanceTypes,
	}, nil
}
