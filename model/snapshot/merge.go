package snapshot

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

// mergeSnapshots makes one snapshot of several that do not contradict each other.
func mergeSnapshots(parts []placedSnapshot) (*v1alpha1.Snapshot, error) {
	s := &v1alpha1.Snapshot{TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.KindSnapshot}}
	given := map[string]setting{}
	for i := range parts {
		for _, now := range settings(&parts[i]) {
			before, twice := given[now.name]
			if !twice {
				given[now.name] = now
			} else if !apiequality.Semantic.DeepEqual(now.value, before.value) {
				f := fields.Faultf(now.path, "%s differs from %s in %s", fields.Excerpt(asJSON(now.value)), fields.Excerpt(asJSON(before.value)), before.place)
				return nil, fieldError(f, now.place, "")
			}
		}
		part := &parts[i].snapshot
		if s.Time.IsZero() {
			s.Time = part.Time
		}
		s.Catalog = cmp.Or(s.Catalog, part.Catalog)
		s.Policy = MergePolicy(s.Policy, part.Policy)
	}
	var err error
	s.InstanceTypes, err = mergeInstanceTypes(parts)
	return s, err
}

// setting is a field that a snapshot can have once.
type setting struct {
	name        string
	place, path string
	value       any
}

// settings are those that the snapshot gives.
func settings(p *placedSnapshot) []setting {
	var all []setting
	add := func(name, path string, value reflect.Value) {
		if !value.IsZero() {
			all = append(all, setting{name: name, place: p.place, path: path, value: value.Interface()})
		}
	}
	add("time", "$.time", reflect.ValueOf(p.snapshot.Time))
	add("catalog", "$.catalog", reflect.ValueOf(p.snapshot.Catalog))
	policy := reflect.ValueOf(p.snapshot.Policy)
	for i := range policy.NumField() {
		field := policy.Type().Field(i)
		if field.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		add("policy."+name, fields.Key(p.policyPath, name), policy.Field(i))
	}
	return all
}

// mergeInstanceTypes lists the types of all parts by name, each with its
// offerings in a fixed order. A type that is given twice must be the same.
func mergeInstanceTypes(parts []placedSnapshot) ([]v1alpha1.InstanceType, error) {
	var all []v1alpha1.InstanceType
	places := map[string]string{}
	byName := map[string]int{}
	for i := range parts {
		for _, t := range parts[i].snapshot.InstanceTypes {
			t = canonical(t)
			k, twice := byName[t.Name]
			if !twice {
				byName[t.Name], places[t.Name] = len(all), parts[i].place
				all = append(all, t)
				continue
			}
			if path := difference(t, all[k]); path != "" {
				return nil, fieldError(fields.Faultf("$.instanceTypes", "%s differs from the one in %s at %s", t.Name, places[t.Name], path), parts[i].place, "")
			}
		}
	}
	slices.SortFunc(all, func(a, b v1alpha1.InstanceType) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// canonical is the instance type with its offerings in a fixed order, and its
// devices' keys too.
func canonical(t v1alpha1.InstanceType) v1alpha1.InstanceType {
	t.Offerings = slices.Clone(t.Offerings)
	slices.SortStableFunc(t.Offerings, func(a, b v1alpha1.Offering) int {
		return cmp.Compare(fields.OfferingKey(&a), fields.OfferingKey(&b))
	})
	t.Devices = slices.Clone(t.Devices)
	for i := range t.Devices {
		var device any
		if json.Unmarshal(t.Devices[i].Raw, &device) == nil {
			t.Devices[i].Raw = asJSON(device)
		}
	}
	return t
}

// mergeObjects sorts the objects by kind, namespace and name. An object that is
// given twice must be the same both times.
func mergeObjects(all []decoded) ([]runtime.RawExtension, error) {
	slices.SortStableFunc(all, compareDecoded)
	merged := make([]runtime.RawExtension, 0, len(all))
	for i := range all {
		now := &all[i]
		if i == 0 || now.kind != all[i-1].kind || now.name() != all[i-1].name() {
			merged = append(merged, runtime.RawExtension{Object: now.object})
			continue
		}
		if path := difference(now.object, all[i-1].object); path != "" {
			return nil, fieldError(fields.Faultf(path, "differs from the same object in %s", all[i-1].where()), now.where(), now.name())
		}
	}
	return merged, nil
}

func compareDecoded(a, b decoded) int {
	return cmp.Or(
		cmp.Compare(a.kind.Group, b.kind.Group),
		cmp.Compare(a.kind.Kind, b.kind.Kind),
		cmp.Compare(a.object.GetNamespace(), b.object.GetNamespace()),
		cmp.Compare(a.object.GetName(), b.object.GetName()),
	)
}

// reservationOf is the reservation that an offering draws on; empty if none.
func reservationOf(o *v1alpha1.Offering) string {
	if o.Reservation == nil {
		return ""
	}
	return o.Reservation.ID
}
