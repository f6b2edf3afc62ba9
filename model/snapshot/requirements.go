package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// compatible says whether the sets agree on the labels that both speak of.
func compatible(a, b scheduling.Requirements) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for key, r := range a {
		if other, ok := b[key]; ok && !overlap(r, other) {
			return false
		}
	}
	return true
}

// covers says whether nodes that meet all of the sets can meet the wanted
// requirements. A label that no set knows is only met by its absence.
func covers(wanted scheduling.Requirements, sets ...scheduling.Requirements) bool {
	for key, want := range wanted {
		known := false
		for _, set := range sets {
			if have, ok := set[key]; ok {
				known = true
				if !overlap(have, want) {
					return false
				}
			}
		}
		if !known && !negative(want) {
			return false
		}
	}
	return true
}

// overlap says whether some value, or the absence of the label, meets both requirements.
func overlap(a, b *scheduling.Requirement) bool {
	return a.HasIntersection(b) || negative(a) && negative(b)
}

// negative says whether the absence of the label meets the requirement.
func negative(r *scheduling.Requirement) bool {
	operator := r.Operator()
	return operator == corev1.NodeSelectorOpNotIn || operator == corev1.NodeSelectorOpDoesNotExist
}
