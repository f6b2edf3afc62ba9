package verify

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// daemon is a DaemonSet as a pod that will run on each node it matches.
type daemon struct {
	pod   *pod
	ports []hostPort
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
	return slices.ContainsFunc(slices.Concat(m.pods, m.nominated), func(p *pod) bool {
		if p.Namespace != d.pod.Namespace {
			return false
		}
		for _, o := range p.OwnerReferences {
			if o.Kind == "DaemonSet" && o.Name == d.pod.Name {
				return true
			}
		}
		return false
	})
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
		out.add(c.arriving(d.pod))
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
