package snapshot

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// checkSnapshot says what the first field of a Snapshot document is that none can have.
func checkSnapshot(s *v1alpha1.Snapshot) *fault {
	if f := checkInstanceTypes(s.InstanceTypes, "$.instanceTypes"); f != nil {
		return f
	}
	return checkPolicy(&s.Policy, "$.policy")
}

func checkInstanceTypes(types []v1alpha1.InstanceType, path string) *fault {
	first := map[string]int{}
	for i := range types {
		t := &types[i]
		here := atIndex(path, i)
		if t.Name == "" {
			return faultf(here+".name", "missing, expected the name of the instance type")
		}
		if k, twice := first[t.Name]; twice {
			return faultf(here+".name", "%s is the name of %s too", t.Name, atIndex(path, k))
		}
		first[t.Name] = i
		if f := checkInstanceType(t, here); f != nil {
			return f
		}
	}
	return nil
}

func checkInstanceType(t *v1alpha1.InstanceType, path string) *fault {
	if f := checkRequirements(t.Requirements, path+".requirements"); f != nil {
		return f
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if q, ok := t.Capacity[name]; !ok || q.Sign() <= 0 {
			return faultf(atKey(path+".capacity", string(name)), "expected a quantity above 0, got %s", orNothing(q.String(), ok))
		}
	}
	if f := checkQuantities(t.Capacity, path+".capacity"); f != nil {
		return f
	}
	if f := checkQuantities(t.Overhead, path+".overhead"); f != nil {
		return f
	}
	for _, driver := range sortedKeys(t.AttachLimits) {
		if n := t.AttachLimits[driver]; n < 0 {
			return faultf(atKey(path+".attachLimits", driver), "expected a number that is not negative, got %d", n)
		}
	}
	for i := range t.Devices {
		if f := typeFault(asJSON(t.Devices[i]), reflect.TypeFor[resourcev1.ResourceSliceSpec](), atIndex(path+".devices", i)); f != nil {
			return f
		}
	}
	return checkOfferings(t.Offerings, path+".offerings")
}

func checkOfferings(offerings []v1alpha1.Offering, path string) *fault {
	first := map[string]int{}
	for i := range offerings {
		o := &offerings[i]
		here := atIndex(path, i)
		if f := checkOffering(o, here); f != nil {
			return f
		}
		key := offeringKey(o)
		if k, twice := first[key]; twice {
			return faultf(here, "the zone, capacity type, reservation and requirements are those of %s too", atIndex(path, k))
		}
		first[key] = i
	}
	return nil
}

func checkOffering(o *v1alpha1.Offering, path string) *fault {
	if o.Zone == "" {
		return faultf(path+".zone", "missing, expected the name of a zone")
	}
	if f := checkWord(path+".capacityType", o.CapacityType, karpv1.CapacityTypeOnDemand, karpv1.CapacityTypeSpot, karpv1.CapacityTypeReserved); f != nil {
		return f
	}
	if f := checkNumber(path+".price", &o.Price, dollars); f != nil {
		return f
	}
	if f := checkReservation(o, path+".reservation"); f != nil {
		return f
	}
	return checkRequirements(o.Requirements, path+".requirements")
}

func checkReservation(o *v1alpha1.Offering, path string) *fault {
	reserved := o.CapacityType == karpv1.CapacityTypeReserved
	switch r := o.Reservation; {
	case reserved && r == nil:
		return faultf(path, "missing, expected the reservation of a reserved offering")
	case !reserved && r != nil:
		return faultf(path, "expected none because the capacity type is %s", o.CapacityType)
	case r == nil:
		return nil
	case r.ID == "":
		return faultf(path+".id", "missing, expected the reservation's ID")
	case r.Count < 0:
		return faultf(path+".count", "expected a number that is not negative, got %d", r.Count)
	}
	return nil
}

func checkRequirements(requirements []corev1.NodeSelectorRequirement, path string) *fault {
	for i, r := range requirements {
		if f := checkRequirement(r, atIndex(path, i)); f != nil {
			return f
		}
	}
	if key := contradictionOf(requirements); key != "" {
		return faultf(path, "no value of %s meets all of them", key)
	}
	return nil
}

// checkQuantities asks that a machine can have so much of each resource.
func checkQuantities(amounts corev1.ResourceList, path string) *fault {
	for _, name := range sortedKeys(amounts) {
		q := amounts[name]
		if q.Sign() < 0 {
			return faultf(atKey(path, string(name)), "expected a quantity that is not negative, got %s", q.String())
		}
		if baseUnits(name, q) == mostUnits {
			return faultf(atKey(path, string(name)), "expected a quantity that a machine can have, got %s", q.String())
		}
	}
	return nil
}

func orNothing(s string, there bool) string {
	if !there {
		return "nothing"
	}
	return s
}
