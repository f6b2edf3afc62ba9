package snapshot

import (
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// tolerationRule is one distinct list of tolerations.
type tolerationRule struct {
	tolerations []corev1.Toleration
}

// tolerationRules shares the rules of pods that tolerate the same.
type tolerationRules map[string]*tolerationRule

func (r *tolerationRules) of(spec *corev1.PodSpec) *tolerationRule {
	if *r == nil {
		*r = tolerationRules{}
	}
	var key string
	if len(spec.Tolerations) > 0 {
		text, _ := json.Marshal(spec.Tolerations) // plain structs always have a text
		key = string(text)
	}
	rule := (*r)[key]
	if rule == nil {
		rule = &tolerationRule{spec.Tolerations}
		(*r)[key] = rule
	}
	return rule
}

// untolerated is the first of the taints that keeps the pods off the node; nil if none does.
func (r *tolerationRule) untolerated(taints []corev1.Taint) *corev1.Taint {
	for i := range taints {
		if hard(&taints[i]) && !tolerates(r.tolerations, &taints[i]) {
			return &taints[i]
		}
	}
	return nil
}

// hard says whether the taint forbids, and does not only discourage.
func hard(t *corev1.Taint) bool {
	return t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute
}

func tolerates(tolerations []corev1.Toleration, taint *corev1.Taint) bool {
	for i := range tolerations {
		if tolerations[i].ToleratesTaint(klog.Logger{}, taint, true) {
			return true
		}
	}
	return false
}

// settledTaints are the machine's taints once it is initialized. Before its
// node is registered they are those of the claim; on its way, those that go by themselves do not count.
func settledTaints(m *machine) []corev1.Taint {
	switch {
	case m.node == nil:
		return m.claim.Spec.Taints
	case m.initialized:
		return m.node.Spec.Taints
	}
	startup := startupTaints(m)
	var out []corev1.Taint
	for _, t := range m.node.Spec.Taints {
		passing := scheduling.IsKnownEphemeralTaint(&t) || slices.ContainsFunc(startup, func(s corev1.Taint) bool { return s.MatchTaint(&t) })
		if !passing {
			out = append(out, t)
		}
	}
	if m.claim != nil && !registered(m) {
		out = scheduling.Taints(out).Merge(m.claim.Spec.Taints)
	}
	return out
}

// startupTaints are the taints that the machine bears until it is ready.
func startupTaints(m *machine) []corev1.Taint {
	if m.claim != nil {
		return m.claim.Spec.StartupTaints
	}
	if m.pool != nil {
		return m.pool.object.Spec.Template.Spec.StartupTaints
	}
	return nil
}

// taints that a new node of the pool has once it is ready.
func (p *pool) taints() []corev1.Taint {
	return p.object.Spec.Template.Spec.Taints
}

// taintText writes a taint as kubectl does.
func taintText(t *corev1.Taint) string {
	var b strings.Builder
	b.WriteString(t.Key)
	if t.Value != "" {
		b.WriteString("=" + t.Value)
	}
	b.WriteString(":" + string(t.Effect))
	return b.String()
}
