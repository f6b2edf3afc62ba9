package verify

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

var launchReasons = []string{
	v1alpha1.LaunchPending, v1alpha1.LaunchConsolidation, v1alpha1.LaunchDrift,
	v1alpha1.LaunchReplacement, v1alpha1.LaunchBuffer, v1alpha1.LaunchStatic,
}

// checkLaunches asks that each launch has an ID of its own, is for sale, and
// carries the pods it lists, at least one.
func checkLaunches(c *check) {
	seen := map[string]bool{}
	for _, l := range c.plan.Launches {
		if l.ID == "" || seen[l.ID] {
			c.report(RuleLaunch, "launch "+l.ID, "has no ID of its own")
		}
		seen[l.ID] = true
		if !slices.Contains(launchReasons, l.Reason) {
			c.report(RuleLaunch, "launch "+l.ID, "%q is no reason to launch", l.Reason)
		}
	}
	for _, m := range c.launches {
		if why := c.notForSale(m); why != "" {
			c.report(RuleOffering, m.object(), "%s", why)
		}
		c.checkLoad(m)
		if m.offer != nil {
			c.checkLaunchLabels(m)
			c.checkLaunchResources(m)
		}
	}
}

// notForSale says why the launch cannot be bought; empty if it can.
func (c *cluster) notForSale(m *machine) string {
	switch {
	case m.pool == nil:
		return "there is no node pool " + m.launch.NodePool
	case m.offer == nil:
		l := m.launch
		return "the catalog has no offering " + l.InstanceType + ", " + l.Zone + ", " + l.CapacityType
	case !c.available(m.offer.offering):
		return "the offering is not available"
	default:
		return m.offer.refused
	}
}

// checkLoad asks that a launch carries the pods it lists, at least one.
func (c *check) checkLoad(m *machine) {
	listed := slices.Sorted(slices.Values(m.launch.Pods))
	var carried []string
	for _, p := range c.arrivingAt(m) {
		carried = append(carried, p.key)
	}
	slices.Sort(carried)
	if len(carried) == 0 {
		c.report(RuleLaunch, m.object(), "carries no pod")
	}
	if !slices.Equal(listed, carried) {
		c.report(RuleLaunch, m.object(), "lists %d pods that are not the %d that go there", len(listed), len(carried))
	}
}

// checkLaunchLabels asks that the labels that a launch states are those its node will or can have.
func (c *check) checkLaunchLabels(m *machine) {
	for _, key := range slices.Sorted(maps.Keys(m.launch.Labels)) {
		if value := m.launch.Labels[key]; !m.offer.canHave(key, value) {
			c.report(RuleLaunch, m.object(), "its node cannot have label %s=%s", key, value)
		}
	}
}

// checkLaunchResources asks that a launch that states its allocatable, and the
// requests of its pods and daemons, states them right.
func (c *check) checkLaunchResources(m *machine) {
	held := c.daemonRequests(m)
	for _, p := range c.arrivingAt(m) {
		held.add(c.arriving(p))
	}
	for _, figure := range []struct {
		name   string
		stated corev1.ResourceList
		want   resources
	}{
		{"allocatable", m.launch.Allocatable, c.room(m)},
		{"requests", m.launch.Requests, held},
	} {
		for _, name := range slices.Sorted(maps.Keys(figure.stated)) {
			if n := amount(name, figure.stated[name]); n != figure.want[name] {
				c.report(RuleLaunch, m.object(), "%s of %s are %s, want %s", figure.name, name, show(name, n), show(name, figure.want[name]))
			}
		}
	}
}
