package snapshot

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// askedLabels writes down what a pod's node selector and required node affinity ask of a node.
func askedLabels(spec *corev1.PodSpec) string {
	var parts []string
	for _, key := range sortedKeys(spec.NodeSelector) {
		parts = append(parts, key+"="+spec.NodeSelector[key])
	}
	if required := requiredNodeAffinity(spec); required != nil {
		var terms []string
		for _, t := range required.NodeSelectorTerms {
			var asked []string
			for _, r := range slices.Concat(t.MatchExpressions, t.MatchFields) {
				asked = append(asked, strings.TrimSpace(r.Key+" "+string(r.Operator)+" "+strings.Join(r.Values, "|")))
			}
			terms = append(terms, strings.Join(asked, " and "))
		}
		parts = append(parts, strings.Join(terms, ", or "))
	}
	return strings.Join(parts, ", ")
}
