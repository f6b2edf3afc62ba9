package snapshot

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// Compiled is a snapshot as a problem, and what it takes to turn a solution
// back into a plan that speaks of pods and nodes.
type Compiled struct {
	Problem model.Problem
	// Warnings name what was ignored, assumed or left for a later version, sorted.
	Warnings []string

	snapshot *v1alpha1.Snapshot
	cluster  *cluster
	policy   v1alpha1.Policy // with defaults

	pools  []*pool    // by model.PoolIndex
	groups []podGroup // by model.GroupIndex
	shapes []shape    // by model.ShapeIndex
	nodes  []*machine // by model.NodeIndex

	// soldOut are the shapes whose offerings exist and cannot be launched now:
	// unavailable, or a reservation without room. Reasons and explanations need them.
	soldOut []shape
	// invalid are pods that cannot be planned, each with the reason.
	invalid []invalidPod
	// nominated are pending pods that already have a node: their room is taken and the node is kept.
	nominated []nomination
	// nominatedDaemons are those of DaemonSets: their room is taken, and they go with the node.
	nominatedDaemons []nomination

	// What Compile works with:

	types         []*instanceType // by name
	typeByName    map[string]*instanceType
	overlaid      overlaid
	charges       charges
	machineByName map[string]*machine
	learned       map[lesson]corev1.ResourceList
	daemons       []*daemon // by namespace and name
	// pending, displaced and residents are the pods that take part: those without
	// a node, those of nodes that go in any case, and those of nodes that may go.
	pending, displaced, residents []*groupPod
	shapeLabels, nodeLabels       *census
	presences                     []presence // by model.NodeIndex
	typeNames, zoneNames          []string   // by model.TypeIndex and model.ZoneIndex
	labelRules                    labelRules
	tolerationRules               tolerationRules
	separations                   separations
	requested                     map[*corev1.Pod]corev1.ResourceList
	traits                        map[*corev1.Pod]*traits

	// pdbs are the PodDisruptionBudgets by namespace; disrupt fills them in.
	pdbs pdbs
}

// Options change what Compile builds.
type Options struct {
	// Relax drops rules that keep nodes, by their reason (v1alpha1.KeptBudget, …).
	Relax map[string]bool
}

// pool is a NodePool, or the one that is implied where a snapshot has none.
type pool struct {
	object *karpv1.NodePool
	index  model.PoolIndex
	// closed is why nothing is launched from it; empty if something may be.
	closed string
	// requirements are what it asks of its nodes' labels; nil if it is closed.
	requirements scheduling.Requirements
	// implied: no NodePool was given, and all priced worker nodes belong to this one.
	implied bool
}

// podGroup is what a model.PodGroup stands for.
type podGroup struct {
	// pods in a fixed order: those that need a place in any case first (by
	// namespace and name), then those of nodes that may go.
	pods []*groupPod
	// demand is how many need a place in any case.
	demand int
	traits *traits
	origin model.Origin
}

// groupPod is one pod of a group.
type groupPod struct {
	pod *corev1.Pod
	// on is the machine it is bound to; nil for a pending pod.
	on *machine
}

// key is namespace/name, as plans name pods.
func (p *groupPod) key() string { return podKey(p.pod) }

func podKey(p *corev1.Pod) string { return p.Namespace + "/" + p.Name }

// shape is what a model.Shape stands for.
type shape struct {
	pool         *pool
	instanceType *v1alpha1.InstanceType
	offering     *v1alpha1.Offering
	// labels and taints that a node of this shape will have once it is ready.
	labels map[string]string
	taints []corev1.Taint
	// pinned are the labels that the claim must state because a pod may ask for
	// them and the pool leaves them open.
	pinned map[string]string
	// allocatable before, daemons the requests and pod count of, the DaemonSets that will land there.
	allocatable corev1.ResourceList
	daemons     corev1.ResourceList
	daemonPorts []hostPort
	price       model.Money
}

// machine is a Node, a NodeClaim, or both.
type machine struct {
	index model.NodeIndex
	node  *corev1.Node      // nil for a claim without a Node
	claim *karpv1.NodeClaim // nil for a node without a claim
	// name of the node; of a claim without one, the end of its provider ID or its own name.
	name string
	pool *pool // nil: not managed
	// adopted: the pool took it in, though no label of it names the pool.
	adopted bool
	// initialized: it is no longer on its way.
	initialized bool
	labels      map[string]string
	taints      []corev1.Taint // as the scheduler will see them once the node is initialized
	allocatable corev1.ResourceList
	capacity    corev1.ResourceList

	instanceType *v1alpha1.InstanceType // nil if the catalog does not know it
	offering     *v1alpha1.Offering     // nil if the catalog does not know it
	zone         string
	capacityType string
	reservation  string
	price        model.Money
	priced       bool

	// pods bound to it that are not terminal, by namespace and name, DaemonSet and mirror pods included.
	pods []*corev1.Pod

	// What disruption decides (see disruption.go):

	// goes is why the node is taken away in any case (v1alpha1.RemovalExpired, …), or empty.
	goes string
	// voluntary is why it may not be removed to save money (v1alpha1.KeptHold, …), or empty if it may.
	voluntary, voluntaryMessage string
	// drifted says that it is to go as drifted; drift is why it may not, or empty if it may.
	drifted             bool
	drift, driftMessage string
	driftedSince        time.Time
}

// invalidPod is a pending pod that cannot be planned.
type invalidPod struct {
	pod             *corev1.Pod
	reason, message string
}

// nomination is a pending pod that the scheduler has promised a node.
type nomination struct {
	pod *corev1.Pod
	on  *machine
}

// hostPort is a port that a pod takes on its node.
type hostPort struct {
	ip       string
	port     int32
	protocol corev1.Protocol
}
