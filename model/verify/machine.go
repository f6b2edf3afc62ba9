package verify

import (
	"cmp"
	"maps"
	"slices"

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
	// offer is what its labels name; nil if the catalog does not have it.
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
			name := claimNodeName(claim)
			if c.byName[name] != nil {
				name = "nodeclaim/" + claim.Name
			}
			c.addMachine(&machine{name: name, claim: claim})
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
	m.onItsWay = !c.initialized(m.node, m.claim)
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

// ownLabels are the node's labels, and what the claim states of a node that has
// yet to say it. Where they differ, registration makes the claim's those of the node.
func (m *machine) ownLabels() map[string]string {
	if !m.onItsWay {
		return m.node.Labels
	}
	var weak, strong map[string]string
	if m.node != nil {
		weak = m.node.Labels
	}
	out := map[string]string{}
	if m.claim != nil {
		strong = m.claim.Labels
		for _, r := range m.claim.Spec.Requirements {
			if r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1 {
				out[r.Key] = r.Values[0]
			}
		}
		maps.Copy(out, classLabels(m.claim.Spec.NodeClassRef))
	}
	if m.registered() {
		weak, strong = strong, weak
	}
	maps.Copy(out, weak)
	maps.Copy(out, strong)
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

// controlPlane are the labels and taints of nodes that run it.
var controlPlane = []string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"}

// worker says whether the node runs workloads rather than the control plane.
func (m *machine) worker() bool {
	for _, role := range controlPlane {
		if _, ok := m.view.Labels[role]; ok {
			return false
		}
	}
	return m.node == nil || !slices.ContainsFunc(m.node.Spec.Taints, func(t corev1.Taint) bool { return slices.Contains(controlPlane, t.Key) })
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
