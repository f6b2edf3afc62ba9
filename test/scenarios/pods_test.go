package scenarios_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// pod is p on a node, or pending.
func (c *cluster) pod(p *pod, on *node) *corev1.Pod {
	age := p.Age.Duration
	out := &corev1.Pod{
		TypeMeta:   typeMeta(corev1.SchemeGroupVersion, "Pod"),
		ObjectMeta: c.meta(p.Name, p.Namespace, age),
		Spec:       p.spec(),
	}
	out.Labels = map[string]string{"app": p.App}
	out.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: ownerVersions[p.Owner], Kind: p.Owner, Name: p.App, UID: types.UID(p.Namespace + "/" + p.App), Controller: ptr.To(true),
	}}
	out.Annotations = p.annotations()
	if p.Terminating {
		out.DeletionTimestamp = ptr.To(c.ago(-30 * time.Second))
		out.DeletionGracePeriodSeconds = ptr.To[int64](60)
	}
	out.Status.NominatedNodeName = p.Nominated
	if on == nil {
		out.Status.Phase = corev1.PodPending
		out.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable}}
		return out
	}
	out.Spec.NodeName = on.Name
	out.Status.Phase = corev1.PodRunning
	out.Status.StartTime = ptr.To(c.ago(age))
	for _, t := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodReady} {
		out.Status.Conditions = append(out.Status.Conditions, corev1.PodCondition{Type: t, Status: corev1.ConditionTrue, LastTransitionTime: c.ago(age)})
	}
	return out
}

var ownerVersions = map[string]string{"ReplicaSet": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "Job": "batch/v1"}

func (p *pod) annotations() map[string]string {
	out := map[string]string{}
	for k, v := range p.Annotations {
		out[k] = v
	}
	if p.Protected {
		out[karpv1.DoNotDisruptAnnotationKey] = "true"
	}
	return out
}

func (p *pod) spec() corev1.PodSpec {
	main := container("main", p.Needs)
	for _, port := range p.Ports {
		main.Ports = append(main.Ports, corev1.ContainerPort{ContainerPort: port, HostPort: port, Protocol: corev1.ProtocolTCP})
	}
	out := corev1.PodSpec{
		Containers:    []corev1.Container{main},
		NodeSelector:  longKeys(p.Selector),
		Priority:      p.Priority,
		SchedulerName: corev1.DefaultSchedulerName,
		Affinity:      p.affinity(),
	}
	for i, init := range p.Init {
		extra := container(fmt.Sprintf("init-%d", i+1), init.Needs)
		if init.Sidecar {
			extra.RestartPolicy = ptr.To(corev1.ContainerRestartPolicyAlways)
		}
		out.InitContainers = append(out.InitContainers, extra)
	}
	for _, t := range p.Tolerations {
		out.Tolerations = append(out.Tolerations, corev1.Toleration(t))
	}
	return out
}

func container(name string, needs amount) corev1.Container {
	return corev1.Container{Name: name, Image: "registry.example.com/app:1", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList(needs)}}
}

func (p *pod) affinity() *corev1.Affinity {
	var out corev1.Affinity
	if len(p.Affinity) > 0 {
		selector := &corev1.NodeSelector{}
		for _, term := range p.Affinity {
			selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, corev1.NodeSelectorTerm{MatchExpressions: plainRequirements(term)})
		}
		out.NodeAffinity = &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: selector}
	}
	if len(p.Apart) > 0 {
		out.PodAntiAffinity = &corev1.PodAntiAffinity{}
		for _, app := range p.Apart {
			out.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = append(out.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution,
				corev1.PodAffinityTerm{LabelSelector: appSelector(app), TopologyKey: corev1.LabelHostname})
		}
	}
	if out == (corev1.Affinity{}) {
		return nil
	}
	return &out
}
