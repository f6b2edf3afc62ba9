package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/provider/catalog"
)

// tables are the files to write, by their path below the data folder.
func tables(dir string) (map[string][]byte, error) {
	sources, err := readSources(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	types := map[string]map[string]sourceType{} // by provider and name
	var infos []catalog.Info
	for _, s := range sources {
		s.Types = slices.DeleteFunc(s.Types, func(t sourceType) bool { return t.OnDemand == nil && t.Spot == nil })
		slices.SortFunc(s.Types, func(a, b sourceType) int { return strings.Compare(a.Name, b.Name) })
		if err := merge(types, s); err != nil {
			return nil, err
		}
		info, err := describe(s)
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
		name := s.Region
		if name == "" {
			name = s.Provider
		}
		files[s.Provider+"/"+name+".tsv"] = priceTable(s)
	}
	for provider, byName := range types {
		files[provider+"/types.tsv"] = typeTable(byName)
	}
	slices.SortFunc(infos, func(a, b catalog.Info) int { return strings.Compare(a.Name, b.Name) })
	var index bytes.Buffer
	encoder := json.NewEncoder(&index)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(infos); err != nil {
		return nil, err
	}
	files["index.json"] = index.Bytes()
	return files, nil
}

// merge adds the types of s to those of its provider, which must be the same in all regions.
func merge(types map[string]map[string]sourceType, s *source) error {
	if types[s.Provider] == nil {
		types[s.Provider] = map[string]sourceType{}
	}
	for _, t := range s.Types {
		t.OnDemand, t.Spot = nil, nil
		if before, ok := types[s.Provider][t.Name]; ok && fmt.Sprint(before) != fmt.Sprint(t) {
			return fmt.Errorf("%s %s: type %s differs from another region's", s.Provider, s.Region, t.Name)
		}
		types[s.Provider][t.Name] = t
	}
	return nil
}

func priceTable(s *source) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "name\t%s\t%s\n", catalog.OnDemandColumn, catalog.SpotColumn)
	for _, t := range s.Types {
		fmt.Fprintf(&out, "%s\t%s\t%s\n", t.Name, price(t.OnDemand), price(t.Spot))
	}
	return out.Bytes()
}

func price(usd *float64) string {
	if usd == nil {
		return catalog.Absent
	}
	return strconv.FormatFloat(*usd, 'f', -1, 64)
}

func typeTable(byName map[string]sourceType) []byte {
	names := slices.Sorted(maps.Keys(byName))
	cells := map[string]map[string]string{} // by type and column
	columns := map[string]bool{}
	for _, name := range names {
		cells[name] = row(byName[name])
		for column := range cells[name] {
			columns[column] = true
		}
	}
	header := slices.SortedFunc(maps.Keys(columns), byColumn)
	var out bytes.Buffer
	out.WriteString("name\t" + strings.Join(header, "\t") + "\n")
	for _, name := range names {
		out.WriteString(name)
		for _, column := range header {
			cell, ok := cells[name][column]
			if !ok {
				cell = catalog.Absent
			}
			out.WriteString("\t" + cell)
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// byColumn orders capacity, overhead, labels; what every cloud has before the rest.
func byColumn(a, b string) int {
	rank := func(column string) string {
		for i, prefix := range []string{
			catalog.CapacityColumn + "cpu", catalog.CapacityColumn + "memory", catalog.CapacityColumn + "pods", catalog.CapacityColumn,
			catalog.OverheadColumn, catalog.LabelColumn,
		} {
			if strings.HasPrefix(column, prefix) {
				return strconv.Itoa(i) + column
			}
		}
		return column
	}
	return strings.Compare(rank(a), rank(b))
}

func row(t sourceType) map[string]string {
	cells := map[string]string{}
	put := func(kind string, name corev1.ResourceName, quantity string) {
		if quantity != "0" {
			cells[kind+string(name)] = quantity
		}
	}
	put(catalog.CapacityColumn, corev1.ResourceCPU, milli(t.Capacity.CPUMilli))
	put(catalog.CapacityColumn, corev1.ResourceMemory, amount(t.Capacity.MemoryBytes))
	put(catalog.CapacityColumn, corev1.ResourcePods, count(t.Capacity.Pods))
	put(catalog.CapacityColumn, corev1.ResourceEphemeralStorage, amount(t.Capacity.EphemeralStorageBytes))
	for name, n := range t.Extended {
		put(catalog.CapacityColumn, corev1.ResourceName(name), count(n))
	}
	put(catalog.OverheadColumn, corev1.ResourceCPU, milli(t.Capacity.CPUMilli-t.Allocatable.CPUMilli))
	put(catalog.OverheadColumn, corev1.ResourceMemory, amount(t.Capacity.MemoryBytes-t.Allocatable.MemoryBytes))
	put(catalog.OverheadColumn, corev1.ResourcePods, count(t.Capacity.Pods-t.Allocatable.Pods))
	put(catalog.OverheadColumn, corev1.ResourceEphemeralStorage, amount(t.Capacity.EphemeralStorageBytes-t.Allocatable.EphemeralStorageBytes))
	for key, value := range t.Labels {
		if key != corev1.LabelInstanceTypeStable { // the name
			cells[catalog.LabelColumn+key] = value
		}
	}
	return cells
}

func milli(n int64) string {
	return resource.NewMilliQuantity(n, resource.DecimalSI).String()
}

func count(n int64) string {
	return strconv.FormatInt(n, 10)
}

// amount writes bytes in the shorter of 1000-based and 1024-based notation.
func amount(n int64) string {
	decimal := resource.NewQuantity(n, resource.DecimalSI).String()
	binary := resource.NewQuantity(n, resource.BinarySI).String()
	if len(binary) < len(decimal) {
		return binary
	}
	return decimal
}
