package snapshot

import (
	"encoding/binary"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model"
)

// traits are all that rules look at of a pod. Pods with equal traits and origin form a group.
type traits struct {
	request  model.Quantities
	rule     *labelRule
	tolerant *tolerationRule
	ports    []hostPort
	owned    []termIndex
	matched  model.Set[termIndex]
	priority int32
}

// traitsKey tells traits apart.
type traitsKey struct {
	request, ports, owned, matched string
	rule                           *labelRule
	tolerant                       *tolerationRule
	priority                       int32
}

// traitsOf reads the pod, once.
func (c *Compiled) traitsOf(p *corev1.Pod) *traits {
	if t, ok := c.traits[p]; ok {
		return t
	}
	if c.traits == nil {
		c.traits = map[*corev1.Pod]*traits{}
	}
	t := &traits{
		request:  c.vector(c.requests(p)),
		rule:     c.labelRules.of(&p.Spec),
		tolerant: c.tolerationRules.of(&p.Spec),
		ports:    hostPorts(&p.Spec),
		owned:    c.separations.owned(p),
		matched:  c.matching(p),
		priority: c.priority(p),
	}
	c.traits[p] = t
	return t
}

func (t *traits) key() traitsKey {
	var request []byte
	for _, q := range t.request {
		request = binary.AppendVarint(request, q)
	}
	var matched strings.Builder
	for i := range t.matched.All() {
		fmt.Fprint(&matched, i, " ")
	}
	key := traitsKey{request: string(request), matched: matched.String(), rule: t.rule, tolerant: t.tolerant, priority: t.priority}
	if len(t.ports) > 0 {
		key.ports = fmt.Sprint(t.ports)
	}
	if len(t.owned) > 0 {
		key.owned = fmt.Sprint(t.owned)
	}
	return key
}

// apart says whether pods of these traits must not share a machine.
func (t *traits) apart(o *traits) bool {
	return clash(t.ports, o.ports) != nil || meets(t.owned, o.matched) || meets(o.owned, t.matched)
}

// priority of the pod: its own, or that of its class, or of the default class.
func (c *Compiled) priority(p *corev1.Pod) int32 {
	if p.Spec.Priority != nil {
		return *p.Spec.Priority
	}
	if p.Spec.PriorityClassName != "" {
		switch p.Spec.PriorityClassName {
		case "system-cluster-critical":
			return 2_000_000_000
		case "system-node-critical":
			return 2_000_001_000
		}
		if class := c.cluster.priorityClasses[p.Spec.PriorityClassName]; class != nil {
			return class.Value
		}
		return 0
	}
	if c.cluster.defaultPriority != nil {
		return c.cluster.defaultPriority.Value
	}
	return 0
}
