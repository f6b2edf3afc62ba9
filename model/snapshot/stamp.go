package snapshot

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// stamp makes the pods of one template. They share what its spec points to,
// which nobody changes.
type stamp struct {
	namespace string
	template  corev1.PodTemplateSpec
	owner     metav1.OwnerReference
	now       metav1.Time
}

// newStamp prepares a template as admission would prepare each of its pods.
func (w *workloads) newStamp(by metav1.OwnerReference, namespace string, t *corev1.PodTemplateSpec) *stamp {
	s := &stamp{namespace: namespace, template: *t.DeepCopy(), owner: by, now: w.now}
	setPodDefaults(&s.template.Spec)
	w.setPriority(&s.template.Spec)
	tolerateTrouble(&s.template.Spec)
	return s
}

// pod is a pending pod that the scheduler has found no node for.
func (s *stamp) pod(name string) *corev1.Pod {
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name:              name,
			Namespace:         s.namespace,
			Labels:            maps.Clone(s.template.Labels),
			Annotations:       maps.Clone(s.template.Annotations),
			OwnerReferences:   []metav1.OwnerReference{s.owner},
			CreationTimestamp: s.now,
		},
		Spec: s.template.Spec,
		Status: corev1.PodStatus{
			Phase: corev1.PodPending,
			Conditions: []corev1.PodCondition{{
				Type:               corev1.PodScheduled,
				Status:             corev1.ConditionFalse,
				Reason:             corev1.PodReasonUnschedulable,
				LastTransitionTime: s.now,
			}},
		},
	}
}

// label adds to the labels that every pod of the stamp has.
func (s *stamp) label(key, value string) {
	if s.template.Labels == nil {
		s.template.Labels = map[string]string{}
	}
	s.template.Labels[key] = value
}

// Classes that every cluster has.
var systemPriorities = map[string]int32{
	"system-cluster-critical": 2_000_000_000,
	"system-node-critical":    2_000_001_000,
}

// setPriority resolves the priority class.
func (w *workloads) setPriority(spec *corev1.PodSpec) {
	if spec.Priority != nil {
		return
	}
	if spec.PriorityClassName == "" && w.defaultPriority != nil {
		spec.PriorityClassName = w.defaultPriority.Name
	}
	spec.Priority = ptr.To(systemPriorities[spec.PriorityClassName])
	if class := w.priorityClasses[spec.PriorityClassName]; class != nil {
		spec.Priority = ptr.To(class.Value)
		spec.PreemptionPolicy = class.PreemptionPolicy
	} else if spec.PriorityClassName != "" && *spec.Priority == 0 {
		w.warn("PriorityClass %s is not in the snapshot: priority 0 is assumed for the pods of workloads that name it", spec.PriorityClassName)
	}
}

// tolerateTrouble adds what the API server lets every pod tolerate for five
// minutes, so that new pods are like those that run.
func tolerateTrouble(spec *corev1.PodSpec) {
	const seconds = 300
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		taint := corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute}
		tolerated := slices.ContainsFunc(spec.Tolerations, func(t corev1.Toleration) bool {
			return (t.Key == taint.Key || t.Key == "") && (t.Effect == taint.Effect || t.Effect == "")
		})
		if !tolerated {
			spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
				Key: key, Operator: corev1.TolerationOpExists, Effect: taint.Effect, TolerationSeconds: ptr.To[int64](seconds),
			})
		}
	}
}
