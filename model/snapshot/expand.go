package snapshot

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// mostExpandedPods is the size of the largest clusters that Kubernetes is
// tested with; a typo in a replica count must not fill the memory.
const mostExpandedPods = 150_000

// Expand returns s with the pods that its Deployments, StatefulSets,
// ReplicaSets, ReplicationControllers and Jobs are missing, and with the
// PersistentVolumeClaims of StatefulSets' templates. The pods are named after
// their workload and pending, with all that controllers and admission set and a
// plan reads. It also returns warnings, sorted. s itself is not changed.
func Expand(s *v1alpha1.Snapshot) (*v1alpha1.Snapshot, []string) {
	w := newWorkloads(s)
	// Names of StatefulSets' pods are fixed; the others take what is free.
	for _, set := range w.statefulSets {
		w.expandStatefulSet(set)
	}
	for _, job := range w.jobs {
		w.expandJob(job)
	}
	for _, rc := range w.replicationControllers {
		w.expandReplicas("ReplicationController", "v1", &rc.ObjectMeta, rc.Spec.Replicas, rc.Spec.Template)
	}
	for _, d := range w.deployments {
		w.expandDeployment(d)
	}
	for _, rs := range w.replicaSets {
		if w.deploymentOf(rs) == nil {
			w.expandReplicas("ReplicaSet", "apps/v1", &rs.ObjectMeta, rs.Spec.Replicas, &rs.Spec.Template)
		}
	}
	out := *s
	out.Objects = w.objects(s.Objects)
	return &out, w.sortedWarnings()
}

// workloads are a snapshot's workloads, what they own, and what they gain.
type workloads struct {
	now metav1.Time

	deployments            []*appsv1.Deployment
	statefulSets           []*appsv1.StatefulSet
	replicaSets            []*appsv1.ReplicaSet
	replicationControllers []*corev1.ReplicationController
	jobs                   []*batchv1.Job

	// pods by their controller, and all by namespace/name.
	owned map[owner][]*corev1.Pod
	pods  map[string]*corev1.Pod
	// deploymentByKey and setsOf link Deployments and their ReplicaSets.
	deploymentByKey map[owner]*appsv1.Deployment
	setsOf          map[*appsv1.Deployment][]*appsv1.ReplicaSet
	// active counts the active pods of each Deployment.
	active map[*appsv1.Deployment]int
	// claims are the names of PersistentVolumeClaims, namespace/name.
	claims map[string]bool

	priorityClasses map[string]*schedulingv1.PriorityClass
	defaultPriority *schedulingv1.PriorityClass
	defaultStorage  *storagev1.StorageClass

	newPods   []*corev1.Pod
	newClaims []*corev1.PersistentVolumeClaim
	// replaced are terminal pods whose name a new one takes.
	replaced map[*corev1.Pod]bool
	warnings map[string]bool
	full     bool
}

// owner is a controller.
type owner struct {
	namespace, kind, name string
}

func newWorkloads(s *v1alpha1.Snapshot) *workloads {
	w := &workloads{
		now:             s.Time,
		owned:           map[owner][]*corev1.Pod{},
		pods:            map[string]*corev1.Pod{},
		claims:          map[string]bool{},
		priorityClasses: map[string]*schedulingv1.PriorityClass{},
		replaced:        map[*corev1.Pod]bool{},
		warnings:        map[string]bool{},
	}
	for i := range s.Objects {
		w.add(s.Objects[i].Object)
	}
	sortByKey(w.deployments)
	sortByKey(w.statefulSets)
	sortByKey(w.replicaSets)
	sortByKey(w.replicationControllers)
	sortByKey(w.jobs)
	w.linkDeployments()
	return w
}

func (w *workloads) add(o runtime.Object) {
	switch o := o.(type) {
	case *appsv1.Deployment:
		w.deployments = append(w.deployments, o)
	case *appsv1.StatefulSet:
		w.statefulSets = append(w.statefulSets, o)
	case *appsv1.ReplicaSet:
		w.replicaSets = append(w.replicaSets, o)
	case *corev1.ReplicationController:
		w.replicationControllers = append(w.replicationControllers, o)
	case *batchv1.Job:
		w.jobs = append(w.jobs, o)
	case *corev1.Pod:
		w.pods[podKey(o)] = o
		if c := metav1.GetControllerOf(o); c != nil {
			by := owner{o.Namespace, c.Kind, c.Name}
			w.owned[by] = append(w.owned[by], o)
		}
	case *corev1.PersistentVolumeClaim:
		w.claims[o.Namespace+"/"+o.Name] = true
	case *schedulingv1.PriorityClass:
		w.priorityClasses[o.Name] = o
		if o.GlobalDefault && (w.defaultPriority == nil || o.Value < w.defaultPriority.Value) {
			w.defaultPriority = o
		}
	case *storagev1.StorageClass:
		if o.Annotations[defaultStorageClass] == "true" && newer(o, w.defaultStorage) {
			w.defaultStorage = o
		}
	}
}

const defaultStorageClass = "storageclass.kubernetes.io/is-default-class"

// newer says which of two default storage classes holds: the newest, then the first by name.
func newer(a, b *storagev1.StorageClass) bool {
	if b == nil || !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
		return b == nil || b.CreationTimestamp.Before(&a.CreationTimestamp)
	}
	return a.Name < b.Name
}

// expandReplicas adds what a ReplicaSet or ReplicationController is missing.
func (w *workloads) expandReplicas(kind, apiVersion string, of *metav1.ObjectMeta, replicas *int32, t *corev1.PodTemplateSpec) {
	if t == nil || of.DeletionTimestamp != nil {
		return
	}
	missing := int(ptr.Deref(replicas, 1)) - countActive(w.owned[owner{of.Namespace, kind, of.Name}])
	w.addReplicas(of.Name, missing, w.newStamp(controllerOf(apiVersion, kind, of), of.Namespace, t))
}

// addReplicas adds so many pods, named after the workload with a number.
func (w *workloads) addReplicas(workload string, missing int, s *stamp) {
	for n := 1; missing > 0 && !w.full; n++ {
		name := fmt.Sprintf("%s-%d", workload, n)
		if w.pods[s.namespace+"/"+name] == nil {
			w.addPod(s.pod(name))
			missing--
		}
	}
}

func (w *workloads) addPod(p *corev1.Pod) {
	if len(w.newPods) == mostExpandedPods {
		w.full = true
		w.warn("workloads are missing more than %d pods: the rest is left out", mostExpandedPods)
		return
	}
	if old := w.pods[podKey(p)]; old != nil {
		w.replaced[old] = true
	}
	w.pods[podKey(p)] = p
	w.newPods = append(w.newPods, p)
}

func (w *workloads) warn(format string, args ...any) {
	w.warnings[fmt.Sprintf(format, args...)] = true
}

func (w *workloads) sortedWarnings() []string {
	return sortedKeys(w.warnings)
}

// objects are those of the snapshot, and the new ones after them.
func (w *workloads) objects(before []runtime.RawExtension) []runtime.RawExtension {
	after := make([]runtime.RawExtension, 0, len(before)+len(w.newPods)+len(w.newClaims))
	for _, o := range before {
		if p, ok := o.Object.(*corev1.Pod); !ok || !w.replaced[p] {
			after = append(after, o)
		}
	}
	for _, p := range w.newPods {
		after = append(after, runtime.RawExtension{Object: p})
	}
	for _, c := range w.newClaims {
		after = append(after, runtime.RawExtension{Object: c})
	}
	return after
}

// countActive counts the pods that a controller takes for replicas: neither
// done nor being deleted.
func countActive(pods []*corev1.Pod) int {
	n := 0
	for _, p := range pods {
		if !isDone(p) && p.DeletionTimestamp == nil {
			n++
		}
	}
	return n
}

func isDone(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

func controllerOf(apiVersion, kind string, of *metav1.ObjectMeta) metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: apiVersion, Kind: kind, Name: of.Name, UID: of.UID,
		Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
	}
}
