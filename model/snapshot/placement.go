package snapshot

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// welcome says which pods may be planned onto a machine, its rules on pods apart.
type welcome uint8

const (
	nobody  welcome = iota
	inNeed          // pods without a node, and those of nodes that go in any case
	anybody         // also pods that a plan moves to save money or to end drift
)

// welcomes says whom the machine may receive, and what keeps the others away.
func (c *Compiled) welcomes(m *machine) (welcome, string) {
	switch {
	case m.goes != "":
		return nobody, "it is going away"
	case m.beingDeleted():
		return nobody, "it is being deleted"
	case m.cordoned():
		return nobody, "it is cordoned"
	case m.initialized && !m.ready():
		return nobody, "it is not ready"
	case !m.initialized:
		return inNeed, "it is on its way, and takes only pods in need of a node"
	case c.policy.QuietScope == v1alpha1.QuietScopeSourceAndDestination && c.quiet(m):
		return inNeed, "it is in its quiet period, and takes only pods in need of a node"
	}
	return anybody, ""
}

func (m *machine) cordoned() bool {
	if m.node == nil {
		return false
	}
	if m.node.Spec.Unschedulable {
		return true
	}
	for _, t := range m.node.Spec.Taints {
		if t.Key == corev1.TaintNodeUnschedulable {
			return true
		}
	}
	return false
}

// origins says whether, and how, groups have to tell where their pods come from.
type origins struct {
	kind, pool, spot bool
}

func (c *Compiled) askedOrigins() origins {
	out := origins{
		kind: !*c.policy.MovePending,
		spot: *c.policy.SpotFlexibility > 1,
	}
	for _, p := range c.pools {
		out.pool = out.pool || p.object.Spec.Disruption.ConsolidationPolicy.IsBalanced()
	}
	for _, m := range c.nodes {
		if who, _ := c.welcomes(m); who == inNeed {
			out.kind = true
		}
	}
	out.kind = out.kind || out.pool || out.spot
	return out
}

// of is the pod's origin, as far as some rule asks.
func (o origins) of(p *groupPod, kind model.OriginKind) model.Origin {
	out := model.Origin{Pool: model.None}
	if o.kind {
		out.Kind = kind
	}
	if p.on == nil {
		return out
	}
	if o.pool && p.on.pool != nil {
		out.Pool = p.on.pool.index
	}
	out.Spot = o.spot && p.on.spot()
	return out
}
