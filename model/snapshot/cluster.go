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

func (c *cluster) add(o runtime.Object) {
	switch o := o.(type) {
	case *corev1.Pod:
		c.pods = append(c.pods, o)
	case *corev1.Node:
		c.nodes = append(c.nodes, o)
	case *corev1.Namespace:
		c.namespaces[o.Name] = o
	case *corev1.LimitRange:
		c.limitRanges = append(c.limitRanges, o)
	case *schedulingv1.PriorityClass:
		c.priorityClasses[o.Name] = o
		if o.GlobalDefault {
			c.defaultPriority = o
		}
	case *nodev1.RuntimeClass:
		c.runtimeClasses[o.Name] = o
	case *appsv1.DaemonSet:
		c.daemonSets = append(c.daemonSets, o)
	case *policyv1.PodDisruptionBudget:
		c.pdbs = append(c.pdbs, o)
	case *karpv1.NodePool:
		c.nodePools = append(c.nodePools, o)
	case *karpv1.NodeClaim:
		c.nodeClaims = append(c.nodeClaims, o)
	case *karpv1alpha1.NodeOverlay:
		c.overlays = append(c.overlays, o)
	}
}

func sortByKey[T metav1.Object](objects []T) {
	slices.SortFunc(objects, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
}
