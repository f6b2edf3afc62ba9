package snapshot

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
)

// daemon is the pod that a DaemonSet runs on each node it fits.
type daemon struct {
	set      *appsv1.DaemonSet
	rule     *labelRule
	tolerant *tolerationRule
	requests corev1.ResourceList
	ports    []hostPort
}

// daemonTolerations are those that the DaemonSet controller gives its pods.
var daemonTolerations = []corev1.Toleration{
	{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeDiskPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeMemoryPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodePIDPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
}

// expectDaemons reads the DaemonSets. Their pods ask for what the template
// says, or what the newest running one has, whichever is more.
func (c *Compiled) expectDaemons() {
	newest := c.newestDaemonPods()
	for _, set := range c.cluster.daemonSets {
		if set.DeletionTimestamp != nil {
			continue
		}
		p := c.cluster.admitted(daemonPod(set))
		if fault := podFault(p); fault != "" {
			c.warn("DaemonSet %s/%s is not counted on new nodes: %s", set.Namespace, set.Name, fault)
			continue
		}
		d := &daemon{
			set:      set,
			rule:     c.labelRules.of(&p.Spec),
			tolerant: c.tolerationRules.of(&p.Spec),
			requests: podRequests(p),
			ports:    hostPorts(&p.Spec),
		}
		if running := newest[daemonKey{set.Namespace, set.Name}]; running != nil {
			d.requests = largest(d.requests, c.requests(running))
		}
		c.daemons = append(c.daemons, d)
	}
}

// daemonPod is a pod as the DaemonSet's controller would make it, for no node in particular.
func daemonPod(set *appsv1.DaemonSet) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: set.Name, Labels: set.Spec.Template.Labels}}
	set.Spec.Template.Spec.DeepCopyInto(&p.Spec)
	p.Spec.Tolerations = append(p.Spec.Tolerations, daemonTolerations...)
	if p.Spec.HostNetwork {
		p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{
			Key: corev1.TaintNodeNetworkUnavailable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule,
		})
	}
	return p
}

type daemonKey struct{ namespace, name string }

func (d *daemon) key() daemonKey { return daemonKey{d.set.Namespace, d.set.Name} }

// daemonOf names the DaemonSet that the pod belongs to; false if it belongs to none.
func daemonOf(p *corev1.Pod) (daemonKey, bool) {
	owner := metav1.GetControllerOf(p)
	if owner == nil || owner.Kind != "DaemonSet" || !podutils.IsOwnedByDaemonSet(p) {
		return daemonKey{}, false
	}
	return daemonKey{p.Namespace, owner.Name}, true
}

// newestDaemonPods is the youngest running pod of each DaemonSet.
func (c *Compiled) newestDaemonPods() map[daemonKey]*corev1.Pod {
	out := map[daemonKey]*corev1.Pod{}
	for _, m := range c.nodes {
		for _, p := range m.pods {
			key, ok := daemonOf(p)
			if !ok || p.DeletionTimestamp != nil {
				continue
			}
			have := out[key]
			if have == nil || have.CreationTimestamp.Before(&p.CreationTimestamp) || have.CreationTimestamp.Equal(&p.CreationTimestamp) && p.Name < have.Name {
				out[key] = p
			}
		}
	}
	return out
}
