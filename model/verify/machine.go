package verify

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// machine is a Node, a NodeClaim, both, or a launch of the plan.
type machine struct {
	// name is that of the node; of a claim without one, the end of its
	// provider ID or its own name; of a launch, its ID.
	name   string
	node   *corev1.Node
	claim  *karpv1.NodeClaim
	launch *v1alpha1.Launch

	pool *pool // nil: not managed
	// onItsWay: the node is not there, or not initialized.
	onItsWay bool
	// view is the node as the scheduler will see it: its name and labels.
	view     *corev1.Node
	taints   []corev1.Taint
	capacity resources // what limits count
	// offer is what its labels name; nil if the catalogue does not have it.
	offer  *offer
	price  float64 // USD per hour, after overlays
	priced bool

	pods      []*pod // bound to it
	nominated []*pod // pending, and promised to it

	// Computed when asked for:
	free     resources
	expected []*daemon
	foreseen bool // whether expected is computed
}

func (m *machine) object() string {
	switch {
	case m.launch != nil:
		return "launch " + m.name
	case m.node == nil:
		return "nodeclaim " + m.claim.Name
	default:
		return "node " + m.name
	}
}

// addMachines joins nodes and claims, and finds the pool, the offering and the price of each.
func (c *cluster) addMachines(nodes []*corev1.Node, claims []*karpv1.NodeClaim) {
	byNode := matchClaims(nodes, claims)
	used := map[*karpv1.NodeClaim]bool{}
	for _, n := range nodes {
		if c.byName[n.Name] != nil {
			continue
		}
		claim := byNode[n.Name]
		used[claim] = true
		c.addMachine(&machine{name: n.Name, node: n, claim: claim})
	}
	for _, claim := range claims {
		if !used[claim] {
			c.addMachine(&machine{name: claimNodeName(claim), claim: claim})
		}
	}
	slices.SortStableFunc(c.machines, func(a, b *machine) int { return cmp.Compare(a.name, b.name) })
	for _, m := range c.machines {
		if m.pool != nil {
			m.pool.machines = append(m.pool.machines, m)
		}
	}
}

func (c *cluster) addMachine(m *machine) {
	c.machines = append(c.machines, m)
	if c.byName[m.name] == nil {
		c.byName[m.name] = m
	}
	if m.claim != nil && c.byClaim[m.claim.Name] == nil {
		c.byClaim[m.claim.Name] = m
	}
	m.onItsWay = !initialized(m.node, m.claim)
	m.view = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: m.name, Labels: m.ownLabels()}}
	m.pool = c.adopter(m)
	m.offer = c.offerOf(m, m.pool)
	m.price, m.priced = c.livePrice(m)
	if m.onItsWay {
		m.completeLabels()
	}
	m.taints = m.lastingTaints()
	m.capacity = m.countedCapacity()
}

// matchClaims finds the claim of each node, by node name.
func matchClaims(nodes []*corev1.Node, claims []*karpv1.NodeClaim) map[string]*karpv1.NodeClaim {
	byProvider := map[string]string{}
	byOwner := map[string]string{}
	known := map[string]bool{}
	for _, n := range nodes {
		known[n.Name] = true
		if n.Spec.ProviderID != "" {
			byProvider[n.Spec.ProviderID] = n.Name
		}
		for _, o := range n.OwnerReferences {
			if o.Kind == "NodeClaim" {
				byOwner[o.Name] = n.Name
			}
		}
	}
	out := map[string]*karpv1.NodeClaim{}
	for _, claim := range claims {
		name := claim.Status.NodeName
		if !known[name] {
			name = cmp.Or(byProvider[claim.Status.ProviderID], byOwner[claim.Name])
		}
		if name != "" && out[name] == nil {
			out[name] = claim
		}
	}
	return out
}

// claimNodeName names a claim without a node: by the end of its provider ID, or its own name.
func claimNodeName(claim *karpv1.NodeClaim) string {
	id := claim.Status.ProviderID
	return cmp.Or(id[strings.LastIndex(id, "/")+1:], claim.Name)
}

// initialized says whether the node has come up: for a claim when its
// condition or the node's label says so. A node that no claim stands for is
// taken as it is, unless it says that it has registered and no more.
func initialized(n *corev1.Node, claim *karpv1.NodeClaim) bool {
	switch {
	case n == nil:
		return false
	case n.Labels[karpv1.NodeInitializedLabelKey] == "true":
		return true
	case claim != nil:
		return claimIs(claim, karpv1.ConditionTypeInitialized)
	default:
		return n.Labels[karpv1.NodeRegisteredLabelKey] == ""
	}
}

func claimIs(claim *karpv1.NodeClaim, condition string) bool {
	for i := range claim.Status.Conditions {
		if c := &claim.Status.Conditions[i]; c.Type == condition {
			return c.IsTrue()
		}
	}
	return false
}

// ownLabels are the node's labels, and what the claim states of a node that has yet to say it.
func (m *machine) ownLabels() map[string]string {
	if !m.onItsWay {
		return m.node.Labels
	}
	out := map[string]string{}
	if m.claim != nil {
		for _, r := range m.claim.Spec.Requirements {
			if r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1 {
				out[r.Key] = r.Values[0]
			}
		}
		maps.Copy(out, m.claim.Labels)
	}
	if m.node != nil {
		maps.Copy(out, m.node.Labels)
	}
	return out
}

// completeLabels adds what the offering says of a node on its way.
func (m *machine) completeLabels() {
	all := map[string]string{}
	if m.offer != nil {
		maps.Copy(all, m.offer.labels)
	} else if m.pool != nil {
		maps.Copy(all, m.pool.Spec.Template.Labels)
	}
	maps.Copy(all, m.view.Labels)
	all[karpv1.NodeRegisteredLabelKey] = "true"
	all[karpv1.NodeInitializedLabelKey] = "true"
	if all[corev1.LabelHostname] == "" {
		all[corev1.LabelHostname] = m.name
	}
	m.view.Labels = all
}

// countedCapacity is what limits count: what the node, its claim or its type says, the first that does.
func (m *machine) countedCapacity() resources {
	out := resources{}
	if m.offer != nil {
		maps.Copy(out, m.offer.capacity)
	}
	if m.claim != nil {
		maps.Copy(out, nonZero(m.claim.Status.Capacity))
	}
	if m.node != nil {
		maps.Copy(out, nonZero(m.node.Status.Capacity))
	}
	return out
}

func nonZero(list corev1.ResourceList) resources {
	out := resourcesOf(list)
	maps.DeleteFunc(out, func(_ corev1.ResourceName, n int64) bool { return n == 0 })
	return out
}

// room is what the machine has for pods and daemons. A machine on its way is
// taken to have what its instance type has.
func (c *cluster) room(m *machine) resources {
	out := c.allocatableOf(m)
	if _, ok := out[corev1.ResourcePods]; !ok {
		out[corev1.ResourcePods] = defaultPods
	}
	return out
}

func (c *cluster) allocatableOf(m *machine) resources {
	switch {
	case m.launch == nil && !m.onItsWay:
		return resourcesOf(m.node.Status.Allocatable)
	case m.offer != nil:
		return maps.Clone(c.allocatable(m.offer))
	}
	out := resources{}
	if m.claim != nil {
		maps.Copy(out, nonZero(m.claim.Status.Allocatable))
	}
	if m.node != nil {
		maps.Copy(out, nonZero(m.node.Status.Allocatable))
	}
	return out
}

// worker says whether the node runs workloads rather than the control plane.
func (m *machine) worker() bool {
	for _, role := range []string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"} {
		if _, ok := m.view.Labels[role]; ok {
			return false
		}
	}
	return true
}

func (m *machine) cordoned() bool { return m.node != nil && m.node.Spec.Unschedulable }

// notReady says whether the node's Ready condition is False or Unknown.
func (m *machine) notReady() bool {
	c := m.readyCondition()
	return c != nil && c.Status != corev1.ConditionTrue
}

func (m *machine) readyCondition() *corev1.NodeCondition {
	if m.node == nil {
		return nil
	}
	for i := range m.node.Status.Conditions {
		if c := &m.node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c
		}
	}
	return nil
}

func (m *machine) deleting() bool {
	return m.node != nil && m.node.DeletionTimestamp != nil || m.claim != nil && m.claim.DeletionTimestamp != nil
}
