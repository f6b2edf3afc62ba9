package verify

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// daemon is a DaemonSet as a pod that will run on each node it matches.
type daemon struct {
	pod   *pod
	ports []hostPort
	// request of a pod of it, computed when asked for.
	request resources
}

// daemonTolerations are those that the DaemonSet controller gives to its pods.
var daemonTolerations = []corev1.Toleration{
	{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeDiskPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeMemoryPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodePIDPressure, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
}

func (c *cluster) addDaemons(list []*appsv1.DaemonSet) {
	for _, ds := range list {
		if ds.DeletionTimestamp != nil {
			continue
		}
		object := &corev1.Pod{ObjectMeta: *ds.Spec.Template.ObjectMeta.DeepCopy(), Spec: *ds.Spec.Template.Spec.DeepCopy()}
		object.Namespace, object.Name = ds.Namespace, ds.Name
		object.Spec.Tolerations = append(object.Spec.Tolerations, daemonTolerations...)
		c.daemons = append(c.daemons, &daemon{
			pod:   &pod{Pod: object, key: podKey(object)},
			ports: hostPorts(&object.Spec),
		})
	}
}

// expects says whether a pod of the daemon will come to a node like this.
func (d *daemon) expects(view *corev1.Node, taints []corev1.Taint) bool {
	if !d.pod.selects(view) {
		return false
	}
	_, bad := untolerated(taints, d.pod.Spec.Tolerations)
	return !bad
}

// counted says whether a pod of the daemon is on m already, or promised to it.
func (d *daemon) counted(m *machine) bool {
	return slices.ContainsFunc(slices.Concat(m.pods, m.nominated), d.owns)
}

// owns says whether the pod is one of the DaemonSet's.
func (d *daemon) owns(p *pod) bool {
	o := metav1.GetControllerOf(p)
	return p.Namespace == d.pod.Namespace && p.ownedBy(ownerDaemonSet) && o != nil && o.Kind == ownerDaemonSet.Kind && o.Name == d.pod.Name
}

// expected are the daemons that will still come to m: to a launch, or a node on its way.
func (c *cluster) expected(m *machine) []*daemon {
	if m.launch == nil && !m.onItsWay {
		return nil
	}
	if !m.foreseen {
		for _, d := range c.daemons {
			if d.expects(m.view, m.taints) && !d.counted(m) {
				m.expected = append(m.expected, d)
			}
		}
		m.foreseen = true
	}
	return m.expected
}

// daemonRequests is what the daemons that will still come to m will hold.
func (c *cluster) daemonRequests(m *machine) resources {
	out := resources{}
	for _, d := range c.expected(m) {
		out.add(c.daemonRequest(d))
	}
	return out
}

// daemonRequest is what the daemon's template asks for, or its youngest pod,
// which admission may have given more, whichever is more.
func (c *cluster) daemonRequest(d *daemon) resources {
	if d.request == nil {
		d.request = c.arriving(d.pod)
		if p := c.youngest(d); p != nil {
			d.request = larger(d.request, c.arriving(p))
		}
	}
	return d.request
}

// youngest is the pod of the daemon that was made last, of those that stay; nil if there is none.
func (c *cluster) youngest(d *daemon) *pod {
	var out *pod
	for _, m := range c.machines {
		for _, p := range m.pods {
			if p.deleting() || !d.owns(p) {
				continue
			}
			if out == nil || p.CreationTimestamp.After(out.CreationTimestamp.Time) || p.CreationTimestamp.Equal(&out.CreationTimestamp) && p.Name < out.Name {
				out = p
			}
		}
	}
	return out
}

// daemonPorts are the host ports that the daemons that will still come to m will take.
func (c *cluster) daemonPorts(m *machine) []hostPort {
	var out []hostPort
	for _, d := range c.expected(m) {
		out = append(out, d.ports...)
	}
	return out
}
