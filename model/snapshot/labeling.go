package snapshot

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// labeling settles the labels of a type's nodes in a pool, offering by offering.
type labeling struct {
	asked scheduling.Requirements // by the pool
	given scheduling.Requirements // by the type
	fixed map[string]string
	open  map[string]*scheduling.Requirement
}

// labeled are the labels of one variant, and those of them that it was free to choose.
type labeled struct {
	labels, pinned map[string]string
}

// newLabeling starts with the labels that do not depend on the offering. A nil pool asks for nothing.
func newLabeling(p *pool, t *instanceType) *labeling {
	l := &labeling{given: t.requirements, fixed: map[string]string{}, open: map[string]*scheduling.Requirement{}}
	if p != nil {
		l.asked = p.requirements
	}
	for _, set := range []scheduling.Requirements{l.asked, l.given} {
		for key := range set {
			l.settle(key, nil, l.fixed, l.open)
		}
	}
	l.fixed[karpv1.NodeRegisteredLabelKey] = "true"
	l.fixed[karpv1.NodeInitializedLabelKey] = "true"
	l.fixed[corev1.LabelHostname] = newHostname
	return l
}

// settle puts the label where it belongs: its value into fixed, or what is left of it into open.
func (l *labeling) settle(key string, offering scheduling.Requirements, fixed map[string]string, open map[string]*scheduling.Requirement) {
	var r *scheduling.Requirement
	for _, set := range []scheduling.Requirements{l.asked, l.given, offering} {
		if more, ok := set[key]; ok {
			if r == nil {
				r = more
			} else {
				r = r.Intersection(more)
			}
		}
	}
	delete(fixed, key)
	delete(open, key)
	switch {
	case r.Operator() == corev1.NodeSelectorOpDoesNotExist:
	case r.Operator() == corev1.NodeSelectorOpIn && r.Len() == 1:
		fixed[key] = r.Values()[0]
	default:
		open[key] = r
	}
}

// at are the labels that all of the offering's nodes have, and those that are left open.
func (l *labeling) at(o *offering) (fixed map[string]string, open map[string]*scheduling.Requirement) {
	fixed, open = maps.Clone(l.fixed), maps.Clone(l.open)
	for key := range o.requirements {
		l.settle(key, o.requirements, fixed, open)
	}
	return fixed, open
}

// label lists the variants of the pool's nodes of an offering. Open labels that
// nobody speaks of are left to whoever makes the node.
func (c *Compiled) label(p *pool, l *labeling, o *offering, spoken mentions) []labeled {
	fixed, open := l.at(o)
	asked := map[string][]string{}
	for key, r := range open {
		values, asks := spoken[key]
		if usual, ok := platform[key]; ok && r.Has(usual) {
			asked[key] = append([]string{usual}, allowed(r, values, usual)...)
		} else if asks {
			asked[key] = choices(r, values)
		}
	}
	var out []labeled
	for _, pinned := range c.variants(p, asked) {
		labels := maps.Clone(fixed)
		maps.Copy(labels, pinned)
		withAliases(labels)
		out = append(out, labeled{labels, pinned})
	}
	return out
}
