package snapshot

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// planLaunches describes the machines to buy, in the order of their ids.
func (d *deal) planLaunches() []v1alpha1.Launch {
	out := make([]v1alpha1.Launch, 0, len(d.launches))
	search := newAlternatives(d.c, d.s)
	for _, l := range d.launches {
		sh := &d.c.shapes[l.shape]
		out = append(out, v1alpha1.Launch{
			ID:           l.id,
			NodePool:     d.c.poolName(sh.pool),
			InstanceType: sh.instanceType.Name,
			Zone:         sh.offering.Zone,
			CapacityType: sh.offering.CapacityType,
			Reservation:  reservationOf(sh.offering),
			Labels:       claimLabels(sh),
			Taints:       append([]corev1.Taint{}, sh.taints...),
			PricePerHour: sh.price.USD(),
			Allocatable:  sh.allocatable.DeepCopy(),
			Requests:     d.launchRequests(l),
			Reason:       d.launchReason(l),
			Pods:         podKeys(l.pods),
			Alternatives: search.of(l),
		})
	}
	return out
}

// launchReason says what a launch is for. What has to be comes before what is
// wished for: it is Pending if it carries any pending pod, else Replacement if
// any pod of a node that goes anyway, else Drift if any of a drifted node, and
// Consolidation if all its pods are of nodes that are removed to save money.
func (d *deal) launchReason(l *launch) string {
	reasons := []string{v1alpha1.LaunchPending, v1alpha1.LaunchReplacement, v1alpha1.LaunchDrift, v1alpha1.LaunchConsolidation}
	first := len(reasons) - 1
	for _, p := range l.pods {
		first = min(first, slices.Index(reasons, d.podReason(p)))
	}
	return reasons[first]
}

// podReason is the reason of a launch that carries only this pod.
func (d *deal) podReason(p *groupPod) string {
	switch {
	case p.on == nil:
		return v1alpha1.LaunchPending
	case d.urgency(p) == urgentDisplaced:
		return v1alpha1.LaunchReplacement
	case d.removalReason(p.on) == v1alpha1.RemovalDrifted:
		return v1alpha1.LaunchDrift
	default:
		return v1alpha1.LaunchConsolidation
	}
}

// launchRequests sums up what the launch's pods and daemons ask for.
func (d *deal) launchRequests(l *launch) corev1.ResourceList {
	sum := plus(nil, d.c.shapes[l.shape].daemons)
	for _, p := range l.pods {
		plus(sum, d.c.requests(p.pod))
	}
	return sum
}

// claimLabels are those that a claim has to state so that its node is the one
// that was planned: what tells the offering, what the pool sets or requires,
// and what a pod may ask for. The hostname is the node's own.
func claimLabels(sh *shape) map[string]string {
	labels := map[string]string{}
	state := func(key string) {
		if value, ok := sh.labels[key]; ok && key != corev1.LabelHostname {
			labels[key] = value
		}
	}
	for _, key := range offeringLabels {
		state(key)
	}
	for _, r := range sh.offering.Requirements {
		state(r.Key)
	}
	if sh.pool.object != nil {
		for key := range sh.pool.object.Spec.Template.Labels {
			state(key)
		}
		for _, r := range sh.pool.object.Spec.Template.Spec.Requirements {
			state(r.Key)
		}
	}
	for key, value := range sh.pinned {
		labels[key] = value
	}
	return labels
}

// offeringLabels tell one offering of a pool from another.
var offeringLabels = []string{
	karpv1.NodePoolLabelKey, karpv1.CapacityTypeLabelKey,
	corev1.LabelInstanceTypeStable, corev1.LabelTopologyZone, corev1.LabelArchStable, corev1.LabelOSStable,
}

// podKeys names pods in order; never nil.
func podKeys(pods []*groupPod) []string {
	out := make([]string, 0, len(pods))
	for _, p := range pods {
		out = append(out, p.key())
	}
	return out
}
