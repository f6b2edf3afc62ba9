package snapshot

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// ImpliedPool is the NodePool that a snapshot without one is planned with:
// Linux, the given architectures (amd64 if none), on demand, spot too if asked;
// no limit, no taint, otherwise Karpenter's defaults. All priced worker nodes belong to it.
func ImpliedPool(arch []string, spot bool) *karpv1.NodePool {
	if len(arch) == 0 {
		arch = []string{karpv1.ArchitectureAmd64}
	}
	capacityTypes := []string{karpv1.CapacityTypeOnDemand}
	if spot {
		capacityTypes = append(capacityTypes, karpv1.CapacityTypeSpot)
	}
	p := &karpv1.NodePool{}
	p.APIVersion, p.Kind = "karpenter.sh/v1", "NodePool"
	p.Name = "default"
	p.Annotations = map[string]string{v1alpha1.AnnotationImplied: "true"}
	p.Spec.Template.Spec.Requirements = []karpv1.NodeSelectorRequirementWithMinValues{
		{Key: corev1.LabelOSStable, Operator: corev1.NodeSelectorOpIn, Values: []string{string(corev1.Linux)}},
		{Key: corev1.LabelArchStable, Operator: corev1.NodeSelectorOpIn, Values: arch},
		{Key: karpv1.CapacityTypeLabelKey, Operator: corev1.NodeSelectorOpIn, Values: capacityTypes},
	}
	p.Spec.Template.Spec.ExpireAfter = karpv1.MustParseNillableDuration(karpv1.Never)
	p.Spec.Disruption = karpv1.Disruption{
		ConsolidateAfter:    karpv1.MustParseNillableDuration("0s"),
		ConsolidationPolicy: karpv1.ConsolidationPolicyWhenEmptyOrUnderutilized,
		Budgets:             []karpv1.Budget{{Nodes: "10%"}},
	}
	return p
}

// gatherPools lists the node pools by name, and says of each what it may launch.
func (c *Compiled) gatherPools() {
	objects := c.cluster.nodePools
	if len(objects) == 0 {
		objects = []*karpv1.NodePool{ImpliedPool(nil, false)}
	}
	for i, o := range objects {
		p := &pool{object: o, index: model.PoolIndex(i), implied: o.Annotations[v1alpha1.AnnotationImplied] == "true"}
		p.closed = c.closed(o)
		if p.closed == "" {
			p.requirements = scheduling.NewRequirements(poolRequirements(o)...)
		}
		c.pools = append(c.pools, p)
	}
}

// closed says why nothing is launched from the pool, or is empty.
func (c *Compiled) closed(p *karpv1.NodePool) string {
	if unreadable(p) {
		return "it could not be read"
	}
	if p.DeletionTimestamp != nil {
		return "it is being deleted"
	}
	if p.Spec.Replicas != nil {
		c.warn("node pool %s is static: its nodes are used, and none is launched", p.Name)
		return "it is static"
	}
	for _, condition := range p.Status.Conditions {
		if condition.Type == "Ready" && condition.Status == "False" {
			c.warn("node pool %s is not ready, so nothing is launched from it: %s", p.Name, condition.Reason)
			return "it is not ready"
		}
	}
	if fault := poolFault(p); fault != "" {
		c.warn("node pool %s is invalid, so nothing is launched from it: %s", p.Name, fault)
		return fault
	}
	return ""
}

// poolFault names the first field of the pool that makes it unusable for
// launches, or is empty.
func poolFault(p *karpv1.NodePool) string {
	if f := checkTemplate("spec.template", p); f != nil {
		return f.Error()
	}
	for i, r := range p.Spec.Template.Spec.Requirements {
		if reserved(r.Key) {
			return fmt.Sprintf("spec.template.spec.requirements[%d].key: %s is reserved", i, r.Key)
		}
	}
	for _, key := range sortedKeys(p.Spec.Template.Labels) {
		if reserved(key) {
			return fmt.Sprintf("spec.template.metadata.labels: %s is reserved", key)
		}
	}
	if text, ok := p.Annotations[v1alpha1.AnnotationPriceLimit]; ok {
		if _, err := priceLimit(text); err != nil {
			return fmt.Sprintf("metadata.annotations[%s]: %v", v1alpha1.AnnotationPriceLimit, err)
		}
	}
	if key := fields.Contradiction(poolRequirements(p)); key != "" {
		return fmt.Sprintf("spec.template: no value of label %s meets all that is asked of it", key)
	}
	return ""
}

// reserved says whether a pool may not ask for the label, because Karpenter sets it.
func reserved(key string) bool {
	switch key {
	case karpv1.NodePoolLabelKey, corev1.LabelHostname, karpv1.NodeRegisteredLabelKey, karpv1.NodeInitializedLabelKey:
		return true
	}
	return false
}

// poolRequirements lists what the pool asks of its nodes' labels.
func poolRequirements(p *karpv1.NodePool) []*scheduling.Requirement {
	var out []*scheduling.Requirement
	for _, r := range p.Spec.Template.Spec.Requirements {
		out = append(out, scheduling.NewRequirementWithFlexibility(r.Key, r.Operator, r.MinValues, r.Values...))
	}
	is := func(key, value string) {
		out = append(out, scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, value))
	}
	for _, key := range sortedKeys(p.Spec.Template.Labels) {
		is(key, p.Spec.Template.Labels[key])
	}
	is(karpv1.NodePoolLabelKey, p.Name)
	if ref := p.Spec.Template.Spec.NodeClassRef; ref != nil && ref.Kind != "" {
		is(nodeClassLabel(ref), ref.Name)
	}
	return out
}

// nodeClassLabel is the key under which a node names its node class.
func nodeClassLabel(ref *karpv1.NodeClassReference) string {
	return karpv1.NodeClassLabelKey(schema.GroupKind{Group: ref.Group, Kind: ref.Kind})
}

// nodeClass is the name of the pool's node class; empty if it has none.
func (p *pool) nodeClass() string {
	if ref := p.object.Spec.Template.Spec.NodeClassRef; ref != nil {
		return ref.Name
	}
	return ""
}

// modelPools writes the pools down. Machines have their model values by then.
func (c *Compiled) modelPools(relax map[string]bool) []model.Pool {
	out := make([]model.Pool, len(c.pools))
	for i, p := range c.pools {
		out[i] = model.Pool{
			Name:     p.object.Name,
			Weight:   int(ptr.Deref(p.object.Spec.Weight, 0)),
			Budget:   c.budget(p, relax),
			Balanced: p.object.Spec.Disruption.ConsolidationPolicy.IsBalanced() && p.object.Spec.Replicas == nil,
		}
	}
	for _, m := range c.nodes {
		if m.pool != nil && m.initialized {
			out[m.pool.index].Disruption += c.disruption(m)
			out[m.pool.index].Cost += m.price
		}
	}
	return out
}
