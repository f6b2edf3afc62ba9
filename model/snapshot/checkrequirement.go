package snapshot

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

var requirementOperators = []string{
	string(corev1.NodeSelectorOpIn), string(corev1.NodeSelectorOpNotIn),
	string(corev1.NodeSelectorOpExists), string(corev1.NodeSelectorOpDoesNotExist),
	string(corev1.NodeSelectorOpGt), string(corev1.NodeSelectorOpLt),
	string(karpv1.NodeSelectorOpGte), string(karpv1.NodeSelectorOpLte),
}

// checkRequirement says what is wrong with a requirement on a label.
func checkRequirement(r corev1.NodeSelectorRequirement, path string) *fault {
	if problems := validation.IsQualifiedName(r.Key); len(problems) > 0 {
		return faultf(path+".key", "expected a label key, got %q", r.Key)
	}
	if f := checkWord(path+".operator", string(r.Operator), requirementOperators...); f != nil {
		return f
	}
	values := path + ".values"
	for i, v := range r.Values {
		if len(validation.IsValidLabelValue(v)) > 0 {
			return faultf(atIndex(values, i), "expected a label value, got %q", v)
		}
	}
	switch r.Operator {
	case corev1.NodeSelectorOpIn:
		if len(r.Values) == 0 {
			return faultf(values, "operator In needs at least one value")
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			return faultf(values, "operator %s takes no values", r.Operator)
		}
	case corev1.NodeSelectorOpNotIn:
	default:
		if len(r.Values) != 1 || !isWholeNumber(r.Values[0]) {
			return faultf(values, "operator %s needs one whole number that is not negative", r.Operator)
		}
	}
	return nil
}

func isWholeNumber(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0
}

// checkWord says if a word is none of those that a field may have.
func checkWord(path, got string, words ...string) *fault {
	if slices.Contains(words, got) {
		return nil
	}
	if last := len(words) - 1; last > 0 {
		return faultf(path, "expected %s or %s, got %q", strings.Join(words[:last], ", "), words[last], got)
	}
	return faultf(path, "expected %s, got %q", words[0], got)
}
