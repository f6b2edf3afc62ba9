package verify

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// podTerm is one required anti-affinity term of a pod.
type podTerm struct {
	key        string // topology key
	namespaces []string
	// namespaceSelector selects further namespaces by their labels; nil selects none.
	namespaceSelector labels.Selector
	selector          labels.Selector
}

// antiAffinity lists the required anti-affinity terms of p.
func (p *pod) antiAffinity() []podTerm {
	if p.apartRead {
		return p.apart
	}
	p.apartRead = true
	if a := p.Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		for i := range a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
			p.apart = append(p.apart, p.term(&a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[i]))
		}
	}
	return p.apart
}

func (p *pod) term(t *corev1.PodAffinityTerm) podTerm {
	out := podTerm{key: t.TopologyKey, namespaces: t.Namespaces, selector: p.termSelector(t)}
	if t.NamespaceSelector != nil {
		out.namespaceSelector = selectorOf(t.NamespaceSelector)
	} else if len(t.Namespaces) == 0 {
		out.namespaces = []string{p.Namespace}
	}
	return out
}

// termSelector is the term's label selector with what its label keys add to it.
func (p *pod) termSelector(t *corev1.PodAffinityTerm) labels.Selector {
	if t.LabelSelector == nil {
		return labels.Nothing()
	}
	s := t.LabelSelector.DeepCopy()
	add := func(keys []string, operator metav1.LabelSelectorOperator) {
		for _, key := range keys {
			if value, ok := p.Labels[key]; ok {
				s.MatchExpressions = append(s.MatchExpressions, metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: []string{value}})
			}
		}
	}
	add(t.MatchLabelKeys, metav1.LabelSelectorOpIn)
	add(t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn)
	return selectorOf(s)
}

// matches says whether the term is about pod q.
func (c *cluster) matches(t podTerm, q *pod) bool {
	if !t.selector.Matches(labels.Set(q.Labels)) {
		return false
	}
	return slices.Contains(t.namespaces, q.Namespace) ||
		t.namespaceSelector != nil && t.namespaceSelector.Matches(c.namespaceLabels(q.Namespace))
}

// namespaceLabels are the labels of a namespace; its name is one even where the object is not given.
func (c *cluster) namespaceLabels(name string) labels.Set {
	return labels.Merge(labels.Set{corev1.LabelMetadataName: name}, c.namespaces[name])
}

// repels says whether a required anti-affinity term of p over this topology key keeps q away.
func (c *cluster) repels(p, q *pod, key string) bool {
	return slices.ContainsFunc(p.antiAffinity(), func(t podTerm) bool { return t.key == key && c.matches(t, q) })
}

// checkHostAntiAffinity asks that no pod arrives at a machine with a pod that
// it keeps away from its host, or that keeps it away.
func checkHostAntiAffinity(c *check) {
	const key = corev1.LabelHostname
	for _, m := range c.receivers() {
		if _, ok := m.view.Labels[key]; !ok {
			continue // what has no host is none that could be shared
		}
		there := c.residents(m)
		for _, a := range c.arrivals[m] {
			for _, q := range there {
				if c.repels(a.pod, q, key) || c.repels(q, a.pod, key) {
					c.report(RulePodAntiAffinity, a.pod.object(), "may not share %s with pod %s", m.object(), q.key)
				}
			}
			there = append(there, a.pod)
		}
	}
}
