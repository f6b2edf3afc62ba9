package verify

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
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// cluster is the snapshot as rules look at it.
type cluster struct {
	now    time.Time
	policy v1alpha1.Policy // with defaults

	pods     []*pod // that have not ended, by key
	pod      map[string]*pod
	machines []*machine // by name
	// byName finds machines by the name of their node; claims without a node by the name that plans give them.
	byName  map[string]*machine
	byClaim map[string]*machine
	pools   []*pool // by name
	pool    map[string]*pool

	daemons  []*daemon
	budgets  []*podBudget
	overlays []*overlay
	kinds    map[string]*instanceType

	namespaces      map[string]labels.Set
	defaultRequests map[string]corev1.ResourceList // by namespace
	overheads       map[string]corev1.ResourceList // by runtime class
	priorities      map[string]int32               // by priority class
	globalPriority  int32
	learned         map[lesson]resources // what live nodes report
	extra           map[lesson]resources // what overlays add
	offers          map[offerKey]*offer
}

// objects are a snapshot's objects by kind, each list by namespace and name.
type objects struct {
	pods         []*corev1.Pod
	nodes        []*corev1.Node
	limitRanges  []*corev1.LimitRange
	daemonSets   []*appsv1.DaemonSet
	budgets      []*policyv1.PodDisruptionBudget
	nodePools    []*karpv1.NodePool
	nodeClaims   []*karpv1.NodeClaim
	nodeOverlays []*karpv1alpha1.NodeOverlay
}

func newCluster(s *v1alpha1.Snapshot) *cluster {
	c := &cluster{
		now:             s.Time.Time,
		policy:          s.Policy.Default(),
		pod:             map[string]*pod{},
		byName:          map[string]*machine{},
		byClaim:         map[string]*machine{},
		pool:            map[string]*pool{},
		kinds:           map[string]*instanceType{},
		namespaces:      map[string]labels.Set{},
		defaultRequests: map[string]corev1.ResourceList{},
		overheads:       map[string]corev1.ResourceList{},
		priorities:      map[string]int32{},
		learned:         map[lesson]resources{},
		extra:           map[lesson]resources{},
		offers:          map[offerKey]*offer{},
	}
	var o objects
	for i := range s.Objects {
		c.sort(&o, s.Objects[i].Object)
	}
	o.order()
	for _, l := range o.limitRanges {
		c.addDefaults(l)
	}
	c.addInstanceTypes(s.InstanceTypes)
	c.addOverlays(o.nodeOverlays)
	c.addPools(o.nodePools)
	c.addDaemons(o.daemonSets)
	c.addMachines(o.nodes, o.nodeClaims)
	c.addPods(o.pods)
	c.addBudgets(o.budgets)
	c.learn()
	return c
}

// sort files one object under its kind. Objects of other kinds are left alone.
func (c *cluster) sort(o *objects, object runtime.Object) {
	switch x := object.(type) {
	case *corev1.Pod:
		o.pods = append(o.pods, x)
	case *corev1.Node:
		o.nodes = append(o.nodes, x)
	case *corev1.LimitRange:
		o.limitRanges = append(o.limitRanges, x)
	case *appsv1.DaemonSet:
		o.daemonSets = append(o.daemonSets, x)
	case *policyv1.PodDisruptionBudget:
		o.budgets = append(o.budgets, x)
	case *karpv1.NodePool:
		o.nodePools = append(o.nodePools, x)
	case *karpv1.NodeClaim:
		o.nodeClaims = append(o.nodeClaims, x)
	case *karpv1alpha1.NodeOverlay:
		o.nodeOverlays = append(o.nodeOverlays, x)
	case *corev1.Namespace:
		c.namespaces[x.Name] = x.Labels
	case *nodev1.RuntimeClass:
		if x.Overhead != nil {
			c.overheads[x.Name] = x.Overhead.PodFixed
		}
	case *schedulingv1.PriorityClass:
		c.priorities[x.Name] = x.Value
		if x.GlobalDefault {
			c.globalPriority = x.Value
		}
	}
}

func (o *objects) order() {
	order(o.pods)
	order(o.nodes)
	order(o.limitRanges)
	order(o.daemonSets)
	order(o.budgets)
	order(o.nodePools)
	order(o.nodeClaims)
	order(o.nodeOverlays)
}

func order[T metav1.Object](list []T) {
	slices.SortFunc(list, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
}

// addPods puts the pods that have not ended on their machines.
func (c *cluster) addPods(list []*corev1.Pod) {
	for _, object := range list {
		if ended(object) {
			continue
		}
		p := &pod{Pod: object, key: podKey(object), priority: c.priorityOf(object)}
		if c.pod[p.key] != nil {
			continue
		}
		c.pods = append(c.pods, p)
		c.pod[p.key] = p
		if name := object.Spec.NodeName; name != "" {
			if p.on = c.byName[name]; p.on != nil {
				p.on.pods = append(p.on.pods, p)
			}
		} else if name := object.Status.NominatedNodeName; name != "" && c.pending(p) {
			if p.nominee = c.byName[name]; p.nominee != nil {
				p.nominee.nominated = append(p.nominee.nominated, p)
			}
		}
	}
}
