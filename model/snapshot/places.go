package snapshot

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model"
)

// places finds out where pods may be put, resources apart. Pods that ask for
// the same share the answer.
type places struct {
	c        *Compiled
	byShape  map[shapeQuestion]model.Set[model.ShapeIndex]
	welcomes []welcome // by model.NodeIndex
}

// shapeQuestion is what an answer about shapes depends on.
type shapeQuestion struct {
	rule     *labelRule
	tolerant *tolerationRule
	ports    string
	asked    string
}

func newPlaces(c *Compiled) *places {
	p := &places{c: c, byShape: map[shapeQuestion]model.Set[model.ShapeIndex]{}}
	for _, m := range c.nodes {
		who, _ := c.welcomes(m)
		p.welcomes = append(p.welcomes, who)
	}
	return p
}

// shapes that a new, empty machine of which takes the pods.
func (p *places) shapes(t *traits) model.Set[model.ShapeIndex] {
	key := shapeQuestion{rule: t.rule, tolerant: t.tolerant}
	if len(t.ports) > 0 {
		key.ports = fmt.Sprint(t.ports)
	}
	if out, ok := p.byShape[key]; ok {
		return out
	}
	out := model.NewSet[model.ShapeIndex](len(p.c.shapes))
	asked := p.c.shapeLabels.admitted(t.rule)
	tolerated := map[*pool]bool{}
	for i := range p.c.shapes {
		s := &p.c.shapes[i]
		ok, known := tolerated[s.pool]
		if !known {
			ok = t.tolerant.untolerated(s.taints) == nil
			tolerated[s.pool] = ok
		}
		if ok && asked[i] && (len(t.ports) == 0 || clash(t.ports, s.daemonPorts) == nil) {
			out.Add(model.ShapeIndex(i))
		}
	}
	p.byShape[key] = out
	return out
}

// nodes that take the pods, coming from where they do, while what is on them stays.
func (p *places) nodes(t *traits, from model.OriginKind) model.Set[model.NodeIndex] {
	out := model.NewSet[model.NodeIndex](len(p.c.nodes))
	least := inNeed
	if from == model.Resident {
		least = anybody
	}
	asked := p.c.nodeLabels.admitted(t.rule)
	for i, m := range p.c.nodes {
		if asked[i] && p.welcomes[i] >= least && t.tolerant.untolerated(m.taints) == nil && !p.c.repelled(t, m) {
			out.Add(model.NodeIndex(i))
		}
	}
	return out
}

// repelled says whether something on the machine keeps such pods away.
func (c *Compiled) repelled(t *traits, m *machine) bool {
	on := &c.presences[m.index]
	return clash(t.ports, on.ports) != nil || c.separated(t, m)
}

// separated says whether anti-affinity between the pods and one on the machine
// keeps them away. It has no hold on a node that does not say which host it is.
func (c *Compiled) separated(t *traits, m *machine) bool {
	on := &c.presences[m.index]
	if !meets(t.owned, on.matched) && !meets(on.owned, t.matched) {
		return false
	}
	_, ok := m.labels[corev1.LabelHostname]
	return ok
}
