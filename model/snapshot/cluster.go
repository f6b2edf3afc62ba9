package snapshot

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// cluster is a snapshot's objects by kind, each list sorted by namespace and name.
type cluster struct {
	now time.Time

	pods            []*corev1.Pod
	nodes           []*corev1.Node
	namespaces      map[string]*corev1.Namespace
	limitRanges     []*corev1.LimitRange
	priorityClasses map[string]*schedulingv1.PriorityClass
	runtimeClasses  map[string]*nodev1.RuntimeClass
	daemonSets      []*appsv1.DaemonSet
	pdbs            []*policyv1.PodDisruptionBudget
	nodePools       []*karpv1.NodePool
	nodeClaims      []*karpv1.NodeClaim
	overlays        []*karpv1alpha1.NodeOverlay

	// defaultPriority is the class of pods that name none, or nil.
	defaultPriority *schedulingv1.PriorityClass
	// defaultRequests are those of each namespace's LimitRanges for a container.
	defaultRequests map[string]corev1.ResourceList
}

// newCluster sorts the snapshot's objects out. Objects of other kinds are left alone.
func newCluster(s *v1alpha1.Snapshot) *cluster {
	c := &cluster{
		now:             s.Time.Time,
		namespaces:      map[string]*corev1.Namespace{},
		priorityClasses: map[string]*schedulingv1.PriorityClass{},
		runtimeClasses:  map[string]*nodev1.RuntimeClass{},
	}
	for i := range s.Objects {
		c.add(s.Objects[i].Object)
	}
	sortByKey(c.pods)
	sortByKey(c.nodes)
	sortByKey(c.limitRanges)
	sortByKey(c.daemonSets)
	sortByKey(c.pdbs)
	sortByKey(c.nodePools)
	sortByKey(c.nodeClaims)
	sortByKey(c.overlays)
	c.gatherDefaultRequests()
	return c
}

func (k *cluster) add(o runtime.Object) {
	switch o := o.(type) {
	case *corev1.Pod:
		k.pods = append(k.pods, o)
	case *corev1.Node:
		k.nodes = append(k.nodes, o)
	case *corev1.Namespace:
		k.namespaces[o.Name] = o
	case *corev1.LimitRange:
		k.limitRanges = append(k.limitRanges, o)
	case *schedulingv1.PriorityClass:
		k.priorityClasses[o.Name] = o
		if o.GlobalDefault {
			k.defaultPriority = o
		}
	case *nodev1.RuntimeClass:
		k.runtimeClasses[o.Name] = o
	case *appsv1.DaemonSet:
		k.daemonSets = append(k.daemonSets, o)
	case *policyv1.PodDisruptionBudget:
		k.pdbs = append(k.pdbs, o)
	case *karpv1.NodePool:
		k.nodePools = append(k.nodePools, o)
	case *karpv1.NodeClaim:
		k.nodeClaims = append(k.nodeClaims, o)
	case *karpv1alpha1.NodeOverlay:
		k.overlays = append(k.overlays, o)
	}
}

func sortByKey[T metav1.Object](objects []T) {
	slices.SortFunc(objects, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
}
