package snapshot

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// gangLabels mark pods that are to start together or not at all.
var gangLabels = []string{"scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io", "kueue.x-k8s.io/pod-group-name"}

// warnOfTheUnplanned names the rules that pods, pools and the policy ask for and
// the plan does not know yet, and what surprises.
func (c *Compiled) warnOfTheUnplanned() {
	pods := tally{}
	for _, p := range c.taking() {
		for _, sentence := range unplannedOf(p.pod) {
			pods.add(sentence, p.key())
		}
		if c.asksNothing(p.pod) {
			pods.add("have no requests: only the pod slot is counted", p.key())
		}
	}
	pods.report(c, "pod")
	c.warnOfPools()
	c.warnOfKinds()
	c.warnOfWorkloads()
	c.warnOfPolicy()
}

// unplannedOf says which rules the pod asks for that are not yet planned.
func unplannedOf(p *corev1.Pod) []string {
	var out []string
	note := func(is bool, rule string) {
		if is {
			out = append(out, rule)
		}
	}
	note(len(p.Spec.TopologySpreadConstraints) > 0, "ask for topology spread constraints, which are not yet planned")
	if a := p.Spec.Affinity; a != nil {
		if n := a.NodeAffinity; n != nil {
			note(len(n.PreferredDuringSchedulingIgnoredDuringExecution) > 0, "ask for preferred node affinity, which is not yet planned")
		}
		if n := a.PodAffinity; n != nil {
			note(len(n.RequiredDuringSchedulingIgnoredDuringExecution) > 0, "ask for pod affinity, which is not yet planned")
			note(len(n.PreferredDuringSchedulingIgnoredDuringExecution) > 0, "ask for preferred pod affinity, which is not yet planned")
		}
		if n := a.PodAntiAffinity; n != nil {
			note(beyondHosts(n.RequiredDuringSchedulingIgnoredDuringExecution), "ask for pod anti-affinity beyond kubernetes.io/hostname, which is not yet planned")
			note(len(n.PreferredDuringSchedulingIgnoredDuringExecution) > 0, "ask for preferred pod anti-affinity, which is not yet planned")
		}
	}
	note(hasVolumeClaims(p), "have persistent volumes, whose zones and limits are not yet planned")
	note(len(p.Spec.ResourceClaims) > 0, "ask for devices by resource claims, which are not yet planned")
	note(inGang(p), "are scheduled in gangs, which is not yet planned: each is placed on its own")
	return out
}

func beyondHosts(terms []corev1.PodAffinityTerm) bool {
	for _, t := range terms {
		if t.TopologyKey != corev1.LabelHostname {
			return true
		}
	}
	return false
}

func hasVolumeClaims(p *corev1.Pod) bool {
	for i := range p.Spec.Volumes {
		if v := &p.Spec.Volumes[i]; v.PersistentVolumeClaim != nil || v.Ephemeral != nil {
			return true
		}
	}
	return false
}

func inGang(p *corev1.Pod) bool {
	for _, key := range gangLabels {
		if p.Labels[key] != "" {
			return true
		}
	}
	return p.Spec.SchedulingGroup != nil
}

// asksNothing says whether the pod asks for its slot only.
func (c *Compiled) asksNothing(p *corev1.Pod) bool {
	for name, q := range c.requests(p) {
		if name != corev1.ResourcePods && !q.IsZero() {
			return false
		}
	}
	return true
}

func (c *Compiled) warnOfPools() {
	launches := map[*pool]bool{}
	for _, shapes := range [][]shape{c.shapes, c.soldOut} {
		for i := range shapes {
			launches[shapes[i].pool] = true
		}
	}
	for _, p := range c.pools {
		if p.closed != "" {
			continue
		}
		if !launches[p] && len(c.types) > 0 {
			c.warn("node pool %s launches nothing: no instance type meets its requirements", p.object.Name)
		}
		for _, r := range p.object.Spec.Template.Spec.Requirements {
			if r.MinValues != nil {
				c.warn("node pool %s asks for minValues of %s, which is not yet planned", p.object.Name, r.Key)
			}
		}
		if t := c.discouraging(p.taints()); t != nil {
			c.warn("node pool %s has taint %s, which is not yet avoided", p.object.Name, taintText(t))
		}
	}
	nodes := tally{}
	for _, m := range c.nodes {
		if t := c.discouraging(m.taints); t != nil {
			nodes.add("have taint "+taintText(t)+", which is not yet avoided", m.name)
		}
	}
	nodes.report(c, "node")
}

// discouraging is the first of the taints that some pods should rather avoid; nil if there is none.
func (c *Compiled) discouraging(taints []corev1.Taint) *corev1.Taint {
	for i := range taints {
		if taints[i].Effect != corev1.TaintEffectPreferNoSchedule {
			continue
		}
		for k := range c.groups {
			if !tolerates(c.groups[k].traits.tolerant.tolerations, &taints[i]) {
				return &taints[i]
			}
		}
	}
	return nil
}

// warnOfKinds counts the objects that are read and not yet planned for.
func (c *Compiled) warnOfKinds() {
	kinds := tally{}
	for _, o := range c.snapshot.Objects {
		if o.Object == nil {
			continue
		}
		switch kind := o.Object.GetObjectKind().GroupVersionKind().Kind; kind {
		case "CapacityBuffer", "ResourceClaim", "ResourceClaimTemplate":
			if object, err := meta.Accessor(o.Object); err == nil {
				kinds.add(kind, object.GetName())
			}
		}
	}
	for _, kind := range sortedKeys(kinds) {
		c.warn("%s: not yet planned for", some(kind, kinds[kind]))
	}
}

// warnOfWorkloads: a file of nothing but workloads is a question that was not asked in full.
func (c *Compiled) warnOfWorkloads() {
	if *c.policy.ExpandWorkloads || len(c.cluster.pods) > 0 {
		return
	}
	var names []string
	for _, o := range c.snapshot.Objects {
		switch w := o.Object.(type) {
		case *appsv1.Deployment, *appsv1.StatefulSet, *appsv1.ReplicaSet, *corev1.ReplicationController, *batchv1.Job:
			object := w.(metav1.Object)
			names = append(names, object.GetNamespace()+"/"+object.GetName())
		}
	}
	if len(names) > 0 {
		c.warn("there are no pods; those of %s are planned with --workloads, or expandWorkloads in the policy", some("workload", names))
	}
}

func (c *Compiled) warnOfPolicy() {
	if c.policy.MaxPremium != nil {
		c.warn("policy.maxPremium is not yet planned")
	}
	if len(c.policy.Balance) > 0 {
		c.warn("policy.balance is not yet planned")
	}
}
