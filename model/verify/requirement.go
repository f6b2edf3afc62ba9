package verify

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
)

// requirement asks something of the value of one label. Keys are stable ones
// (see stableKey).
type requirement struct {
	key      string
	operator corev1.NodeSelectorOperator
	values   []string
}

// stableKey is the key that replaced a deprecated one.
func stableKey(key string) string {
	if stable, ok := karpv1.NormalizedLabels[key]; ok {
		return stable
	}
	return key
}

// allows says whether a label with this value, or none if it is absent, meets the requirement.
func (r requirement) allows(value string, present bool) bool {
	switch r.operator {
	case corev1.NodeSelectorOpIn:
		return present && slices.Contains(r.values, value)
	case corev1.NodeSelectorOpNotIn:
		return !present || !slices.Contains(r.values, value)
	case corev1.NodeSelectorOpExists:
		return present
	case corev1.NodeSelectorOpDoesNotExist:
		return !present
	}
	if !present || len(r.values) != 1 {
		return false
	}
	have, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return false
	}
	want, err := strconv.ParseInt(r.values[0], 10, 64)
	if err != nil {
		return false
	}
	switch r.operator {
	case corev1.NodeSelectorOpGt:
		return have > want
	case corev1.NodeSelectorOpLt:
		return have < want
	case karpv1.NodeSelectorOpGte:
		return have >= want
	case karpv1.NodeSelectorOpLte:
		return have <= want
	}
	return false
}

// allAllow says whether a label meets every requirement.
func allAllow(rs []requirement, value string, present bool) bool {
	for _, r := range rs {
		if !r.allows(value, present) {
			return false
		}
	}
	return true
}

func is(key, value string) requirement {
	return requirement{stableKey(key), corev1.NodeSelectorOpIn, []string{value}}
}

func fromCore(rs []corev1.NodeSelectorRequirement) []requirement {
	var out []requirement
	for _, r := range rs {
		out = append(out, requirement{stableKey(r.Key), r.Operator, r.Values})
	}
	return out
}

func fromPool(rs []karpv1.NodeSelectorRequirementWithMinValues) []requirement {
	var out []requirement
	for _, r := range rs {
		out = append(out, requirement{stableKey(r.Key), r.Operator, r.Values})
	}
	return out
}

func fromOverlay(rs []karpv1alpha1.NodeSelectorRequirement) []requirement {
	var out []requirement
	for _, r := range rs {
		out = append(out, requirement{stableKey(r.Key), r.Operator, r.Values})
	}
	return out
}
