package verify

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// unplacedReasons are the words that a plan may give.
var unplacedReasons = []string{
	v1alpha1.UnplacedNoInstanceTypeFits, v1alpha1.UnplacedNoOfferingAvailable, v1alpha1.UnplacedPoolLimit,
	v1alpha1.UnplacedClusterLimit, v1alpha1.UnplacedNodeLimit, v1alpha1.UnplacedMoneyLimit,
	v1alpha1.UnplacedTopologySpread, v1alpha1.UnplacedPodAffinity, v1alpha1.UnplacedPodAntiAffinity,
	v1alpha1.UnplacedNodeAffinity, v1alpha1.UnplacedTaints, v1alpha1.UnplacedVolumeZone,
	v1alpha1.UnplacedVolumeMissing, v1alpha1.UnplacedVolumeLimit, v1alpha1.UnplacedHostPort,
	v1alpha1.UnplacedDeviceClaim, v1alpha1.UnplacedMinValues, v1alpha1.UnplacedReservationFull,
	v1alpha1.UnplacedInvalidPod, v1alpha1.UnplacedTimeLimit,
}

// mayWait says whether the pod may be left waiting: it is pending and has no
// place promised, or its node goes whatever the plan decides.
func (c *check) mayWait(p *pod) bool {
	if c.pending(p) {
		return !c.settled(p)
	}
	r := c.gone[p.on]
	return r != nil && r.forced() && p.movable()
}

// checkUnplaced asks that only pods that need a place are left waiting, once,
// for a known reason, and that they are counted right.
func checkUnplaced(c *check) {
	seen := map[string]bool{}
	for _, u := range c.plan.Unplaced {
		if !slices.Contains(unplacedReasons, u.Reason) {
			c.report(RuleUnplaced, "plan", "%q is no reason to leave a pod waiting", u.Reason)
		}
		for _, key := range u.Pods {
			p := c.pod[key]
			switch {
			case p == nil || !c.mayWait(p):
				c.report(RuleUnplaced, "pod "+key, "is left waiting, and does not need a place")
			case c.placed[p] != nil || c.moved[p] != nil:
				c.report(RuleUnplaced, p.object(), "is left waiting, and has a destination")
			case seen[key]:
				c.report(RuleUnplaced, p.object(), "is left waiting twice")
			}
			seen[key] = true
		}
	}
	c.checkUnplacedCount()
}

func (c *check) checkUnplacedCount() {
	counts := map[string]int{}
	for p := range c.left {
		counts[strconv.Itoa(int(p.priority))]++
	}
	stated := maps.Clone(c.plan.Placement.UnplacedByPriority)
	maps.DeleteFunc(stated, func(_ string, n int) bool { return n == 0 })
	if !maps.Equal(stated, counts) {
		c.report(RuleUnplaced, "plan", "placement.unplacedByPriority is %v, want %v", stated, counts)
	}
}
