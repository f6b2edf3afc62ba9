package verify

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// pod is a pod that has not ended.
type pod struct {
	*corev1.Pod
	key string // namespace/name, as plans name it
	// on is the machine it is bound to; nil if there is none, or none that is known.
	on *machine
	// nominee is the machine that the scheduler has promised to it, pending as it is.
	nominee  *machine
	priority int32

	// Computed when asked for:
	held, wanted resources
	affinity     *nodeaffinity.RequiredNodeAffinity
	apart        []podTerm
	apartRead    bool
}

func podKey(p *corev1.Pod) string { return p.Namespace + "/" + p.Name }

func ended(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

func (p *pod) deleting() bool { return p.DeletionTimestamp != nil }

// pending says whether the scheduler waits for a node for it: it is not bound, gated, or another scheduler's.
func (c *cluster) pending(p *pod) bool {
	if p.Spec.NodeName != "" || p.deleting() || len(p.Spec.SchedulingGates) > 0 {
		return false
	}
	scheduler := p.Spec.SchedulerName
	if scheduler == "" {
		scheduler = corev1.DefaultSchedulerName
	}
	if !slices.Contains(c.policy.SchedulerNames, scheduler) {
		return false
	}
	for _, cond := range p.Status.Conditions {
		if cond.Type == corev1.PodScheduled {
			return cond.Status == corev1.ConditionFalse && cond.Reason == corev1.PodReasonUnschedulable
		}
	}
	return true
}

// The owners that matter. Other API groups have kinds of the same names.
var (
	ownerDaemonSet   = metav1.OwnerReference{APIVersion: "apps/v1", Kind: "DaemonSet"}
	ownerStatefulSet = metav1.OwnerReference{APIVersion: "apps/v1", Kind: "StatefulSet"}
	ownerJob         = metav1.OwnerReference{APIVersion: "batch/v1", Kind: "Job"}
	ownerNode        = metav1.OwnerReference{APIVersion: "v1", Kind: "Node"}
)

// ownedBy says whether the pod has an owner of the kind.
func (p *pod) ownedBy(kind metav1.OwnerReference) bool {
	return slices.ContainsFunc(p.OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.APIVersion == kind.APIVersion && o.Kind == kind.Kind
	})
}

// stationary says whether the pod belongs to its node, as a DaemonSet's and a mirror pod do.
func (p *pod) stationary() bool {
	return p.Annotations[corev1.MirrorPodAnnotationKey] != "" || p.ownedBy(ownerDaemonSet) || p.ownedBy(ownerNode)
}

// bare says whether nothing would bring the pod back.
func (p *pod) bare() bool { return len(p.OwnerReferences) == 0 }

// movable says whether the pod needs another place when its node goes. A
// StatefulSet's pod comes back even while it is being deleted.
func (p *pod) movable() bool {
	return !p.stationary() && (!p.deleting() || p.ownedBy(ownerStatefulSet))
}

// movable lists the pods of m that need another place when it goes.
func (m *machine) movable() []*pod {
	var out []*pod
	for _, p := range m.pods {
		if p.movable() {
			out = append(out, p)
		}
	}
	return out
}

func (p *pod) ready() bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// selects says whether the pod's node selector and required node affinity match the node.
func (p *pod) selects(n *corev1.Node) bool {
	if p.affinity == nil {
		a := nodeaffinity.GetRequiredNodeAffinity(p.Pod)
		p.affinity = &a
	}
	ok, err := p.affinity.Match(n)
	return ok && err == nil
}

// priorityOf is the pod's priority, or that of its class where admission has not yet filled it in.
func (c *cluster) priorityOf(p *corev1.Pod) int32 {
	if p.Spec.Priority != nil {
		return *p.Spec.Priority
	}
	switch name := p.Spec.PriorityClassName; name {
	case "":
		return c.globalPriority
	case "system-cluster-critical":
		return 2_000_000_000
	case "system-node-critical":
		return 2_000_001_000
	default:
		return c.priorities[name]
	}
}
