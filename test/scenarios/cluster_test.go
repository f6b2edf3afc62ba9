package scenarios_test

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// scenario is a file of testdata/scenarios.
type scenario struct {
	Title string `json:"title"`
	// Potential asks for what the rules hold back, too.
	Potential bool `json:"potential,omitempty"`
	cluster
	Expect expectation `json:"expect"`
	// Then are later steps: the last plan is carried out, the change comes, a new plan is made.
	Then []step `json:"then,omitempty"`
}

// step is a change of the cluster that the last plan left, and what is expected next.
// What is absent stays as it is; Pending pods are added.
type step struct {
	Time    *metav1.Time      `json:"time,omitempty"`
	Types   []instanceType    `json:"types,omitempty"`
	Pools   []pool            `json:"pools,omitempty"`
	Pending []pod             `json:"pending,omitempty"`
	Ended   []string          `json:"ended,omitempty"`  // pods that end, by name
	Report  map[string]amount `json:"report,omitempty"` // what nodes of a type report as allocatable
	Expect  expectation       `json:"expect"`
}

// cluster is a snapshot in a few words.
type cluster struct {
	Time    metav1.Time    `json:"time"` // default Tuesday 2026-12-01 09:00 UTC
	Types   []instanceType `json:"types"`
	Pools   []pool         `json:"pools,omitempty"`   // default one named default
	NoPools bool           `json:"noPools,omitempty"` // no NodePool at all: the implied one
	Nodes   []node         `json:"nodes,omitempty"`
	Pending []pod          `json:"pending,omitempty"`
	Daemons []daemon       `json:"daemons,omitempty"`
	PDBs    []pdb          `json:"pdbs,omitempty"`
	// Overlays are prices that a NodeOverlay states.
	Overlays []overlay `json:"overlays,omitempty"`
	// DefaultRequests by namespace, as a LimitRange gives them.
	DefaultRequests map[string]amount `json:"defaultRequests,omitempty"`
	// Policy, where evictionCost and gap are 0 unless it says otherwise.
	Policy v1alpha1.Policy `json:"policy,omitempty"`
}

// instanceType costs the same in zone z1 only, or has a price by zone.
type instanceType struct {
	Name     string            `json:"name"`
	Size     amount            `json:"size"` // allocatable; 110 pods unless said
	OnDemand prices            `json:"onDemand,omitempty"`
	Spot     prices            `json:"spot,omitempty"`
	Reserved *reserved         `json:"reserved,omitempty"`
	SoldOut  []string          `json:"soldOut,omitempty"` // capacity types
	Until    *metav1.Time      `json:"until,omitempty"`
	Arch     string            `json:"arch,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
}

type reserved struct {
	Price float64 `json:"price"`
	ID    string  `json:"id"`
	Count int32   `json:"count"`
}

// prices by zone; a plain number is the price in zone z1.
type prices map[string]float64

func (p *prices) UnmarshalJSON(b []byte) error {
	var one float64
	if json.Unmarshal(b, &one) == nil {
		*p = prices{"z1": one}
		return nil
	}
	return json.Unmarshal(b, (*map[string]float64)(p))
}

type pool struct {
	Name          string            `json:"name,omitempty"`         // default default
	Requirements  []requirement     `json:"requirements,omitempty"` // "zone In z1,z2"
	Labels        map[string]string `json:"labels,omitempty"`
	Taints        []taint           `json:"taints,omitempty"` // "team=a:NoSchedule"
	StartupTaints []taint           `json:"startupTaints,omitempty"`
	Limits        karpv1.Limits     `json:"limits,omitempty"`
	Weight        *int32            `json:"weight,omitempty"`
	Budgets       []karpv1.Budget   `json:"budgets,omitempty"`          // default 100 %
	Policy        string            `json:"policy,omitempty"`           // default WhenEmptyOrUnderutilized
	After         string            `json:"consolidateAfter,omitempty"` // default 0s
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type pod struct {
	Name        string            `json:"name"` // with a count: name-1, name-2, …
	Needs       amount            `json:"needs"`
	Count       int               `json:"count,omitempty"`
	App         string            `json:"app,omitempty"` // its owner and label; default the name without its number
	Namespace   string            `json:"namespace,omitempty"`
	Owner       string            `json:"owner,omitempty"` // kind; default ReplicaSet
	Selector    map[string]string `json:"selector,omitempty"`
	Affinity    [][]requirement   `json:"affinity,omitempty"` // any of these terms
	Tolerations []toleration      `json:"tolerations,omitempty"`
	Apart       []string          `json:"apart,omitempty"` // apps that it must not share a node with
	Ports       []int32           `json:"hostPorts,omitempty"`
	Priority    *int32            `json:"priority,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Protected   bool              `json:"protected,omitempty"` // karpenter.sh/do-not-disrupt
	Init        []initContainer   `json:"init,omitempty"`
	Age         *metav1.Duration  `json:"age,omitempty"` // default 24h
	Terminating bool              `json:"terminating,omitempty"`
	Nominated   string            `json:"nominated,omitempty"`
}

type initContainer struct {
	Needs   amount `json:"needs"`
	Sidecar bool   `json:"sidecar,omitempty"`
}

// node is a Node of a pool with its NodeClaim, initialized and consolidatable
// unless it says otherwise.
type node struct {
	Name          string            `json:"name"`            // with a count: name-1, name-2, …
	Count         int               `json:"count,omitempty"` // and its pods are pod-1, pod-2, …
	Type          string            `json:"type"`
	Pods          []pod             `json:"pods,omitempty"`
	Pool          string            `json:"pool,omitempty"`     // default default
	Zone          string            `json:"zone,omitempty"`     // default z1
	Capacity      string            `json:"capacity,omitempty"` // default on-demand
	Labels        map[string]string `json:"labels,omitempty"`
	Allocatable   amount            `json:"allocatable,omitempty"` // where it differs from the type's size
	StartupTaints []taint           `json:"startupTaints,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
	Reservation   string            `json:"reservation,omitempty"`
	Drifted       *metav1.Duration  `json:"drifted,omitempty"` // for this long
	LastPodEvent  *metav1.Duration  `json:"lastPodEvent,omitempty"`
	Age           *metav1.Duration  `json:"age,omitempty"`                    // default 168h
	EndOfLife     *metav1.Duration  `json:"terminationGracePeriod,omitempty"` // its pool's, too

	Expired           bool `json:"expired,omitempty"`
	NotReady          bool `json:"notReady,omitempty"`
	Cordoned          bool `json:"cordoned,omitempty"`
	Deleting          bool `json:"deleting,omitempty"`
	Joining           bool `json:"joining,omitempty"`   // a Node that is not initialized yet
	ClaimOnly         bool `json:"claimOnly,omitempty"` // a NodeClaim without a Node
	Claimless         bool `json:"claimless,omitempty"` // a Node of a pool, by its label alone
	Foreign           bool `json:"foreign,omitempty"`   // of no pool
	NotConsolidatable bool `json:"notConsolidatable,omitempty"`
}

// daemon tolerates every taint unless it is Shy.
type daemon struct {
	Name     string            `json:"name"`
	Needs    amount            `json:"needs,omitempty"`
	Selector map[string]string `json:"selector,omitempty"`
	Ports    []int32           `json:"hostPorts,omitempty"`
	Shy      bool              `json:"shy,omitempty"`
}

type pdb struct {
	App            string `json:"app"`
	Allowed        int32  `json:"allowed"` // disruptions allowed now
	MaxUnavailable *int   `json:"maxUnavailable,omitempty"`
	MinAvailable   *int   `json:"minAvailable,omitempty"`
}

type overlay struct {
	Requirements []requirement `json:"requirements"`
	Price        string        `json:"price,omitempty"`
	Adjustment   string        `json:"adjustment,omitempty"`
}

// Defaults of the short form.
var tuesdayMorning = metav1.Date(2026, time.December, 1, 9, 0, 0, 0, time.UTC)

const (
	defaultPool     = "default"
	defaultZone     = "z1"
	defaultPodAge   = 24 * time.Hour
	defaultNodeAge  = 7 * 24 * time.Hour
	defaultPodSlots = 110
	daemonNamespace = "kube-system"
)

type (
	amount      corev1.ResourceList
	requirement corev1.NodeSelectorRequirement
	taint       corev1.Taint
	toleration  corev1.Toleration
)
