package verify

import corev1 "k8s.io/api/core/v1"

// free is what the machine has for pods that arrive: its allocatable less its
// pods, what is promised, and the daemons still to come.
//
// A pod being deleted holds its room, except for pods nominated there.
func (c *cluster) free(m *machine) resources {
	if m.free != nil {
		return m.free
	}
	free := c.room(m)
	free.subtract(c.daemonRequests(m))
	going, coming := resources{}, resources{}
	for _, p := range m.pods {
		if p.deleting() {
			going.add(c.requests(p))
		} else {
			free.subtract(c.requests(p))
		}
	}
	for _, p := range m.nominated {
		coming.add(c.arriving(p))
	}
	free.subtract(larger(going, coming))
	m.free = free
	return free
}

// lacking is the first resource of which these pods need more than is free,
// and how much they need; like the scheduler, it asks only for what is requested.
func (c *cluster) lacking(free resources, pods []*pod) (name corev1.ResourceName, need int64, lacks bool) {
	sum := resources{}
	for _, p := range pods {
		sum.add(c.arriving(p))
	}
	for _, name := range sum.names() {
		if sum[name] > 0 && sum[name] > free[name] {
			return name, sum[name], true
		}
	}
	return "", 0, false
}

// checkResources asks that what arrives at a machine fits beside what is there.
func checkResources(c *check) {
	for _, m := range c.receivers() {
		free := c.free(m)
		if name, need, lacks := c.lacking(free, c.arrivingAt(m)); lacks {
			c.report(RuleResources, m.object(), "arriving pods need %s of %s, %s is free",
				show(name, need), name, show(name, free[name]))
		}
	}
}
