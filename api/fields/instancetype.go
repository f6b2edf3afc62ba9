package fields

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// InstanceTypes says what is wrong with the first malformed instance type of a
// list: a name or an offering that is missing or given twice, a label that
// Kubernetes would refuse, no CPU or memory, an overhead above the capacity, a
// price or an amount that no machine has.
func InstanceTypes(path string, types []v1alpha1.InstanceType) *Fault {
	first := map[string]int{}
	for i := range types {
		t, here := &types[i], Index(path, i)
		if f := instanceType(here, t); f != nil {
			return f
		}
		if k, twice := first[t.Name]; twice {
			return Faultf(here+".name", "%s is the name of %s too", t.Name, Index(path, k))
		}
		first[t.Name] = i
	}
	return nil
}

func instanceType(path string, t *v1alpha1.InstanceType) *Fault {
	return cmp.Or(
		labelValue(path+".name", "the name of the instance type", t.Name),
		Requirements(path+".requirements", append(slices.Clip(t.Requirements), named(t))),
		capacity(path+".capacity", t.Capacity),
		overhead(path+".overhead", t),
		attachLimits(path+".attachLimits", t.AttachLimits),
		devices(path+".devices", t),
		offerings(path+".offerings", t.Offerings),
	)
}

// named is what the type's name says of its nodes' labels.
func named(t *v1alpha1.InstanceType) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: corev1.LabelInstanceTypeStable, Operator: corev1.NodeSelectorOpIn, Values: []string{t.Name}}
}

// labelValue says if a word is missing or cannot be the value of a label.
func labelValue(path, what, value string) *Fault {
	if value == "" {
		return Faultf(path, "missing, expected %s", what)
	}
	if len(validation.IsValidLabelValue(value)) > 0 {
		return Faultf(path, "expected a label value, got %q", value)
	}
	return nil
}

func capacity(path string, amounts corev1.ResourceList) *Fault {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		switch q, ok := amounts[name]; {
		case !ok:
			return Faultf(Key(path, string(name)), "missing, expected a quantity above 0")
		case q.Sign() <= 0:
			return Faultf(Key(path, string(name)), "expected a quantity above 0, got %s", q.String())
		}
	}
	return Quantities(path, amounts)
}

func overhead(path string, t *v1alpha1.InstanceType) *Fault {
	if f := Quantities(path, t.Overhead); f != nil {
		return f
	}
	for _, name := range slices.Sorted(maps.Keys(t.Overhead)) {
		taken, all := t.Overhead[name], t.Capacity[name]
		if taken.Cmp(all) > 0 {
			return Faultf(Key(path, string(name)), "expected at most the capacity of %s, got %s", all.String(), taken.String())
		}
	}
	return nil
}

func attachLimits(path string, limits map[string]int32) *Fault {
	for _, driver := range slices.Sorted(maps.Keys(limits)) {
		if n := limits[driver]; n < 0 {
			return Faultf(Key(path, driver), "expected a number that is not negative, got %d", n)
		}
	}
	return nil
}

func devices(path string, t *v1alpha1.InstanceType) *Fault {
	for i := range t.Devices {
		device, err := json.Marshal(t.Devices[i])
		if err != nil {
			return Faultf(Index(path, i), "%v", err)
		}
		if f := Type(Index(path, i), device, reflect.TypeFor[resourcev1.ResourceSliceSpec]()); f != nil {
			return f
		}
	}
	return nil
}

func offerings(path string, list []v1alpha1.Offering) *Fault {
	first := map[string]int{}
	for i := range list {
		o, here := &list[i], Index(path, i)
		if f := offering(here, o); f != nil {
			return f
		}
		key := OfferingKey(o)
		if k, twice := first[key]; twice {
			return Faultf(here, "the zone, capacity type, reservation and requirements are those of %s too", Index(path, k))
		}
		first[key] = i
	}
	return nil
}

// OfferingKey tells the offerings of an instance type apart.
func OfferingKey(o *v1alpha1.Offering) string {
	id := ""
	if o.Reservation != nil {
		id = o.Reservation.ID
	}
	return fmt.Sprintf("%q %q %q %q", o.Zone, o.CapacityType, id, o.Requirements)
}

func offering(path string, o *v1alpha1.Offering) *Fault {
	return cmp.Or(
		labelValue(path+".zone", "the name of a zone", o.Zone),
		Word(path+".capacityType", o.CapacityType, karpv1.CapacityTypeOnDemand, karpv1.CapacityTypeSpot, karpv1.CapacityTypeReserved),
		Number(path+".price", &o.Price, Dollars),
		reservation(path+".reservation", o),
		Requirements(path+".requirements", o.Requirements),
	)
}

func reservation(path string, o *v1alpha1.Offering) *Fault {
	reserved := o.CapacityType == karpv1.CapacityTypeReserved
	switch r := o.Reservation; {
	case reserved && r == nil:
		return Faultf(path, "missing, expected the reservation of a reserved offering")
	case !reserved && r != nil:
		return Faultf(path, "expected none because the capacity type is %s", o.CapacityType)
	case r == nil:
		return nil
	case r.ID == "":
		return Faultf(path+".id", "missing, expected the reservation's ID")
	case r.Count < 0:
		return Faultf(path+".count", "expected a number that is not negative, got %d", r.Count)
	}
	return nil
}
