package fields

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

var requirementOperators = []string{
	string(corev1.NodeSelectorOpIn), string(corev1.NodeSelectorOpNotIn),
	string(corev1.NodeSelectorOpExists), string(corev1.NodeSelectorOpDoesNotExist),
	string(corev1.NodeSelectorOpGt), string(corev1.NodeSelectorOpLt),
	string(karpv1.NodeSelectorOpGte), string(karpv1.NodeSelectorOpLte),
}

// Requirement says what is wrong with a requirement on a label.
func Requirement(path string, r corev1.NodeSelectorRequirement) *Fault {
	if problems := validation.IsQualifiedName(r.Key); len(problems) > 0 {
		return Faultf(path+".key", "expected a label key, got %q", r.Key)
	}
	if f := Word(path+".operator", string(r.Operator), requirementOperators...); f != nil {
		return f
	}
	values := path + ".values"
	for i, v := range r.Values {
		if len(validation.IsValidLabelValue(v)) > 0 {
			return Faultf(Index(values, i), "expected a label value, got %q", v)
		}
	}
	switch r.Operator {
	case corev1.NodeSelectorOpIn:
		if len(r.Values) == 0 {
			return Faultf(values, "operator In needs at least one value")
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			return Faultf(values, "operator %s takes no values", r.Operator)
		}
	case corev1.NodeSelectorOpNotIn:
	default:
		if len(r.Values) != 1 || !isWholeNumber(r.Values[0]) {
			return Faultf(values, "operator %s needs one whole number that is not negative, got %q", r.Operator, r.Values)
		}
	}
	return nil
}

func isWholeNumber(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0
}

// Requirements says what is wrong with a list of requirements that must all be met.
func Requirements(path string, list []corev1.NodeSelectorRequirement) *Fault {
	var all []*scheduling.Requirement
	for i, r := range list {
		if f := Requirement(Index(path, i), r); f != nil {
			return f
		}
		all = append(all, scheduling.NewRequirement(r.Key, r.Operator, r.Values...))
	}
	if key := Contradiction(all); key != "" {
		return Faultf(path, "no value of %s meets all of them", key)
	}
	return nil
}

// Contradiction is the first label of which the requirements together ask what
// cannot be, or is empty. Karpenter's algebra says that such a label does not exist.
func Contradiction(requirements []*scheduling.Requirement) string {
	all := scheduling.NewRequirements(requirements...)
	for _, r := range requirements {
		if asks(r) && all[r.Key].Operator() == corev1.NodeSelectorOpDoesNotExist {
			return r.Key
		}
	}
	return ""
}

// asks says whether the requirement cannot be met by the absence of the label.
func asks(r *scheduling.Requirement) bool {
	operator := r.Operator()
	return operator != corev1.NodeSelectorOpNotIn && operator != corev1.NodeSelectorOpDoesNotExist
}
