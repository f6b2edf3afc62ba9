package verify

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

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
// taken as it is, unless its label names a pool: then it has to say so too.
func (c *cluster) initialized(n *corev1.Node, claim *karpv1.NodeClaim) bool {
	switch {
	case n == nil:
		return false
	case n.Labels[karpv1.NodeInitializedLabelKey] == "true":
		return true
	case claim != nil:
		return claimIs(claim, karpv1.ConditionTypeInitialized)
	default:
		return c.pool[n.Labels[karpv1.NodePoolLabelKey]] == nil
	}
}

// registered says whether the node of the machine has been given what its claim states.
func (m *machine) registered() bool {
	return m.node != nil && m.node.Labels[karpv1.NodeRegisteredLabelKey] == "true" ||
		m.claim != nil && claimIs(m.claim, karpv1.ConditionTypeRegistered)
}

// classLabels is the label by which nodes name their node class.
func classLabels(ref *karpv1.NodeClassReference) map[string]string {
	if ref == nil || ref.Kind == "" {
		return nil
	}
	return map[string]string{karpv1.NodeClassLabelKey(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}): ref.Name}
}

func claimIs(claim *karpv1.NodeClaim, condition string) bool {
	for i := range claim.Status.Conditions {
		if c := &claim.Status.Conditions[i]; c.Type == condition {
			return c.IsTrue()
		}
	}
	return false
}
