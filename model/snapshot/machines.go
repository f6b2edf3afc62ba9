package snapshot

import (
	"cmp"
	"path"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// adoption makes the nodes that a selector matches part of a pool.
type adoption struct {
	selector labels.Selector
	pool     string
}

func newAdoptions(rules []v1alpha1.Manage) ([]adoption, error) {
	var out []adoption
	for i, rule := range rules {
		selector, err := policySelector(rule.Selector, "manage", i)
		if err != nil {
			return nil, err
		}
		out = append(out, adoption{selector, rule.NodePool})
	}
	return out, nil
}

// gatherMachines merges nodes and claims, sorted by name, and says of each what
// it is, what it costs and whose it is.
func (c *Compiled) gatherMachines(adoptions []adoption) {
	c.nodes = mergeClaims(c.cluster.nodes, c.cluster.nodeClaims)
	c.machineByName = make(map[string]*machine, len(c.nodes))
	for i, m := range c.nodes {
		m.index = model.NodeIndex(i)
		if m.node != nil {
			c.machineByName[m.name] = m
		}
	}
	for _, m := range c.nodes {
		if m.node == nil && c.machineByName[m.name] == nil {
			c.machineByName[m.name] = m
		}
		c.describe(m)
		m.pool = c.ownPool(m)
		if m.pool == nil {
			m.pool = c.adopter(m, adoptions)
		}
		m.initialized = initialized(m)
		m.taints = settledTaints(m)
		m.measure()
		c.priceMachine(m)
		if !m.initialized {
			c.completeLabels(m)
		}
	}
	for _, a := range adoptions {
		if c.poolNamed(a.pool) == nil {
			c.warn("policy.manage adopts nodes into node pool %s, which is not there", a.pool)
		}
	}
}

// mergeClaims pairs nodes with their claims, by node name, then provider ID.
func mergeClaims(nodes []*corev1.Node, claims []*karpv1.NodeClaim) []*machine {
	var out []*machine
	byName, byProvider, taken := map[string]*machine{}, map[string]*machine{}, map[string]bool{}
	for _, node := range nodes {
		m := &machine{node: node, name: node.Name}
		out = append(out, m)
		byName[node.Name], taken[node.Name] = m, true
		if id := node.Spec.ProviderID; id != "" {
			byProvider[id] = m
		}
	}
	for _, claim := range claims {
		m := byName[claim.Status.NodeName]
		if m == nil && claim.Status.ProviderID != "" {
			m = byProvider[claim.Status.ProviderID]
		}
		if m == nil || m.claim != nil {
			m = &machine{name: claimedName(claim)}
			if taken[m.name] {
				m.name = claimPrefix + claim.Name
			}
			taken[m.name] = true
			out = append(out, m)
		}
		m.claim = claim
	}
	slices.SortStableFunc(out, func(a, b *machine) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.claimName(), b.claimName()))
	})
	return out
}

// claimPrefix begins the names of claims without a node that are told apart by
// nothing else: no node's name has a slash.
const claimPrefix = "nodeclaim/"

// claimedName is what a claim's node will be called, as far as one can tell.
func claimedName(claim *karpv1.NodeClaim) string {
	if id := claim.Status.ProviderID; id != "" {
		return path.Base(id)
	}
	return claim.Name
}

func (m *machine) claimName() string {
	if m.claim == nil {
		return ""
	}
	return m.claim.Name
}

// describe reads the machine's labels, and what they say of its type and place.
func (c *Compiled) describe(m *machine) {
	if m.claim == nil || initialized(m) {
		m.labels = m.node.Labels
	} else {
		m.labels = claimedLabels(m)
	}
	m.zone = label(m.labels, corev1.LabelTopologyZone)
	m.capacityType = capacityTypeOf(m.labels)
	m.reservation = reservationIn(m.labels)
	if t := c.typeByName[label(m.labels, corev1.LabelInstanceTypeStable)]; t != nil {
		m.instanceType = t.InstanceType
	}
}

// ownPool is the pool that the machine's label names, or nil.
func (c *Compiled) ownPool(m *machine) *pool {
	if name, ok := m.labels[karpv1.NodePoolLabelKey]; ok {
		return c.poolNamed(name)
	}
	return nil
}

// adopter is the pool that takes in a machine of another's making: the first
// that the policy names, or the implied one if the machine is a priced worker. Nil if none does.
func (c *Compiled) adopter(m *machine, adoptions []adoption) *pool {
	if m.node == nil {
		return nil
	}
	for _, a := range adoptions {
		if p := c.poolNamed(a.pool); p != nil && a.selector.Matches(labels.Set(m.labels)) {
			m.adopted = true
			return p
		}
	}
	if p := c.impliedPool(); p != nil && !controlPlane(m.node) && c.offeringOf(m) != nil {
		m.adopted = true
		return p
	}
	return nil
}

// impliedPool is the pool to which all priced worker nodes belong because no NodePool was given; nil if one was.
func (c *Compiled) impliedPool() *pool {
	if p := c.poolNamed("default"); p != nil && p.implied {
		return p
	}
	return nil
}

func (c *Compiled) poolNamed(name string) *pool {
	i, ok := slices.BinarySearchFunc(c.pools, name, func(p *pool, name string) int { return cmp.Compare(p.object.Name, name) })
	if !ok {
		return nil
	}
	return c.pools[i]
}

// measure says what the machine has by its node.
func (m *machine) measure() {
	if m.node == nil {
		return
	}
	m.capacity, m.allocatable = m.node.Status.Capacity, m.node.Status.Allocatable
}

// priceMachine finds the machine's offering and price.
func (c *Compiled) priceMachine(m *machine) {
	if o := c.offeringOf(m); o != nil {
		m.offering = o.Offering
		m.price, m.priced = c.overlaid.price(m.pool, m.offering), true
	}
}

// offeringOf is the offering that the machine's labels name, available or not,
// or nil: of several the first whose own labels they do not contradict.
func (c *Compiled) offeringOf(m *machine) *offering {
	if m.instanceType == nil {
		return nil
	}
	var first *offering
	offerings := c.typeByName[m.instanceType.Name].offerings
	for i := range offerings {
		o := &offerings[i]
		if o.Zone != m.zone || o.CapacityType != m.capacityType || m.reservation != "" && o.reservation() != m.reservation {
			continue
		}
		if o.agrees(m.labels) {
			return o
		}
		first = cmp.Or(first, o)
	}
	return first
}

// bindPods gives every machine the pods that are on it.
func (c *Compiled) bindPods() {
	astray := tally{}
	for _, p := range c.cluster.pods {
		if p.Spec.NodeName == "" || terminal(p) {
			continue
		}
		if m := c.machineByName[p.Spec.NodeName]; m != nil {
			m.pods = append(m.pods, p)
		} else {
			astray.add("are left alone: on nodes that the snapshot does not have", podKey(p))
		}
	}
	astray.report(c, "pod")
}

// terminal says whether the pod has ended, and holds nothing.
func terminal(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

func (m *machine) spot() bool { return m.capacityType == karpv1.CapacityTypeSpot }

// created is when the machine was asked for.
func (m *machine) created() time.Time {
	if m.claim != nil {
		return m.claim.CreationTimestamp.Time
	}
	return m.node.CreationTimestamp.Time
}
