package verify

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// settleLabels finds what labels the nodes of the offering have, what they may
// have, and whether the pool's requirements allow them.
//
// A key that the type and the offering leave out is the pool's to give.
func (o *offer) settleLabels() {
	given := o.given()
	asked := map[string][]requirement{}
	if o.pool != nil {
		for _, r := range o.pool.requirements {
			asked[r.key] = append(asked[r.key], r)
		}
		given[karpv1.NodePoolLabelKey] = []requirement{is(karpv1.NodePoolLabelKey, o.pool.Name)}
	}
	o.labels, o.open = map[string]string{}, map[string][]requirement{}
	keys := maps.Clone(given)
	maps.Copy(keys, asked)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		o.settle(key, slices.Concat(given[key], asked[key]))
	}
	for old, stable := range karpv1.NormalizedLabels {
		if value, ok := o.labels[stable]; ok {
			o.labels[old] = value
		}
	}
	if o.pool != nil {
		o.labels[karpv1.NodeRegisteredLabelKey] = "true"
		o.labels[karpv1.NodeInitializedLabelKey] = "true"
	}
}

// usualPlatform is what a type is that does not say what it is.
var usualPlatform = map[string]string{
	corev1.LabelOSStable:   string(corev1.Linux),
	corev1.LabelArchStable: karpv1.ArchitectureAmd64,
}

// given are the labels that the provider gives to the offering's nodes.
func (o *offer) given() map[string][]requirement {
	out := map[string][]requirement{}
	for _, list := range [][]requirement{o.kind.requirements, fromCore(o.offering.Requirements)} {
		for _, r := range list {
			out[r.key] = append(out[r.key], r)
		}
	}
	for key, usual := range usualPlatform {
		if len(out[key]) == 0 {
			out[key] = []requirement{is(key, usual)}
		}
	}
	for key, value := range map[string]string{
		corev1.LabelInstanceTypeStable: o.kind.Name,
		corev1.LabelTopologyZone:       o.offering.Zone,
		karpv1.CapacityTypeLabelKey:    o.offering.CapacityType,
	} {
		out[key] = []requirement{is(key, value)}
	}
	return out
}

// settle finds the value of one key under all that is asked of it.
func (o *offer) settle(key string, rs []requirement) {
	values, listed := choices(rs)
	switch {
	case forbidden(rs):
		if !allAllow(rs, "", false) {
			o.refuse(key)
		}
	case !listed:
		o.open[key] = rs
	case len(values) == 0:
		o.refuse(key)
	case len(values) == 1:
		o.labels[key] = values[0]
	default:
		o.open[key] = rs
	}
}

func (o *offer) refuse(key string) {
	if o.refused == "" {
		o.refused = fmt.Sprintf("the pool's requirements on %s exclude it", key)
	}
}

// choices are the values that all requirements allow, if any of them lists values.
func choices(rs []requirement) (values []string, listed bool) {
	for _, r := range rs {
		if r.operator != corev1.NodeSelectorOpIn {
			continue
		}
		listed = true
		for _, v := range r.values {
			if allAllow(rs, v, true) && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
	}
	return values, listed
}

func forbidden(rs []requirement) bool {
	return slices.ContainsFunc(rs, func(r requirement) bool { return r.operator == corev1.NodeSelectorOpDoesNotExist })
}

// agrees says whether a node with these labels can be one of the offering's own:
// offerings of one zone and capacity type may differ in further labels.
func (o *offer) agrees(labels map[string]string) bool {
	for _, r := range fromCore(o.offering.Requirements) {
		value, present := labels[r.key]
		if present && !r.allows(value, true) {
			return false
		}
	}
	return true
}

// canHave says whether a node of the offering can have the label: it is the
// offering's own, one that the pool and the type leave open, or the reservation's.
func (o *offer) canHave(key, value string) bool {
	if own, ok := o.labels[key]; ok {
		return own == value
	}
	if rs, ok := o.open[stableKey(key)]; ok {
		return allAllow(rs, value, true)
	}
	if slices.Contains(reservationKeys, key) {
		return value == reservationOf(o.offering)
	}
	return false
}

// chosen are the stated labels that the offering leaves open and allows.
func (o *offer) chosen(stated map[string]string) map[string]string {
	out := map[string]string{}
	for key, value := range stated {
		if rs, open := o.open[stableKey(key)]; open && allAllow(rs, value, true) {
			out[key] = value
		}
	}
	return out
}
