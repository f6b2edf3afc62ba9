package verify

import (
	"time"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// protection forbids the removal of some nodes. It says why it holds this one,
// or nothing.
type protection struct {
	rule string
	// voluntary: it does not hold drifted nodes.
	voluntary bool
	// spares: it does not hold drifted nodes with a termination grace period.
	spares bool
	holds  func(c *check, r *removal) string
}

var protections = []protection{
	{rule: RuleNotManaged, holds: heldUnmanaged},
	{rule: RuleNotInitialized, holds: heldUninitialized},
	{rule: RuleHold, holds: heldByHold},
	{rule: RuleDriftReported, holds: heldByDriftReport},
	{rule: RuleUnmovablePod, spares: true, holds: heldByBarePod},
	{rule: RuleDoNotDisrupt, holds: heldByNodeAnnotation},
	{rule: RuleDoNotDisrupt, spares: true, holds: heldByPodAnnotation},
	{rule: RuleProtectedJob, spares: true, holds: heldByJob},
	{rule: RulePodDisruptionBudget, spares: true, holds: heldByPodBudget},
	{rule: RuleNominated, holds: heldByNomination},
	{rule: RuleConsolidationOff, voluntary: true, holds: heldByPolicy},
	{rule: RuleNotConsolidatable, voluntary: true, holds: heldByPool},
	{rule: RuleUnknownPrice, voluntary: true, holds: heldByUnknownPrice},
	{rule: RuleQuietPeriod, voluntary: true, holds: heldByQuietPeriod},
	{rule: RuleWindow, holds: heldByWindow},
}

// checkProtections asks that no node is removed that something protects.
// Nodes that go anyway are protected by nothing.
func checkProtections(c *check) {
	for _, r := range c.removals {
		if r.forced() {
			continue
		}
		for _, p := range protections {
			if p.voluntary && !r.voluntary() || p.spares && !r.voluntary() && r.machine.graceful() {
				continue
			}
			if why := p.holds(c, r); why != "" {
				c.report(p.rule, r.machine.object(), "removed as %s, though %s", r.reason, why)
			}
		}
	}
}

// graceful says whether the node's drain ends at a set time, whatever its pods are protected by.
func (m *machine) graceful() bool {
	return m.claim != nil && m.claim.Spec.TerminationGracePeriod != nil ||
		m.pool != nil && m.pool.Spec.Template.Spec.TerminationGracePeriod != nil
}

func heldUnmanaged(_ *check, r *removal) string {
	if r.machine.pool == nil {
		return "no node pool manages it"
	}
	return ""
}

func heldUninitialized(_ *check, r *removal) string {
	if r.machine.onItsWay {
		return "it is still on its way"
	}
	return ""
}

func heldByHold(_ *check, r *removal) string {
	m := r.machine
	if m.node != nil && m.node.Annotations[v1alpha1.AnnotationHold] == "true" {
		return "it is on hold"
	}
	if m.pool != nil && m.pool.Annotations[v1alpha1.AnnotationHold] == "true" {
		return "its pool is on hold"
	}
	return ""
}

func heldByDriftReport(c *check, r *removal) string {
	if r.machine.drifted() && c.policy.Drift == v1alpha1.DriftReport {
		return "the policy has drifted nodes reported and left alone"
	}
	return ""
}

func heldByBarePod(c *check, r *removal) string {
	if *c.policy.EvictBarePods {
		return ""
	}
	for _, p := range r.machine.movable() {
		if p.bare() {
			return "nothing would bring back pod " + p.key
		}
	}
	return ""
}

func heldByNodeAnnotation(_ *check, r *removal) string {
	if n := r.machine.node; n != nil && n.Annotations[karpv1.DoNotDisruptAnnotationKey] == "true" {
		return "it is annotated not to be disrupted"
	}
	return ""
}

func heldByPodAnnotation(c *check, r *removal) string {
	for _, p := range r.machine.pods {
		if c.protected(p) {
			return "pod " + p.key + " is annotated not to be disrupted"
		}
	}
	return ""
}

// protected says whether the pod is annotated not to be disrupted, for good or
// for a time that has not passed since it started.
func (c *cluster) protected(p *pod) bool {
	value, ok := p.Annotations[karpv1.DoNotDisruptAnnotationKey]
	if !ok || p.deleting() {
		return false
	}
	if value == "true" {
		return true
	}
	period, err := time.ParseDuration(value)
	if err != nil || period <= 0 {
		return false
	}
	return p.Status.StartTime == nil || c.since(p.Status.StartTime.Time) < period
}

func heldByJob(c *check, r *removal) string {
	if !*c.policy.ProtectJobs {
		return ""
	}
	for _, p := range r.machine.movable() {
		if p.ownedBy(ownerJob) {
			return "the policy protects jobs, and pod " + p.key + " is one's"
		}
	}
	return ""
}

func heldByNomination(_ *check, r *removal) string {
	for _, p := range r.machine.nominated {
		if !p.stationary() { // a daemon's pod goes with its node
			return "pod " + p.key + " is nominated to it"
		}
	}
	return ""
}

func heldByPolicy(c *check, _ *removal) string {
	if !*c.policy.Consolidate {
		return "the policy does not consolidate"
	}
	return ""
}

func heldByPool(_ *check, r *removal) string {
	m := r.machine
	if m.pool == nil {
		return ""
	}
	d := m.pool.Spec.Disruption
	switch {
	case m.pool.static():
		return "its pool keeps a fixed number of nodes"
	case d.ConsolidateAfter.Duration == nil:
		return "its pool never consolidates"
	case m.claim != nil && !claimIs(m.claim, karpv1.ConditionTypeConsolidatable):
		return "its claim is not Consolidatable"
	case d.ConsolidationPolicy == karpv1.ConsolidationPolicyWhenEmpty && r.reason != v1alpha1.RemovalEmpty:
		return "its pool consolidates empty nodes only"
	}
	return ""
}

func heldByUnknownPrice(_ *check, r *removal) string {
	if !r.machine.priced {
		return "its price is not known"
	}
	return ""
}

func heldByQuietPeriod(c *check, r *removal) string {
	if c.quiet(r.machine) {
		return "it gained or lost a pod within the quiet period"
	}
	return ""
}

// quiet says whether the machine is within the policy's quiet period.
func (c *cluster) quiet(m *machine) bool {
	if m.claim == nil || m.claim.Status.LastPodEventTime.IsZero() {
		return false
	}
	return c.since(m.claim.Status.LastPodEventTime.Time) < c.policy.QuietPeriod.Duration
}

func heldByWindow(c *check, r *removal) string {
	if r.machine.pool != nil && !c.windowOpen(r.machine.pool.Name, r.reason) {
		return "no window is open"
	}
	return ""
}
