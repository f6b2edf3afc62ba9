package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// contradiction is the first label of which the requirements together ask what
// cannot be, or is empty. Karpenter's algebra says that such a label does not exist.
func contradiction(requirements []*scheduling.Requirement) string {
	all := scheduling.NewRequirements(requirements...)
	for _, r := range requirements {
		if !negative(r) && all[r.Key].Operator() == corev1.NodeSelectorOpDoesNotExist {
			return r.Key
		}
	}
	return ""
}

// contradictionOf is the contradiction in a list as it stands in an instance type or offering.
func contradictionOf(list []corev1.NodeSelectorRequirement) string {
	var requirements []*scheduling.Requirement
	for _, r := range list {
		requirements = append(requirements, scheduling.NewRequirement(r.Key, r.Operator, r.Values...))
	}
	return contradiction(requirements)
}
