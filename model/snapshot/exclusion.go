package snapshot

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// exclusion is the first rule that keeps a pod off a shape or machine.
type exclusion struct {
	reason  string // v1alpha1.Unplaced…
	message string
}

func excluded(reason, format string, args ...any) *exclusion {
	return &exclusion{reason, fmt.Sprintf(format, args...)}
}

// shapeExcludes says why a new, empty machine of the shape does not take the
// pod; nil if it does. Availability is not looked at.
func (c *Compiled) shapeExcludes(p *corev1.Pod, s *shape) *exclusion {
	t := c.traitsOf(p)
	if !t.rule.admits(newHostname, s.labels) {
		return excluded(v1alpha1.UnplacedNodeAffinity, "the node selector or required node affinity does not match")
	}
	if taint := t.tolerant.untolerated(s.taints); taint != nil {
		return excluded(v1alpha1.UnplacedTaints, "taint %s is not tolerated", taintText(taint))
	}
	if port := clash(t.ports, s.daemonPorts); port != nil {
		return excluded(v1alpha1.UnplacedHostPort, "host port %s is taken by a DaemonSet", port)
	}
	free := rest(c.vector(s.allocatable), c.vector(s.daemons))
	return c.tooSmall(t.request, free, "a new node has %s")
}

// machineExcludes says why the machine as it stays does not take the pod, which
// comes from another machine (nil: pending); nil if it does.
func (c *Compiled) machineExcludes(p *corev1.Pod, m, from *machine) *exclusion {
	t := c.traitsOf(p)
	if !t.rule.admits(m.name, m.labels) {
		return excluded(v1alpha1.UnplacedNodeAffinity, "the node selector or required node affinity does not match")
	}
	who, why := c.welcomes(m)
	if who == nobody || who == inNeed && from != nil && from.goes == "" {
		return excluded(v1alpha1.UnplacedTaints, "%s", why)
	}
	if taint := t.tolerant.untolerated(m.taints); taint != nil {
		return excluded(v1alpha1.UnplacedTaints, "taint %s is not tolerated", taintText(taint))
	}
	on := &c.presences[m.index]
	if port := clash(t.ports, on.ports); port != nil {
		return excluded(v1alpha1.UnplacedHostPort, "host port %s is taken", port)
	}
	if c.separated(t, m) {
		return excluded(v1alpha1.UnplacedPodAntiAffinity, "a pod on it and this one keep apart")
	}
	return c.tooSmall(t.request, on.free, "%s is left")
}

// tooSmall names the first resource of which there is not enough, and says in
// the given words what there is; nil if all fits.
func (c *Compiled) tooSmall(request, free model.Quantities, there string) *exclusion {
	for i, name := range c.Problem.Resources {
		if resource := corev1.ResourceName(name); request[i] > free[i] {
			return excluded(v1alpha1.UnplacedNoInstanceTypeFits, "needs %s %s, "+there,
				name, amount(resource, request[i]), amount(resource, free[i]))
		}
	}
	return nil
}
