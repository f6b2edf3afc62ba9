package snapshot

import (
	"cmp"
	"maps"
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
	byName, byProvider := map[string]*machine{}, map[string]*machine{}
	for _, node := range nodes {
		m := &machine{node: node, name: node.Name}
		out = append(out, m)
		byName[node.Name] = m
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
			out = append(out, m)
		}
		m.claim = claim
	}
	slices.SortStableFunc(out, func(a, b *machine) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.claimName(), b.claimName()))
	})
	return out
}

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
	switch {
	case m.claim == nil:
		m.labels = m.node.Labels
	case m.node != nil && registered(m):
		m.labels = m.node.Labels
	default:
		m.labels = comingLabels(m)
	}
	m.zone = label(m.labels, corev1.LabelTopologyZone)
	m.capacityType = capacityTypeOf(m.labels)
	m.reservation = reservationIn(m.labels)
	if t := c.typeByName[label(m.labels, corev1.LabelInstanceTypeStable)]; t != nil {
		m.instanceType = t.InstanceType
	}
}

// registered says whether the machine's node speaks for itself.
func registered(m *machine) bool {
	return m.node.Labels[karpv1.NodeRegisteredLabelKey] == "true" || m.claimIs(karpv1.ConditionTypeRegistered) || initialized(m)
}

// comingLabels are the labels that the claim's node will have: those of the claim,
// the single values it requires, and what the node says already.
func comingLabels(m *machine) map[string]string {
	out := map[string]string{}
	for _, r := range m.claim.Spec.Requirements {
		if r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1 {
			out[r.Key] = r.Values[0]
		}
	}
	if m.node != nil {
		maps.Copy(out, m.node.Labels)
	} else {
		out[corev1.LabelHostname] = m.name
	}
	maps.Copy(out, m.claim.Labels)
	if ref := m.claim.Spec.NodeClassRef; ref != nil && ref.Kind != "" {
		out[nodeClassLabel(ref)] = ref.Name
	}
	out[karpv1.NodeRegisteredLabelKey] = "true"
	out[karpv1.NodeInitializedLabelKey] = "true"
	withAliases(out)
	return out
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

// initialized says whether the machine is no longer on its way. Nodes that
// Karpenter has not made are taken to be.
func initialized(m *machine) bool {
	if m.node == nil {
		return false
	}
	if m.claim == nil && (m.pool == nil || m.adopted) {
		return true
	}
	return m.node.Labels[karpv1.NodeInitializedLabelKey] == "true" || m.claimIs(karpv1.ConditionTypeInitialized)
}

// measure says what the machine has by its node.
func (m *machine) measure() {
	if m.node == nil {
		return
	}
	m.capacity, m.allocatable = m.node.Status.Capacity, m.node.Status.Allocatable
	if len(m.capacity) == 0 {
		m.capacity = m.allocatable
	}
}

// foresee says what the machine on its way will have: what its node does not
// say yet is taken from its claim, then from its instance type.
func (c *Compiled) foresee(m *machine) {
	if m.claim != nil {
		m.capacity = completed(m.capacity, m.claim.Status.Capacity)
		m.allocatable = completed(m.allocatable, m.claim.Status.Allocatable)
	}
	switch {
	case m.instanceType != nil && m.pool != nil:
		m.capacity = completed(m.capacity, c.capacity(m.pool, m.instanceType))
		m.allocatable = completed(m.allocatable, c.allocatable(m.pool, m.nodeClass(), m.instanceType))
	case m.instanceType != nil:
		m.capacity = completed(m.capacity, m.instanceType.Capacity)
		m.allocatable = completed(m.allocatable, c.typeByName[m.instanceType.Name].allocatable)
	case m.claim != nil:
		m.allocatable = completed(m.allocatable, m.claim.Spec.Resources.Requests)
		m.capacity = completed(m.capacity, m.allocatable)
	}
}

// completed returns list with what is zero or missing taken from more.
func completed(list, more corev1.ResourceList) corev1.ResourceList {
	out := maps.Clone(list)
	if out == nil {
		out = corev1.ResourceList{}
	}
	for name, q := range more {
		if have, ok := out[name]; !ok || have.IsZero() {
			out[name] = q
		}
	}
	return out
}

// priceMachine finds the machine's offering and price.
func (c *Compiled) priceMachine(m *machine) {
	if m.offering = c.offeringOf(m); m.offering != nil {
		m.price, m.priced = c.overlaid.price(m.pool, m.offering), true
	}
}

// offeringOf is the offering that the machine's labels name, available or not, or nil.
func (c *Compiled) offeringOf(m *machine) *v1alpha1.Offering {
	if m.instanceType == nil {
		return nil
	}
	for _, o := range c.typeByName[m.instanceType.Name].offerings {
		if o.Zone == m.zone && o.CapacityType == m.capacityType && (m.reservation == "" || o.reservation() == m.reservation) {
			return o.Offering
		}
	}
	return nil
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
