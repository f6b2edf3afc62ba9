package snapshot

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// mostVariants is how many shapes one offering is turned into at most, for the
// labels that its pool leaves open.
const mostVariants = 64

// mentions are the values that pods, DaemonSets and the policy speak of, by
// label. A label that is spoken of without a value has an empty list.
type mentions map[string][]string

func (c *Compiled) gatherMentions() mentions {
	out := mentions{}
	seen := map[*labelRule]bool{}
	for _, p := range c.taking() {
		if rule := c.traitsOf(p.pod).rule; !seen[rule] {
			seen[rule] = true
			out.note(&p.pod.Spec)
		}
	}
	for _, d := range c.daemons {
		out.note(&d.set.Spec.Template.Spec)
	}
	for _, list := range [][]charge{c.charges.fees, c.charges.penalties, c.charges.startups} {
		for _, f := range list {
			requirements, _ := f.selector.Requirements()
			for _, r := range requirements {
				out.add(r.Key(), r.ValuesUnsorted()...)
			}
		}
	}
	for key, values := range out {
		slices.Sort(values)
		out[key] = slices.Compact(values)
	}
	return out
}

func (m mentions) add(key string, values ...string) {
	m[key] = append(m[key], values...)
}

func (m mentions) note(spec *corev1.PodSpec) {
	for key, value := range spec.NodeSelector {
		m.add(key, value)
	}
	required := requiredNodeAffinity(spec)
	if required == nil {
		return
	}
	for _, term := range required.NodeSelectorTerms {
		for _, r := range term.MatchExpressions {
			m.add(r.Key, witnesses(r)...)
		}
	}
}

// witnesses are values that can decide whether a label meets the requirement.
func witnesses(r corev1.NodeSelectorRequirement) []string {
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		return r.Values
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(r.Values) != 1 {
			return nil
		}
		n, err := strconv.Atoi(r.Values[0])
		if err != nil {
			return nil
		}
		if r.Operator == corev1.NodeSelectorOpGt {
			return []string{strconv.Itoa(n + 1)}
		}
		return []string{strconv.Itoa(n - 1)}
	}
	return nil
}

// choices are the values of an open label worth telling apart: those that
// somebody speaks of, and one that nobody does.
func choices(open *scheduling.Requirement, spoken []string) []string {
	out := allowed(open, spoken)
	if other, ok := unspoken(open, spoken); ok {
		out = append(out, other)
	}
	return out
}

// allowed are the values that meet the requirement, but for some.
func allowed(open *scheduling.Requirement, values []string, but ...string) []string {
	var out []string
	for _, value := range values {
		if open.Has(value) && !slices.Contains(but, value) {
			out = append(out, value)
		}
	}
	return out
}

// unspoken is a value that meets the requirement and that nobody speaks of; false if there is none.
func unspoken(open *scheduling.Requirement, spoken []string) (string, bool) {
	if open.Operator() == corev1.NodeSelectorOpIn {
		values := open.Values()
		slices.Sort(values)
		for _, value := range values {
			if !slices.Contains(spoken, value) && open.Has(value) {
				return value, true
			}
		}
		return "", false
	}
	// Karpenter makes up a number, too. So many cannot all be excluded or spoken of.
	first := lowest(open)
	for n := first; n <= first+len(open.Values())+len(spoken); n++ {
		if value := strconv.Itoa(n); open.Has(value) && !slices.Contains(spoken, value) {
			return value, true
		}
	}
	return "", false
}

// lowest is the smallest number of at least zero that the requirement's bounds allow.
func lowest(open *scheduling.Requirement) int {
	if r := open.NodeSelectorRequirement(); r.Operator == karpv1.NodeSelectorOpGte {
		n, _ := strconv.Atoi(r.Values[0])
		return max(0, n)
	}
	return 0
}

// variants are the ways to settle the open labels, in a fixed order. Where there
// are too many, the labels are settled one at a time, and otherwise with their
// last choice; of those the first are taken.
func (c *Compiled) variants(p *pool, open map[string][]string) []map[string]string {
	keys := sortedKeys(open)
	count := 1
	for _, key := range keys {
		count = min(count*len(open[key]), mostVariants+1)
	}
	if count > mostVariants {
		c.warn("node pool %s leaves labels open (%s) in more ways than are planned with: the first %d are",
			p.object.Name, strings.Join(keys, ", "), mostVariants)
		return singleVariants(open, keys)
	}
	out := []map[string]string{{}}
	for _, key := range keys {
		var more []map[string]string
		for _, labels := range out {
			for _, value := range open[key] {
				more = append(more, with(labels, key, value))
			}
		}
		out = more
	}
	return out
}

func singleVariants(open map[string][]string, keys []string) []map[string]string {
	last := map[string]string{}
	for _, key := range keys {
		last[key] = open[key][len(open[key])-1]
	}
	out := []map[string]string{last}
	for _, key := range keys {
		for _, value := range open[key][:len(open[key])-1] {
			if len(out) < mostVariants {
				out = append(out, with(last, key, value))
			}
		}
	}
	return out
}

// with is a copy of the labels with one more.
func with(labels map[string]string, key, value string) map[string]string {
	out := maps.Clone(labels)
	out[key] = value
	return out
}
