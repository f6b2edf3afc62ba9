package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Plan is what to do about a snapshot, what it costs, and how far from the best it can be.
type Plan struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        PlanMetadata `json:"metadata"`

	SnapshotHash string      `json:"snapshotHash"`
	Time         metav1.Time `json:"time"`
	Outcome      Outcome     `json:"outcome"`
	Currency     string      `json:"currency"`
	// Estimated says that some price in the plan is an estimate.
	Estimated  bool          `json:"estimated"`
	Placement  PlanPlacement `json:"placement"`
	Cost       Cost          `json:"cost"`
	Launches   []Launch      `json:"launches"`
	Removals   []Removal     `json:"removals"`
	Placements []Destination `json:"placements"`
	Unplaced   []Unplaced    `json:"unplaced"`
	Kept       []Kept        `json:"kept"`
	Steps      []Step        `json:"steps"`
	Potential  *Potential    `json:"potential,omitempty"`
	Warnings   []string      `json:"warnings"`
	Solver     SolverReport  `json:"solver"`
}

// PlanMetadata names a plan.
type PlanMetadata struct {
	Name string `json:"name"`
}

// Outcome says what is proved about a plan.
type Outcome string

const (
	// Optimal: no valid plan is better.
	Optimal Outcome = "Optimal"
	// Feasible: valid, with the gap stated.
	Feasible Outcome = "Feasible"
	// Fallback: the engine asked for failed, and the built-in engine answered.
	Fallback Outcome = "Fallback"
)

// PlanPlacement says how many pods the plan leaves waiting, by priority.
type PlanPlacement struct {
	UnplacedByPriority map[string]int `json:"unplacedByPriority"`
	// Proved says that no plan leaves fewer waiting.
	Proved bool `json:"proved"`
}

// Cost is what the cluster costs, USD per hour. Prices of all nodes whose price is known.
type Cost struct {
	BeforePerHour     float64   `json:"beforePerHour"`
	AfterPerHour      float64   `json:"afterPerHour"`
	LowerBoundPerHour float64   `json:"lowerBoundPerHour"`
	Gap               float64   `json:"gap"`
	Premiums          []Premium `json:"premiums,omitempty"`
	Objective         Objective `json:"objective"`
}

// Objective is what the solver minimizes, by part, USD per hour.
type Objective struct {
	Prices     float64 `json:"prices"`
	Fees       float64 `json:"fees"`
	Moves      float64 `json:"moves"`
	Penalties  float64 `json:"penalties"`
	Total      float64 `json:"total"`
	LowerBound float64 `json:"lowerBound"`
}

// Premium is what one cause costs over the plan without it.
type Premium struct {
	Cause   string  `json:"cause"`
	PerHour float64 `json:"perHour"`
}

// Launch is one machine to buy.
type Launch struct {
	ID           string              `json:"id"`
	NodePool     string              `json:"nodePool"`
	InstanceType string              `json:"instanceType"`
	Zone         string              `json:"zone"`
	CapacityType string              `json:"capacityType"`
	Reservation  string              `json:"reservation,omitempty"`
	Labels       map[string]string   `json:"labels"`
	Taints       []corev1.Taint      `json:"taints"`
	PricePerHour float64             `json:"pricePerHour"`
	Allocatable  corev1.ResourceList `json:"allocatable"`
	// Requests are those of its pods and of the daemons that will land there.
	Requests     corev1.ResourceList `json:"requests"`
	Reason       string              `json:"reason"`
	Pods         []string            `json:"pods"`
	Alternatives []Alternative       `json:"alternatives"`
}

// Alternative is another offering of the same pool that could carry the pods of a launch.
type Alternative struct {
	InstanceType string  `json:"instanceType"`
	Zone         string  `json:"zone"`
	CapacityType string  `json:"capacityType"`
	Reservation  string  `json:"reservation,omitempty"`
	PricePerHour float64 `json:"pricePerHour"`
}

// Removal is one node to take away.
type Removal struct {
	Node         string        `json:"node,omitempty"`
	NodeClaim    string        `json:"nodeClaim,omitempty"`
	NodePool     string        `json:"nodePool"`
	PricePerHour float64       `json:"pricePerHour"`
	Reason       string        `json:"reason"`
	Step         int           `json:"step"`
	Moves        []Destination `json:"moves"`
}

// Destination is where a pod goes: exactly one of Node, NodeClaim and Launch is set.
type Destination struct {
	Pod       string `json:"pod"`
	Node      string `json:"node,omitempty"`
	NodeClaim string `json:"nodeClaim,omitempty"`
	Launch    string `json:"launch,omitempty"`
}

// Unplaced are pods that the plan leaves waiting for one reason.
type Unplaced struct {
	Pods    []string `json:"pods"`
	Reason  string   `json:"reason"`
	Message string   `json:"message"`
}

// Kept is a node that stays, and why. A claim without a Node is named in Node
// by the end of its provider ID, or else by its own name.
type Kept struct {
	Node      string `json:"node"`
	NodeClaim string `json:"nodeClaim,omitempty"`
	// NodePool manages the node; empty if none does.
	NodePool string `json:"nodePool,omitempty"`
	Reason   string `json:"reason"`
	Message  string `json:"message"`
}

// Step is work that may go on at once, after other steps are done. A step is
// done when its nodes are gone, its launches are ready and all its moved pods are Ready.
type Step struct {
	Step   int      `json:"step"`
	After  []int    `json:"after,omitempty"`
	Launch []string `json:"launch,omitempty"`
	Remove []string `json:"remove,omitempty"`
}

// Potential is what the rules hold back, USD per hour.
type Potential struct {
	AfterPerHour float64            `json:"afterPerHour"`
	HeldBackBy   map[string]float64 `json:"heldBackBy"`
}

// SolverReport says how a plan was found.
type SolverReport struct {
	Engine     string  `json:"engine"`
	Seconds    float64 `json:"seconds"`
	Iterations int     `json:"iterations"`
	Columns    int     `json:"columns"`
	Groups     int     `json:"groups"`
	Shapes     int     `json:"shapes"`
	Stop       string  `json:"stop"`
}
