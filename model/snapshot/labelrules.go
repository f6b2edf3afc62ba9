package snapshot

import (
	"encoding/json"
	"slices"
	"strings"

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

// census is a list of nodes, real or planned, by their labels. A rule is
// evaluated once for all that do not differ in what it looks at.
type census struct {
	names  []string
	labels []map[string]string
	splits map[string]*split
	known  map[*labelRule][]bool
}

// split puts the nodes of a census into classes that agree on some labels.
type split struct {
	class    []int32 // by node
	examples []int32 // by class: one node of it
}

func newCensus(names []string, labels []map[string]string) *census {
	return &census{names: names, labels: labels, splits: map[string]*split{}, known: map[*labelRule][]bool{}}
}

// admitted says which nodes the rule asks for. It is shared: not to be changed.
func (c *census) admitted(r *labelRule) []bool {
	if out, ok := c.known[r]; ok {
		return out
	}
	s := c.split(r.keys, r.named)
	verdict := make([]bool, len(s.examples))
	for k, i := range s.examples {
		verdict[k] = r.admits(c.names[i], c.labels[i])
	}
	out := make([]bool, len(c.labels))
	for i, k := range s.class {
		out[i] = verdict[k]
	}
	c.known[r] = out
	return out
}

func (c *census) split(keys []string, named bool) *split {
	id := strings.Join(keys, "\x00")
	if named {
		id += "\x00\x00"
	}
	if s, ok := c.splits[id]; ok {
		return s
	}
	s := &split{class: make([]int32, len(c.labels))}
	classes := map[string]int32{}
	var text []byte
	for i, l := range c.labels {
		text = text[:0]
		for _, key := range keys {
			if value, ok := l[key]; ok {
				text = append(append(text, 1), value...)
			}
			text = append(text, 0)
		}
		if named {
			text = append(text, c.names[i]...)
		}
		k, ok := classes[string(text)]
		if !ok {
			k = int32(len(s.examples))
			classes[string(text)] = k
			s.examples = append(s.examples, int32(i))
		}
		s.class[i] = k
	}
	c.splits[id] = s
	return s
}
