package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Absent is the cell of a table that holds nothing. An empty cell is an empty string.
const Absent = "-"

// Kinds of columns in a table of types, before the resource or label they hold.
const (
	CapacityColumn = "capacity:"
	OverheadColumn = "overhead:"
	LabelColumn    = "label:"
)

// Columns of a table of prices, after the name of the type: each is a capacity type.
const (
	OnDemandColumn = "on-demand"
	SpotColumn     = "spot"
)

// column is a cell of each row, and what it holds there.
type column struct {
	key  string
	cell int
}

// typeTable is a decoded header of a table of types, and its rows by type.
type typeTable struct {
	capacity, overhead, labels []column
	cells                      int
	rows                       map[string]string
}

// decodeTables joins the types of a provider with the prices of a region:
// what is not priced there is left out.
func decodeTables(info Info, types, prices string) ([]v1alpha1.InstanceType, error) {
	table, err := readTypes(types, info.Region)
	if err != nil {
		return nil, fmt.Errorf("table of types: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(prices, "\n"), "\n")
	if want := "name\t" + OnDemandColumn + "\t" + SpotColumn; lines[0] != want {
		return nil, fmt.Errorf("table of prices: header %q, want %q", lines[0], want)
	}
	out := make([]v1alpha1.InstanceType, 0, len(lines)-1)
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		instanceType, err := table.instanceType(cells[0], info.Region)
		if err != nil {
			return nil, fmt.Errorf("type %s: %w", cells[0], err)
		}
		if instanceType.Offerings, err = offerings(info, cells[1:]); err != nil {
			return nil, fmt.Errorf("prices of %s: %w", cells[0], err)
		}
		out = append(out, instanceType)
	}
	return out, nil
}

// readTypes reads the header and finds the rows; a row is decoded when its type is asked for.
func readTypes(text, region string) (*typeTable, error) {
	header, body, _ := strings.Cut(text, "\n")
	names := strings.Split(header, "\t")
	t := &typeTable{cells: len(names), rows: map[string]string{}}
	for i, name := range names {
		kind, key, _ := strings.Cut(name, ":")
		switch kind + ":" {
		case "name:":
			t.labels = append(t.labels, column{corev1.LabelInstanceTypeStable, i})
		case CapacityColumn:
			t.capacity = append(t.capacity, column{key, i})
		case OverheadColumn:
			t.overhead = append(t.overhead, column{key, i})
		case LabelColumn:
			t.labels = append(t.labels, column{key, i})
		default:
			return nil, fmt.Errorf("unknown column %q", name)
		}
	}
	if region != "" {
		t.labels = append(t.labels, column{corev1.LabelTopologyRegion, len(names)}) // appended to each row
	}
	slices.SortFunc(t.labels, func(a, b column) int { return cmp.Compare(a.key, b.key) })
	for line := range strings.Lines(body) {
		name, _, _ := strings.Cut(line, "\t")
		t.rows[name] = strings.TrimSuffix(line, "\n")
	}
	return t, nil
}

func (t *typeTable) instanceType(name, region string) (v1alpha1.InstanceType, error) {
	row, ok := t.rows[name]
	if !ok {
		return v1alpha1.InstanceType{}, fmt.Errorf("not in the table of types")
	}
	cells := strings.Split(row, "\t")
	if len(cells) != t.cells {
		return v1alpha1.InstanceType{}, fmt.Errorf("%d cells, want %d", len(cells), t.cells)
	}
	cells = append(cells, region)
	capacity, err := resources(t.capacity, cells)
	if err != nil {
		return v1alpha1.InstanceType{}, fmt.Errorf("capacity: %w", err)
	}
	overhead, err := resources(t.overhead, cells)
	if err != nil {
		return v1alpha1.InstanceType{}, fmt.Errorf("overhead: %w", err)
	}
	return v1alpha1.InstanceType{
		Name:         name,
		Requirements: requirements(t.labels, cells),
		Capacity:     capacity,
		Overhead:     overhead,
	}, nil
}

func resources(columns []column, cells []string) (corev1.ResourceList, error) {
	list := make(corev1.ResourceList, len(columns))
	for _, c := range columns {
		if cells[c.cell] == Absent {
			continue
		}
		quantity, err := resource.ParseQuantity(cells[c.cell])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.key, err)
		}
		list[corev1.ResourceName(c.key)] = quantity
	}
	return list, nil
}

// requirements pins the labels a type has, and denies those that only its
// siblings have: a pod that asks for a GPU by name must not match a type without.
func requirements(columns []column, cells []string) []corev1.NodeSelectorRequirement {
	out := make([]corev1.NodeSelectorRequirement, len(columns))
	values := make([]string, len(columns))
	for i, c := range columns {
		if cells[c.cell] == Absent {
			out[i] = corev1.NodeSelectorRequirement{Key: c.key, Operator: corev1.NodeSelectorOpDoesNotExist}
			continue
		}
		values[i] = cells[c.cell]
		out[i] = corev1.NodeSelectorRequirement{Key: c.key, Operator: corev1.NodeSelectorOpIn, Values: values[i : i+1 : i+1]}
	}
	return out
}

// offerings sells a type in every zone at the region's prices, on-demand first.
func offerings(info Info, prices []string) ([]v1alpha1.Offering, error) {
	var region []v1alpha1.Offering
	for i, capacityType := range []string{OnDemandColumn, SpotColumn} {
		if i >= len(prices) || prices[i] == Absent {
			continue
		}
		price, err := strconv.ParseFloat(prices[i], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", capacityType, err)
		}
		estimated := capacityType == SpotColumn && info.Estimated
		region = append(region, v1alpha1.Offering{CapacityType: capacityType, Price: price, Estimated: estimated})
	}
	out := make([]v1alpha1.Offering, 0, len(info.Zones)*len(region))
	for _, zone := range info.Zones {
		for _, offering := range region {
			offering.Zone = zone
			out = append(out, offering)
		}
	}
	return out, nil
}
