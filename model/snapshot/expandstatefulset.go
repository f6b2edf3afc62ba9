package snapshot

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// expandStatefulSet adds the pods of the set whose ordinals are free. A pod
// that is being deleted keeps its name, and counts as coming back by itself.
func (w *workloads) expandStatefulSet(set *appsv1.StatefulSet) {
	if set.DeletionTimestamp != nil {
		return
	}
	start := 0
	if set.Spec.Ordinals != nil {
		start = int(set.Spec.Ordinals.Start)
	}
	for i := range int(ptr.Deref(set.Spec.Replicas, 1)) {
		if w.full {
			return
		}
		ordinal := start + i
		name := fmt.Sprintf("%s-%d", set.Name, ordinal)
		if old := w.pods[set.Namespace+"/"+name]; old != nil && !isDone(old) {
			continue
		}
		w.addPod(w.statefulPod(set, name, ordinal))
		w.addClaims(set, name)
	}
}

func (w *workloads) statefulPod(set *appsv1.StatefulSet, name string, ordinal int) *corev1.Pod {
	p := w.newStamp(controllerOf("apps/v1", "StatefulSet", &set.ObjectMeta), set.Namespace, &set.Spec.Template).pod(name)
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	p.Labels[appsv1.StatefulSetPodNameLabel] = name
	p.Labels[appsv1.PodIndexLabel] = strconv.Itoa(ordinal)
	if revision := set.Status.UpdateRevision; revision != "" {
		p.Labels[appsv1.StatefulSetRevisionLabel] = revision
	}
	p.Spec.Hostname = name
	p.Spec.Subdomain = set.Spec.ServiceName
	for i := range set.Spec.VolumeClaimTemplates {
		template := set.Spec.VolumeClaimTemplates[i].Name
		p.Spec.Volumes = slices.DeleteFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == template })
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{
			Name: template,
			VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claimName(template, name)},
			},
		})
	}
	return p
}

func claimName(template, pod string) string { return template + "-" + pod }

// addClaims adds the pod's claims that are not there, as the set and admission would create them.
func (w *workloads) addClaims(set *appsv1.StatefulSet, pod string) {
	for i := range set.Spec.VolumeClaimTemplates {
		template := &set.Spec.VolumeClaimTemplates[i]
		key := set.Namespace + "/" + claimName(template.Name, pod)
		if w.claims[key] {
			continue
		}
		w.claims[key] = true
		labels := maps.Clone(template.Labels)
		if set.Spec.Selector != nil && len(set.Spec.Selector.MatchLabels) > 0 {
			labels = maps.Clone(set.Spec.Selector.MatchLabels)
		}
		claim := &corev1.PersistentVolumeClaim{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
			ObjectMeta: metav1.ObjectMeta{
				Name: claimName(template.Name, pod), Namespace: set.Namespace,
				Labels: labels, Annotations: maps.Clone(template.Annotations), CreationTimestamp: w.now,
			},
			Spec:   *template.Spec.DeepCopy(),
			Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending},
		}
		if claim.Spec.StorageClassName == nil && w.defaultStorage != nil {
			claim.Spec.StorageClassName = ptr.To(w.defaultStorage.Name)
		}
		w.newClaims = append(w.newClaims, claim)
	}
}
