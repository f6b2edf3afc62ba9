package snapshot

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"

	"github.com/mortise-io/mortise/model"
)

// lastPodEvent is when the machine last gained or lost a pod; zero if that is
// not known. A claim remembers it; of other nodes the pods that are there tell
// when they started, or began to go.
func (m *machine) lastPodEvent() time.Time {
	if m.claim != nil && !m.claim.Status.LastPodEventTime.IsZero() {
		return m.claim.Status.LastPodEventTime.Time
	}
	var last time.Time
	note := func(t time.Time) {
		if t.After(last) {
			last = t
		}
	}
	for _, p := range m.pods {
		if podutils.IsOwnedByDaemonSet(p) || mirror(p) {
			continue
		}
		if p.Status.StartTime != nil {
			note(p.Status.StartTime.Time)
		}
		if p.DeletionTimestamp != nil {
			note(deletedAt(p))
		}
	}
	return last
}

// deletedAt is when the pod was asked to go: its deletion timestamp is when it must be gone.
func deletedAt(p *corev1.Pod) time.Time {
	grace := time.Duration(ptr.Deref(p.DeletionGracePeriodSeconds, 0)) * time.Second
	return p.DeletionTimestamp.Add(-grace)
}

// quiet says whether the machine gained or lost a pod within the policy's quiet period.
func (c *Compiled) quiet(m *machine) bool {
	last := m.lastPodEvent()
	return !last.IsZero() && c.cluster.now.Sub(last) < c.policy.QuietPeriod.Duration
}

func (r *restraints) quiet(m *machine, _ model.Removal) string {
	if !r.c.quiet(m) {
		return ""
	}
	return fmt.Sprintf("%s gained or lost a pod at %s, and the policy's quiet period is %s",
		m, m.lastPodEvent().UTC().Format(time.RFC3339), r.c.policy.QuietPeriod.Duration)
}

// notConsolidatable: the pool's own policy keeps the node.
func (r *restraints) notConsolidatable(m *machine, _ model.Removal) string {
	name, spec := m.pool.object.Name, &m.pool.object.Spec
	after := spec.Disruption.ConsolidateAfter.Duration
	switch {
	case spec.Replicas != nil:
		return fmt.Sprintf("NodePool %s is static", name)
	case after == nil:
		return fmt.Sprintf("NodePool %s has consolidateAfter Never", name)
	case spec.Disruption.ConsolidationPolicy == karpv1.ConsolidationPolicyWhenEmpty:
		if pods := r.c.movable(m); len(pods) > 0 {
			return fmt.Sprintf("NodePool %s consolidates only empty nodes, and pod %s is here", name, podKey(pods[0]))
		}
	}
	if m.claim != nil && m.claimIs(karpv1.ConditionTypeConsolidatable) || m.claim == nil && r.c.settled(m, *after) {
		return ""
	}
	return fmt.Sprintf("%s is not consolidatable yet: NodePool %s has consolidateAfter %s", m, name, after)
}

// settled says whether so long has passed since the last pod event of a node
// without a claim, or since its creation if there was none.
func (c *Compiled) settled(m *machine, after time.Duration) bool {
	since := m.lastPodEvent()
	if since.IsZero() {
		since = m.created()
	}
	return c.cluster.now.Sub(since) >= after
}
