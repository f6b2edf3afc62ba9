package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Capacity types of an offering.
const (
	onDemand = "on-demand"
	spot     = "spot"
	reserved = "reserved"
)

// Validate returns what is wrong with the first malformed instance type: a
// name that is missing or given twice, a label that Kubernetes would refuse, no
// CPU or memory, an overhead above the capacity, a price that is none. The error
// starts with the path of the field; the list itself is at path.
func Validate(types []v1alpha1.InstanceType, path string) error {
	first := make(map[string]int, len(types))
	for i := range types {
		at := fmt.Sprintf("%s[%d]", path, i)
		if err := validateType(&types[i], at); err != nil {
			return err
		}
		if before, ok := first[types[i].Name]; ok {
			return fmt.Errorf("%s.name: %s is given twice, also at %s[%d]", at, types[i].Name, path, before)
		}
		first[types[i].Name] = i
	}
	return nil
}

func validateType(t *v1alpha1.InstanceType, at string) error {
	if t.Name == "" {
		return fmt.Errorf("%s.name: missing", at)
	}
	if problems := validation.IsValidLabelValue(t.Name); len(problems) > 0 {
		return fmt.Errorf("%s.name: %q: %s", at, t.Name, problems[0])
	}
	if err := validateRequirements(t.Requirements, at+".requirements"); err != nil {
		return err
	}
	if err := validateResources(t, at); err != nil {
		return err
	}
	for _, driver := range slices.Sorted(maps.Keys(t.AttachLimits)) {
		if limit := t.AttachLimits[driver]; limit < 0 {
			return fmt.Errorf("%s: %d is negative", field(at+".attachLimits", driver), limit)
		}
	}
	return validateOfferings(t.Offerings, at+".offerings")
}

func validateOfferings(offerings []v1alpha1.Offering, path string) error {
	first := make(map[string]int, len(offerings))
	for i := range offerings {
		o, at := &offerings[i], fmt.Sprintf("%s[%d]", path, i)
		if err := validateOffering(o, at); err != nil {
			return err
		}
		if before, ok := first[offeringKey(o)]; ok {
			return fmt.Errorf("%s: the same offering is given twice, also at %s[%d]", at, path, before)
		}
		first[offeringKey(o)] = i
	}
	return nil
}

func validateResources(t *v1alpha1.InstanceType, at string) error {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		quantity, ok := t.Capacity[name]
		switch {
		case !ok:
			return fmt.Errorf("%s.capacity.%s: missing", at, name)
		case quantity.Sign() <= 0:
			return fmt.Errorf("%s.capacity.%s: expected more than 0, got %s", at, name, quantity.String())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Capacity)) {
		if quantity := t.Capacity[name]; quantity.Sign() < 0 {
			return fmt.Errorf("%s: %s is negative", field(at+".capacity", string(name)), quantity.String())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Overhead)) {
		overhead, capacity := t.Overhead[name], t.Capacity[name]
		switch {
		case overhead.Sign() < 0:
			return fmt.Errorf("%s: %s is negative", field(at+".overhead", string(name)), overhead.String())
		case overhead.Cmp(capacity) > 0:
			return fmt.Errorf("%s: %s is more than the capacity of %s", field(at+".overhead", string(name)), overhead.String(), capacity.String())
		}
	}
	return nil
}

// offeringKey tells the offerings of one instance type apart.
func offeringKey(o *v1alpha1.Offering) string {
	var reservation string
	if o.Reservation != nil {
		reservation = o.Reservation.ID
	}
	return fmt.Sprintf("%s %s %s %q", o.Zone, o.CapacityType, reservation, o.Requirements)
}

func validateOffering(o *v1alpha1.Offering, at string) error {
	if o.Zone == "" {
		return fmt.Errorf("%s.zone: missing", at)
	}
	if problems := validation.IsValidLabelValue(o.Zone); len(problems) > 0 {
		return fmt.Errorf("%s.zone: %q: %s", at, o.Zone, problems[0])
	}
	if !slices.Contains([]string{onDemand, spot, reserved}, o.CapacityType) {
		return fmt.Errorf("%s.capacityType: expected %s, %s or %s, got %q", at, onDemand, spot, reserved, o.CapacityType)
	}
	if math.IsNaN(o.Price) || math.IsInf(o.Price, 0) || o.Price < 0 {
		return fmt.Errorf("%s.price: expected USD per hour, got %v", at, o.Price)
	}
	switch r := o.Reservation; {
	case r == nil && o.CapacityType == reserved:
		return fmt.Errorf("%s.reservation: missing, but the capacity type is %s", at, reserved)
	case r != nil && o.CapacityType != reserved:
		return fmt.Errorf("%s.reservation: given, but the capacity type is %s", at, o.CapacityType)
	case r != nil && r.ID == "":
		return fmt.Errorf("%s.reservation.id: missing", at)
	case r != nil && r.Count < 0:
		return fmt.Errorf("%s.reservation.count: %d is negative", at, r.Count)
	}
	return validateRequirements(o.Requirements, at+".requirements")
}

func validateRequirements(requirements []corev1.NodeSelectorRequirement, path string) error {
	for i, r := range requirements {
		at := fmt.Sprintf("%s[%d]", path, i)
		if problems := validation.IsQualifiedName(r.Key); len(problems) > 0 {
			return fmt.Errorf("%s.key: %q: %s", at, r.Key, problems[0])
		}
		if err := validateValues(r, at); err != nil {
			return err
		}
	}
	return nil
}

func validateValues(r corev1.NodeSelectorRequirement, at string) error {
	switch r.Operator {
	case corev1.NodeSelectorOpNotIn:
	case corev1.NodeSelectorOpIn:
		if len(r.Values) == 0 {
			return fmt.Errorf("%s.values: In needs a value", at)
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			return fmt.Errorf("%s.values: %s takes none", at, r.Operator)
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt, "Gte", "Lte":
		if len(r.Values) != 1 {
			return fmt.Errorf("%s.values: %s takes one integer", at, r.Operator)
		}
		if _, err := strconv.ParseUint(r.Values[0], 10, 63); err != nil {
			return fmt.Errorf("%s.values[0]: %s takes an integer, got %q", at, r.Operator, r.Values[0])
		}
	default:
		return fmt.Errorf("%s.operator: unknown operator %q", at, r.Operator)
	}
	for i, value := range r.Values {
		if problems := validation.IsValidLabelValue(value); len(problems) > 0 {
			return fmt.Errorf("%s.values[%d]: %q: %s", at, i, value, problems[0])
		}
	}
	return nil
}

// field is the path of a key below path: .key, or ["key"] where that could be misread.
func field(path, key string) string {
	if key == "" || strings.ContainsAny(key, ".[]/\" \t\n") {
		return path + "[" + strconv.Quote(key) + "]"
	}
	return path + "." + key
}
