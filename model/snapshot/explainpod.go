package snapshot

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// PodExplanation says where a pod could go, and what keeps it from going elsewhere.
// It looks at the pod alone, before any plan.
type PodExplanation struct {
	// Pod is namespace/name.
	Pod string `json:"pod"`
	// Node is where it runs, or where the scheduler has promised it a place; empty for a pod that waits.
	Node     string              `json:"node,omitempty"`
	Requests corev1.ResourceList `json:"requests"`
	// Invalid is why it cannot be planned at all.
	Invalid *Obstacle `json:"invalid,omitempty"`
	// Offerings could be launched for it: the cheapest, of OfferingCount.
	Offerings     []OfferingChoice `json:"offerings"`
	OfferingCount int              `json:"offeringCount"`
	// Nodes would take it as they are.
	Nodes []string `json:"nodes"`
	// ExcludedOfferings and ExcludedNodes are the others, by the first rule that excludes them.
	ExcludedOfferings []ExcludedOfferings `json:"excludedOfferings"`
	ExcludedNodes     []ExcludedNodes     `json:"excludedNodes"`
}

// Obstacle is a rule that keeps a pod away.
type Obstacle struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// OfferingChoice is an offering as a node pool would buy it.
type OfferingChoice struct {
	NodePool     string  `json:"nodePool"`
	InstanceType string  `json:"instanceType"`
	Zone         string  `json:"zone"`
	CapacityType string  `json:"capacityType"`
	Reservation  string  `json:"reservation,omitempty"`
	PricePerHour float64 `json:"pricePerHour"`
}

// ExcludedOfferings are those of one node pool that one rule excludes.
type ExcludedOfferings struct {
	NodePool string `json:"nodePool"`
	Reason   string `json:"reason"`
	Count    int    `json:"count"`
	// Cheapest of them is what Message speaks of, unless they are too small: then it speaks of the largest.
	Cheapest OfferingChoice `json:"cheapest"`
	Message  string         `json:"message"`
}

// ExcludedNodes are those that one rule excludes.
type ExcludedNodes struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
	// Example is what Message speaks of.
	Example string `json:"example"`
	Message string `json:"message"`
}

// mostChoices is how many offerings an explanation lists.
const mostChoices = 10

// ExplainPod says what each offering and node has to say to the pod, which is
// named namespace/name. It fails with ErrNotFound if the snapshot has no such pod.
func ExplainPod(c *Compiled, key string) (*PodExplanation, error) {
	p := c.podNamed(key)
	if p == nil {
		var keys []string
		for _, p := range c.cluster.pods {
			keys = append(keys, podKey(p))
		}
		return nil, notFound("pod", key, keys)
	}
	e := &PodExplanation{Pod: key, Requests: c.requests(p), Offerings: []OfferingChoice{}, Nodes: []string{}}
	from, promised := c.whereabouts(p)
	if at := cmp.Or(from, promised); at != nil {
		e.Node = at.name
	}
	for i := range c.invalid {
		if c.invalid[i].pod == p {
			e.Invalid = &Obstacle{Reason: c.invalid[i].reason, Message: c.invalid[i].message}
		}
	}
	e.explainOfferings(c, p)
	e.explainNodes(c, p, from)
	return e, nil
}

func (c *Compiled) podNamed(key string) *corev1.Pod {
	for _, p := range c.cluster.pods {
		if podKey(p) == key {
			return p
		}
	}
	return nil
}

// whereabouts is the machine that the pod runs on, or the one it was promised.
func (c *Compiled) whereabouts(p *corev1.Pod) (on, promised *machine) {
	for _, m := range c.nodes {
		if slices.Contains(m.pods, p) {
			return m, nil
		}
	}
	for _, n := range c.nominated {
		if n.pod == p {
			return nil, n.on
		}
	}
	return nil, nil
}

func (e *PodExplanation) explainOfferings(c *Compiled, p *corev1.Pod) {
	excluded := map[[2]string]*ExcludedOfferings{}
	small := map[string][]*shape{} // by node pool
	standing := usageOf(&c.Problem, c.standing())
	for _, variants := range c.everyOffering() {
		choice := c.choice(variants[0])
		why := c.offeringExcludes(p, variants, standing)
		if why == nil {
			e.OfferingCount++
			if len(e.Offerings) < mostChoices {
				e.Offerings = append(e.Offerings, choice)
			}
			continue
		}
		key := [2]string{choice.NodePool, why.reason}
		x := excluded[key]
		if x == nil {
			x = &ExcludedOfferings{NodePool: choice.NodePool, Reason: why.reason, Cheapest: choice, Message: why.message}
			excluded[key] = x
		}
		x.Count++
		if why.reason == v1alpha1.UnplacedNoInstanceTypeFits {
			small[choice.NodePool] = append(small[choice.NodePool], variants[0].shape)
		}
	}
	e.ExcludedOfferings = []ExcludedOfferings{}
	for _, x := range excluded {
		if x.Reason == v1alpha1.UnplacedNoInstanceTypeFits {
			x.Message = tooLarge(e.Requests, small[x.NodePool])
		}
		e.ExcludedOfferings = append(e.ExcludedOfferings, *x)
	}
	slices.SortFunc(e.ExcludedOfferings, func(a, b ExcludedOfferings) int {
		return cmp.Or(cmp.Compare(a.NodePool, b.NodePool), cmp.Compare(stage(b.Reason), stage(a.Reason)), cmp.Compare(a.Reason, b.Reason))
	})
}

// standing is the solution that does no more than what happens anyway.
func (c *Compiled) standing() *model.Solution {
	s := &model.Solution{Nodes: make([]model.Fate, len(c.nodes)), Unplaced: make([]int, len(c.groups))}
	for i, m := range c.nodes {
		s.Nodes[i].Removal = model.Stays
		if m.goes != "" {
			s.Nodes[i].Removal = model.Forced
		}
	}
	return s
}

func (e *PodExplanation) explainNodes(c *Compiled, p *corev1.Pod, from *machine) {
	excluded := map[string]*ExcludedNodes{}
	for _, m := range c.byName() {
		if m == from {
			continue
		}
		why := c.nodeExcludes(p, m, from)
		if why == nil {
			e.Nodes = append(e.Nodes, m.name)
			continue
		}
		x := excluded[why.reason]
		if x == nil {
			x = &ExcludedNodes{Reason: why.reason, Example: m.name, Message: why.message}
			excluded[why.reason] = x
		}
		x.Count++
	}
	e.ExcludedNodes = []ExcludedNodes{}
	for _, reason := range sortedKeys(excluded) {
		e.ExcludedNodes = append(e.ExcludedNodes, *excluded[reason])
	}
}

// nodeExcludes is the first rule that keeps the pod off the machine as it stays.
func (c *Compiled) nodeExcludes(p *corev1.Pod, m, from *machine) *exclusion {
	if m.goes != "" {
		return &exclusion{m.goes, m.name + " goes whatever is planned"}
	}
	why := c.machineExcludes(p, m, from)
	if why != nil && why.reason == v1alpha1.UnplacedNoInstanceTypeFits {
		return &exclusion{v1alpha1.KeptNoRoom, why.message}
	}
	return why
}
