package snapshot

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// sortPending tells the pods without a node apart: those to be placed, those
// promised a node, those that cannot be planned, and those left alone.
func (c *Compiled) sortPending() {
	left := tally{}
	for _, p := range c.cluster.pods {
		if p.Spec.NodeName != "" || terminal(p) || p.DeletionTimestamp != nil || mirror(p) {
			continue
		}
		daemon := podutils.IsOwnedByDaemonSet(p) // its controller's to place
		why, promised := c.leftAlone(p), c.promised(p)
		switch {
		case daemon && (why != "" || promised == nil):
		case daemon:
			c.nominatedDaemons = append(c.nominatedDaemons, nomination{p, promised})
		case why != "":
			left.add(why, podKey(p))
		case promised != nil:
			c.nominated = append(c.nominated, nomination{p, promised})
		default:
			c.wait(p)
		}
	}
	left.report(c, "pod")
}

// promised is the machine that the scheduler has promised the pod, or nil.
func (c *Compiled) promised(p *corev1.Pod) *machine {
	if p.Status.NominatedNodeName == "" {
		return nil
	}
	return c.machineByName[p.Status.NominatedNodeName]
}

// wait puts the pod among those to be placed, if it can be read.
func (c *Compiled) wait(p *corev1.Pod) {
	if fault := podFault(p); fault != "" {
		c.invalid = append(c.invalid, invalidPod{p, v1alpha1.UnplacedInvalidPod, fault})
		return
	}
	c.pending = append(c.pending, &groupPod{pod: p})
}

// leftAlone says why a pod without a node is none of ours, as a warning puts it, or is empty.
func (c *Compiled) leftAlone(p *corev1.Pod) string {
	scheduler := p.Spec.SchedulerName
	if scheduler == "" {
		scheduler = v1alpha1.DefaultScheduler
	}
	if !slices.Contains(c.policy.SchedulerNames, scheduler) {
		return "are left to scheduler " + scheduler
	}
	if len(p.Spec.SchedulingGates) > 0 {
		return "are left alone: behind scheduling gates"
	}
	i := slices.IndexFunc(p.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodScheduled })
	if i < 0 {
		return ""
	}
	if c := &p.Status.Conditions[i]; c.Status != corev1.ConditionFalse || c.Reason != corev1.PodReasonUnschedulable {
		return "are left alone: not reported unschedulable"
	}
	return ""
}

// gatherDemand says which pods take part, now that it is decided which machines
// go and which may. A promise of a machine that goes is worth nothing.
func (c *Compiled) gatherDemand() {
	promised := c.nominated[:0]
	for _, n := range c.nominated {
		if n.on.goes != "" {
			c.wait(n.pod)
		} else {
			promised = append(promised, n)
		}
	}
	c.nominated = promised
	slices.SortFunc(c.pending, comparePods)
	slices.SortFunc(c.invalid, func(a, b invalidPod) int { return cmp.Compare(podKey(a.pod), podKey(b.pod)) })

	for _, m := range c.nodes {
		for _, p := range c.movable(m) {
			switch {
			case m.goes != "":
				c.displaced = append(c.displaced, &groupPod{p, m})
			case m.mayGo():
				c.residents = append(c.residents, &groupPod{p, m})
			}
		}
	}
	slices.SortFunc(c.displaced, comparePods)
	slices.SortFunc(c.residents, comparePods)
	c.gatherResources()
}

// mayGo says whether a plan may take the machine away that need not go.
func (m *machine) mayGo() bool {
	return m.goes == "" && (m.voluntary == "" || m.drifted && m.drift == "")
}

// taking lists the pods that take part.
func (c *Compiled) taking() []*groupPod {
	return slices.Concat(c.pending, c.displaced, c.residents)
}

// gatherResources numbers what is asked for or limited, by name.
func (c *Compiled) gatherResources() {
	names := map[string]bool{}
	for _, p := range c.taking() {
		for name, q := range c.requests(p.pod) {
			if !q.IsZero() {
				names[string(name)] = true
			}
		}
	}
	for _, name := range c.limitedResources() {
		names[name] = true
	}
	c.Problem.Resources = sortedKeys(names)
}
