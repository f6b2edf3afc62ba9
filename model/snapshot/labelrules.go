package snapshot

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// labelRule is one distinct node selector and required node affinity.
type labelRule struct {
	affinity nodeaffinity.RequiredNodeAffinity
	// keys are the labels it looks at, ascending.
	keys []string
	// named: it looks at the node's name, too.
	named bool
}

// labelRules shares the rules of pods that ask for the same nodes.
type labelRules map[string]*labelRule

func (r *labelRules) of(spec *corev1.PodSpec) *labelRule {
	if *r == nil {
		*r = labelRules{}
	}
	key := labelRuleText(spec)
	rule := (*r)[key]
	if rule == nil {
		rule = newLabelRule(spec)
		(*r)[key] = rule
	}
	return rule
}

func labelRuleText(spec *corev1.PodSpec) string {
	required := requiredNodeAffinity(spec)
	if len(spec.NodeSelector) == 0 && required == nil {
		return ""
	}
	// Maps are written with sorted keys, and plain structs always have a text.
	text, _ := json.Marshal(struct {
		Selector map[string]string
		Required *corev1.NodeSelector
	}{spec.NodeSelector, required})
	return string(text)
}

func newLabelRule(spec *corev1.PodSpec) *labelRule {
	rule := &labelRule{affinity: nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: *spec})}
	for key := range spec.NodeSelector {
		rule.keys = append(rule.keys, key)
	}
	if required := requiredNodeAffinity(spec); required != nil {
		for _, term := range required.NodeSelectorTerms {
			for _, r := range term.MatchExpressions {
				rule.keys = append(rule.keys, r.Key)
			}
			rule.named = rule.named || len(term.MatchFields) > 0
		}
	}
	slices.Sort(rule.keys)
	rule.keys = slices.Compact(rule.keys)
	return rule
}

func requiredNodeAffinity(spec *corev1.PodSpec) *corev1.NodeSelector {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return nil
	}
	return spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// admits says whether a node with this name and these labels is one that the
// rule asks for, as kube-scheduler judges.
func (r *labelRule) admits(name string, labels map[string]string) bool {
	ok, err := r.affinity.Match(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}})
	return ok && err == nil
}
