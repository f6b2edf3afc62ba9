package scenarios_test

import (
	"time"

	"github.com/awslabs/operatorpkg/status"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// machine is the node's Node, its NodeClaim, or both.
func (c *cluster) machine(n *node) []runtime.Object {
	var out []runtime.Object
	if !n.ClaimOnly {
		out = append(out, c.node(n))
	}
	if c.pool(n) != nil && !n.Foreign && !n.Claimless {
		out = append(out, c.nodeClaim(n))
	}
	return out
}

func (c *cluster) node(n *node) *corev1.Node {
	size := c.allocatable(n)
	out := &corev1.Node{
		TypeMeta:   typeMeta(corev1.SchemeGroupVersion, "Node"),
		ObjectMeta: c.meta(n.Name, "", n.Age.Duration),
		Spec:       corev1.NodeSpec{ProviderID: n.providerID(), Unschedulable: n.Cordoned, Taints: c.nodeTaints(n)},
		Status: corev1.NodeStatus{Capacity: size, Allocatable: size, Conditions: []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: c.ago(n.Age.Duration - time.Minute),
		}}},
	}
	out.Labels, out.Annotations = c.labels(n), n.Annotations
	if n.NotReady {
		out.Status.Conditions[0].Status = corev1.ConditionUnknown
		out.Status.Conditions[0].LastTransitionTime = c.ago(time.Minute)
	}
	if n.Deleting {
		c.deleting(&out.ObjectMeta)
	}
	return out
}

func (c *cluster) nodeTaints(n *node) []corev1.Taint {
	var out []corev1.Taint
	if p := c.pool(n); p != nil && !n.Foreign {
		out = plainTaints(p.Taints)
	}
	if n.Joining {
		out = append(out, plainTaints(n.StartupTaints)...)
	}
	if n.Deleting {
		out = append(out, corev1.Taint{Key: karpv1.DisruptedTaintKey, Effect: corev1.TaintEffectNoSchedule})
	}
	if n.Cordoned {
		out = append(out, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	}
	if n.NotReady {
		out = append(out, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule})
	}
	return out
}

func (c *cluster) nodeClaim(n *node) *karpv1.NodeClaim {
	p, size := c.pool(n), c.allocatable(n)
	out := &karpv1.NodeClaim{TypeMeta: typeMeta(karpenter, "NodeClaim"), ObjectMeta: c.meta(n.Pool+"-"+n.Name, "", n.Age.Duration)}
	out.Labels, out.Annotations = c.labels(n), n.Annotations
	delete(out.Labels, corev1.LabelHostname)
	delete(out.Labels, karpv1.NodeRegisteredLabelKey)
	delete(out.Labels, karpv1.NodeInitializedLabelKey)

	out.Spec.NodeClassRef = &karpv1.NodeClassReference{Group: "karpenter.kwok.sh", Kind: "KWOKNodeClass", Name: "default"}
	out.Spec.Taints, out.Spec.StartupTaints = plainTaints(p.Taints), plainTaints(n.StartupTaints)
	out.Spec.TerminationGracePeriod = n.EndOfLife
	out.Spec.ExpireAfter = karpv1.MustParseNillableDuration("Never")
	if n.Expired {
		out.Spec.ExpireAfter = karpv1.MustParseNillableDuration("1h")
	}
	for _, k := range []string{karpv1.NodePoolLabelKey, corev1.LabelInstanceTypeStable, corev1.LabelTopologyZone, karpv1.CapacityTypeLabelKey} {
		out.Spec.Requirements = append(out.Spec.Requirements, karpv1.NodeSelectorRequirementWithMinValues{
			Key: k, Operator: corev1.NodeSelectorOpIn, Values: []string{out.Labels[k]},
		})
	}

	out.Status.ProviderID = n.providerID()
	out.Status.Capacity, out.Status.Allocatable = size, size
	if !n.ClaimOnly {
		out.Status.NodeName = n.Name
	}
	if n.LastPodEvent != nil {
		out.Status.LastPodEventTime = c.ago(n.LastPodEvent.Duration)
	}
	c.setConditions(out, n)
	if n.Deleting {
		c.deleting(&out.ObjectMeta)
	}
	return out
}

func (c *cluster) setConditions(claim *karpv1.NodeClaim, n *node) {
	up := !n.Joining && !n.ClaimOnly
	set := func(name string, holds bool, since time.Duration) {
		value := metav1.ConditionTrue
		if !holds {
			value = metav1.ConditionUnknown
		}
		claim.Status.Conditions = append(claim.Status.Conditions, status.Condition{
			Type: name, Status: value, Reason: name, LastTransitionTime: c.ago(since),
		})
	}
	set(karpv1.ConditionTypeLaunched, true, n.Age.Duration)
	set(karpv1.ConditionTypeRegistered, !n.ClaimOnly, n.Age.Duration)
	set(karpv1.ConditionTypeInitialized, up, n.Age.Duration)
	if up && !n.NotConsolidatable {
		set(karpv1.ConditionTypeConsolidatable, true, n.Age.Duration)
	}
	if n.Drifted != nil {
		set(karpv1.ConditionTypeDrifted, true, n.Drifted.Duration)
	}
}

func (c *cluster) deleting(m *metav1.ObjectMeta) {
	m.DeletionTimestamp = ptr.To(c.ago(20 * time.Second))
	m.Finalizers = []string{karpv1.TerminationFinalizer}
}

func (n *node) providerID() string {
	return "kwok://" + n.Zone + "/" + n.Name
}
