package verify

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// impliedPool is the name of the pool where a snapshot has none.
const impliedPool = "default"

// pool is a NodePool.
type pool struct {
	*karpv1.NodePool
	requirements []requirement // of its template, its labels and node class included
	// implied: every priced worker node belongs to it.
	implied bool
	// machines that belong to it.
	machines []*machine
}

func (p *pool) object() string { return "pool " + p.Name }

// addPools reads the NodePools, or implies one where there is none: Linux on
// amd64, on demand, with Karpenter's defaults.
func (c *cluster) addPools(list []*karpv1.NodePool) {
	implied := len(list) == 0
	if implied {
		list = []*karpv1.NodePool{newImpliedPool()}
	}
	for _, np := range list {
		if c.pool[np.Name] != nil {
			continue
		}
		p := &pool{
			NodePool:     np,
			requirements: fromPool(np.Spec.Template.Spec.Requirements),
			implied:      implied || np.Name == impliedPool && np.Annotations[v1alpha1.AnnotationImplied] == "true",
		}
		for _, labels := range []map[string]string{np.Spec.Template.Labels, classLabels(np.Spec.Template.Spec.NodeClassRef)} {
			for key, value := range labels {
				p.requirements = append(p.requirements, is(key, value))
			}
		}
		c.pools = append(c.pools, p)
		c.pool[p.Name] = p
	}
}

func newImpliedPool() *karpv1.NodePool {
	np := &karpv1.NodePool{}
	np.Name = impliedPool
	np.Spec.Disruption.ConsolidateAfter = karpv1.MustParseNillableDuration("0s")
	for key, value := range map[string]string{
		corev1.LabelOSStable:        string(corev1.Linux),
		corev1.LabelArchStable:      karpv1.ArchitectureAmd64,
		karpv1.CapacityTypeLabelKey: karpv1.CapacityTypeOnDemand,
	} {
		np.Spec.Template.Spec.Requirements = append(np.Spec.Template.Spec.Requirements,
			karpv1.NodeSelectorRequirementWithMinValues{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}})
	}
	return np
}

// static says whether the pool keeps a fixed number of nodes, whatever the pods ask for.
func (p *pool) static() bool { return p.Spec.Replicas != nil }

// broken says whether the pool's Ready condition is False.
func (p *pool) broken() bool {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == "Ready" && c.IsFalse() {
			return true
		}
	}
	return false
}

// budgets are the pool's disruption budgets, or the one that Karpenter implies.
func (p *pool) budgets() []karpv1.Budget {
	if p.Spec.Disruption.Budgets == nil {
		return []karpv1.Budget{{Nodes: "10%"}}
	}
	return p.Spec.Disruption.Budgets
}

// priceLimit is the most that the pool's nodes may cost together, USD per hour.
func (p *pool) priceLimit() (float64, bool) {
	usd, err := strconv.ParseFloat(p.Annotations[v1alpha1.AnnotationPriceLimit], 64)
	return usd, err == nil
}

// adopter is the pool that m belongs to: the one its labels name, or for a node
// the one that the policy adopts it into, or the implied one; nil if none manages it.
func (c *cluster) adopter(m *machine) *pool {
	if p := c.pool[m.view.Labels[karpv1.NodePoolLabelKey]]; p != nil {
		return p
	}
	if m.node == nil {
		return nil
	}
	for _, rule := range c.policy.Manage {
		if p := c.pool[rule.NodePool]; p != nil && rule.Selector != nil && selectorOf(rule.Selector).Matches(labels.Set(m.view.Labels)) {
			return p
		}
	}
	if p := c.pool[impliedPool]; p != nil && p.implied && m.worker() {
		if c.offerOf(m, p) != nil {
			return p
		}
	}
	return nil
}
