package verify

import (
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// lastingTaints are the taints that the scheduler will see: of a node on its
// way, if it has a pool or a claim, without those that go before it is initialized.
func (m *machine) lastingTaints() []v1.Taint {
	var all []v1.Taint
	if m.node != nil {
		all = m.node.Spec.Taints
	}
	if !m.onItsWay || m.pool == nil && m.claim == nil {
		return all
	}
	var startup []v1.Taint
	if m.pool != nil {
		startup = m.pool.Spec.Template.Spec.StartupTaints
	}
	if m.claim != nil {
		startup = m.claim.Spec.StartupTaints
		if m.node == nil || !m.registered() {
			all = append(slices.Clone(all), m.claim.Spec.Taints...)
		}
	}
	var out []v1.Taint
	for _, t := range all {
		if ephemeral(t) || slices.ContainsFunc(startup, func(s v1.Taint) bool { return s.MatchTaint(&t) }) {
			continue
		}
		out = append(out, t)
	}
	return out
}

// ephemeral says whether the taint stands only until its node is up.
func ephemeral(t v1.Taint) bool {
	switch t.Key {
	case v1.TaintNodeNotReady, v1.TaintNodeUnreachable, "node.cloudprovider.kubernetes.io/uninitialized", karpv1.UnregisteredTaintKey:
		return true
	}
	return strings.HasPrefix(t.Key, "readiness.k8s.io/")
}

// untolerated is the first taint that keeps a pod with these tolerations from being scheduled.
func untolerated(taints []v1.Taint, tolerations []v1.Toleration) (v1.Taint, bool) {
	hard := func(t *v1.Taint) bool { return t.Effect != v1.TaintEffectPreferNoSchedule }
	return corev1.FindMatchingUntoleratedTaint(klog.Logger{}, taints, tolerations, hard, true)
}

// checkTaints asks that pods tolerate the taints of the machine they arrive at.
func checkTaints(c *check) {
	for _, m := range c.receivers() {
		for _, a := range c.arrivals[m] {
			if t, bad := untolerated(m.taints, a.pod.Spec.Tolerations); bad {
				c.report(RuleTaints, a.pod.object(), "does not tolerate %s of %s", t.ToString(), m.object())
			}
		}
	}
}
