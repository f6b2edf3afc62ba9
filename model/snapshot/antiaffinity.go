package snapshot

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/mortise-io/mortise/model"
)

// termIndex is the index of a term in separations.
type termIndex int

// separations are the distinct terms of required anti-affinity by host: which
// pods must not share a node with those that have the term.
type separations struct {
	terms  []separation
	byText map[string]termIndex
	// matched caches, by namespace and the labels that terms look at, which terms a pod matches.
	matched map[string]model.Set[termIndex]
	keys    []string
}

// separation is one such term.
type separation struct {
	namespaces []string        // ascending
	namespace  labels.Selector // further namespaces, by their labels; nil for none
	selector   labels.Selector
}

// gatherSeparations notes the terms of all pods, and with that what labels they look at.
func (c *Compiled) gatherSeparations(pods []*corev1.Pod) {
	s := &c.separations
	s.byText, s.matched = map[string]termIndex{}, map[string]model.Set[termIndex]{}
	for _, p := range pods {
		s.owned(p)
	}
	for i := range s.terms {
		requirements, _ := s.terms[i].selector.Requirements()
		for _, r := range requirements {
			s.keys = append(s.keys, r.Key())
		}
	}
	slices.Sort(s.keys)
	s.keys = slices.Compact(s.keys)
}

// owned are the terms that the pod has, ascending.
func (s *separations) owned(p *corev1.Pod) []termIndex {
	var out []termIndex
	for _, t := range requiredAntiAffinity(p) {
		if t.TopologyKey != corev1.LabelHostname {
			continue
		}
		term, err := newSeparation(p, t)
		if err != nil {
			continue // a pending pod with this is invalid, and a running one cannot have it
		}
		out = append(out, s.index(term))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func requiredAntiAffinity(p *corev1.Pod) []corev1.PodAffinityTerm {
	if p.Spec.Affinity == nil || p.Spec.Affinity.PodAntiAffinity == nil {
		return nil
	}
	return p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

func (s *separations) index(t separation) termIndex {
	text := t.text()
	i, ok := s.byText[text]
	if !ok {
		i = termIndex(len(s.terms))
		s.terms = append(s.terms, t)
		s.byText[text] = i
	}
	return i
}

func (t *separation) text() string {
	text := strings.Join(t.namespaces, ",") + "|"
	if t.namespace != nil {
		text += "(" + t.namespace.String() + ")"
	}
	return text + "|" + t.selector.String()
}

// newSeparation reads a term of the pod.
func newSeparation(p *corev1.Pod, t corev1.PodAffinityTerm) (separation, error) {
	selector, err := termSelector(p, t)
	if err != nil {
		return separation{}, err
	}
	out := separation{namespaces: slices.Sorted(slices.Values(t.Namespaces)), selector: selector}
	if t.NamespaceSelector != nil {
		if out.namespace, err = metav1.LabelSelectorAsSelector(t.NamespaceSelector); err != nil {
			return separation{}, err
		}
	} else if len(t.Namespaces) == 0 {
		out.namespaces = []string{p.Namespace}
	}
	return out, nil
}

// termSelector is the term's label selector, narrowed by the pod's own values
// of its matchLabelKeys and mismatchLabelKeys.
func termSelector(p *corev1.Pod, t corev1.PodAffinityTerm) (labels.Selector, error) {
	if t.LabelSelector == nil {
		return labels.Nothing(), nil
	}
	s := t.LabelSelector.DeepCopy()
	narrow := func(keys []string, operator metav1.LabelSelectorOperator) {
		for _, key := range keys {
			value, ok := p.Labels[key]
			r := metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: []string{value}}
			if ok && !slices.ContainsFunc(s.MatchExpressions, func(o metav1.LabelSelectorRequirement) bool {
				return o.Key == key && o.Operator == operator && slices.Equal(o.Values, r.Values)
			}) {
				s.MatchExpressions = append(s.MatchExpressions, r)
			}
		}
	}
	narrow(t.MatchLabelKeys, metav1.LabelSelectorOpIn)
	narrow(t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn)
	return metav1.LabelSelectorAsSelector(s)
}

// matching are the terms that match the pod. All terms are gathered by then.
func (c *Compiled) matching(p *corev1.Pod) model.Set[termIndex] {
	s := &c.separations
	if len(s.terms) == 0 {
		return model.Set[termIndex]{}
	}
	key := p.Namespace
	for _, k := range s.keys {
		if value, ok := p.Labels[k]; ok {
			key += "\x00" + k + "\x01" + value
		}
	}
	if out, ok := s.matched[key]; ok {
		return out
	}
	var out model.Set[termIndex]
	for i := range s.terms {
		t := &s.terms[i]
		if c.cluster.inNamespaces(p.Namespace, t) && t.selector.Matches(labels.Set(p.Labels)) {
			out.Add(termIndex(i))
		}
	}
	s.matched[key] = out
	return out
}

// inNamespaces says whether the term looks at pods of the namespace.
func (k *cluster) inNamespaces(name string, t *separation) bool {
	if _, ok := slices.BinarySearch(t.namespaces, name); ok {
		return true
	}
	return t.namespace != nil && t.namespace.Matches(k.namespaceLabels(name))
}

// namespaceLabels are the labels of the namespace. One that the snapshot does not have bears its name.
func (k *cluster) namespaceLabels(name string) labels.Set {
	if ns := k.namespaces[name]; ns != nil {
		if _, ok := ns.Labels[corev1.LabelMetadataName]; ok {
			return ns.Labels
		}
	}
	out := labels.Set{}
	if ns := k.namespaces[name]; ns != nil {
		for key, value := range ns.Labels {
			out[key] = value
		}
	}
	out[corev1.LabelMetadataName] = name
	return out
}

// meets says whether one of the terms is in the set.
func meets(terms []termIndex, set model.Set[termIndex]) bool {
	return slices.ContainsFunc(terms, set.Has)
}
