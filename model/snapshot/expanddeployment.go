package snapshot

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/utils/ptr"
)

// expandDeployment adds what a Deployment is missing, as pods of its newest
// ReplicaSet, or of the one that it would create.
func (w *workloads) expandDeployment(d *appsv1.Deployment) {
	if d.DeletionTimestamp != nil {
		return
	}
	missing := int(ptr.Deref(d.Spec.Replicas, 1)) - w.active[d]
	hash := templateHash(&d.Spec.Template)
	set := &metav1.ObjectMeta{Namespace: d.Namespace, Name: d.Name + "-" + hash}
	if newest := w.newestReplicaSet(d); newest != nil {
		set = &newest.ObjectMeta
		hash = newest.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	}
	s := w.newStamp(controllerOf("apps/v1", "ReplicaSet", set), d.Namespace, &d.Spec.Template)
	if hash != "" {
		s.label(appsv1.DefaultDeploymentUniqueLabelKey, hash)
	}
	w.addReplicas(d.Name, missing, s)
}

// linkDeployments finds the ReplicaSets and counts the active pods of each Deployment.
func (w *workloads) linkDeployments() {
	w.deploymentByKey = map[owner]*appsv1.Deployment{}
	w.setsOf = map[*appsv1.Deployment][]*appsv1.ReplicaSet{}
	w.active = map[*appsv1.Deployment]int{}
	for _, d := range w.deployments {
		key := owner{d.Namespace, "Deployment", d.Name}
		w.deploymentByKey[key] = d
		w.active[d] = countActive(w.owned[key])
	}
	linked := map[owner]*appsv1.Deployment{}
	for _, rs := range w.replicaSets {
		if d := w.deploymentOf(rs); d != nil {
			w.setsOf[d] = append(w.setsOf[d], rs)
			linked[owner{rs.Namespace, "ReplicaSet", rs.Name}] = d
		}
	}
	for by, pods := range w.owned {
		d := linked[by]
		if d == nil {
			d = w.deploymentByName(by, pods[0].Labels[appsv1.DefaultDeploymentUniqueLabelKey])
		}
		if d != nil {
			w.active[d] += countActive(pods)
		}
	}
}

// deploymentOf is the Deployment of the snapshot that the set belongs to, or nil.
func (w *workloads) deploymentOf(rs *appsv1.ReplicaSet) *appsv1.Deployment {
	c := metav1.GetControllerOf(rs)
	if c == nil {
		return nil
	}
	return w.deploymentByKey[owner{rs.Namespace, c.Kind, c.Name}]
}

// deploymentByName is the Deployment of a ReplicaSet that the snapshot may lack:
// the set's name is the Deployment's with the pods' template hash.
func (w *workloads) deploymentByName(set owner, hash string) *appsv1.Deployment {
	name, ok := strings.CutSuffix(set.name, "-"+hash)
	if !ok || hash == "" || set.kind != "ReplicaSet" {
		return nil
	}
	return w.deploymentByKey[owner{set.namespace, "Deployment", name}]
}

// newestReplicaSet is the Deployment's set of the highest revision, or nil.
func (w *workloads) newestReplicaSet(d *appsv1.Deployment) *appsv1.ReplicaSet {
	var newest *appsv1.ReplicaSet
	for _, rs := range w.setsOf[d] {
		if newest == nil || revision(rs) >= revision(newest) {
			newest = rs
		}
	}
	return newest
}

// revisionAnnotation counts the templates that a Deployment has had.
const revisionAnnotation = "deployment.kubernetes.io/revision"

func revision(rs *appsv1.ReplicaSet) int {
	n, _ := strconv.Atoi(rs.Annotations[revisionAnnotation])
	return n
}

// templateHash stands in for the one that the Deployment controller computes.
func templateHash(t *corev1.PodTemplateSpec) string {
	h := fnv.New32a()
	_, _ = h.Write(asJSON(t))
	return rand.SafeEncodeString(fmt.Sprint(h.Sum32()))
}
