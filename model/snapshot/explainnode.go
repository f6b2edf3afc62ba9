package snapshot

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// NodeExplanation says what a node is, and which rules keep it. It looks at
// the snapshot alone: a node that no rule keeps stays where it is the best.
type NodeExplanation struct {
	Node         string `json:"node"`
	NodeClaim    string `json:"nodeClaim,omitempty"`
	NodePool     string `json:"nodePool,omitempty"`
	InstanceType string `json:"instanceType,omitempty"`
	Zone         string `json:"zone,omitempty"`
	CapacityType string `json:"capacityType,omitempty"`
	Reservation  string `json:"reservation,omitempty"`
	// Initialized is false for a node on its way.
	Initialized bool `json:"initialized"`
	// PricePerHour is absent where it is not known.
	PricePerHour *float64            `json:"pricePerHour,omitempty"`
	Allocatable  corev1.ResourceList `json:"allocatable"`
	// Requests are those of all Pods that run there, DaemonSets included.
	Requests corev1.ResourceList `json:"requests"`
	Pods     int                 `json:"pods"`
	// Movable are the pods that need another place when the node goes.
	Movable []string `json:"movable"`
	// Goes is why it is taken away whatever is planned, or empty.
	Goes string `json:"goes,omitempty"`
	// Drifted: it is to be replaced; KeptBy then says what holds that back.
	Drifted bool `json:"drifted"`
	// KeptBy is the rule that keeps it in any case; nil if a plan may remove it.
	KeptBy *Obstacle `json:"keptBy,omitempty"`
	// RemovalReason is the reason for which a plan may remove it, and Budget
	// how many nodes of its pool may still go for that; nil means any number.
	RemovalReason string `json:"removalReason,omitempty"`
	Budget        *int   `json:"budget,omitempty"`
	// EvictionPerHour and HurdlePerHour are what its removal has to save first, USD per hour.
	EvictionPerHour float64 `json:"evictionPerHour"`
	HurdlePerHour   float64 `json:"hurdlePerHour"`
}

// ExplainNode says what the snapshot's rules make of a node, or of a claim
// without one. It fails with ErrNotFound if there is none of the name.
func ExplainNode(c *Compiled, name string) (*NodeExplanation, error) {
	m := c.machineNamed(name)
	if m == nil {
		var names []string
		for _, m := range c.nodes {
			names = append(names, m.name)
		}
		return nil, notFound("node", name, names)
	}
	n := &c.Problem.Nodes[m.index]
	e := &NodeExplanation{
		Node:            m.name,
		NodePool:        c.poolName(m.pool),
		Zone:            m.zone,
		CapacityType:    m.capacityType,
		Reservation:     m.reservation,
		InstanceType:    m.labels[corev1.LabelInstanceTypeStable],
		Initialized:     m.initialized,
		Allocatable:     m.allocatable,
		Requests:        corev1.ResourceList{},
		Pods:            len(m.pods),
		Movable:         []string{},
		Goes:            m.goes,
		Drifted:         m.drifted,
		EvictionPerHour: n.Evict.USD(),
		HurdlePerHour:   n.Hurdle.USD(),
	}
	if m.claim != nil {
		e.NodeClaim = m.claim.Name
	}
	if m.priced {
		price := m.price.USD()
		e.PricePerHour = &price
	}
	for _, p := range m.pods {
		plus(e.Requests, c.requests(p))
	}
	for _, p := range c.movable(m) {
		e.Movable = append(e.Movable, podKey(p))
	}
	if m.goes == "" {
		e.explainKept(c, m)
	}
	return e, nil
}

// machineNamed finds a machine by the name of its node or of its claim.
func (c *Compiled) machineNamed(name string) *machine {
	for _, m := range c.nodes {
		if m.name == name {
			return m
		}
	}
	for _, m := range c.nodes {
		if m.claim != nil && m.claim.Name == name {
			return m
		}
	}
	return nil
}

// explainKept says what keeps the machine, or for what it may go.
func (e *NodeExplanation) explainKept(c *Compiled, m *machine) {
	if reason, message := c.keptBy(m); reason != "" {
		e.KeptBy = &Obstacle{Reason: reason, Message: message}
		return
	}
	why := c.removalOf(m)
	if why >= model.NumBudgets {
		return
	}
	p := &c.Problem.Pools[m.pool.index]
	budget := p.Budget[why]
	if budget == 0 {
		e.KeptBy = &Obstacle{Reason: v1alpha1.KeptBudget, Message: budgetMessage(p, why)}
		return
	}
	e.RemovalReason = why.String()
	if budget < model.Unlimited {
		e.Budget = &budget
	}
}
