package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Policy says what a plan may cost and what it must leave alone. Every field
// is optional, and the zero value is a good policy: Default fills in what is absent.
type Policy struct {
	metav1.TypeMeta `json:",inline"`

	// PoolOrder is price (the default) or weight.
	PoolOrder string `json:"poolOrder,omitempty"`
	// NodeFee is added to the price of every node, USD per hour.
	NodeFee  *float64      `json:"nodeFee,omitempty"`
	NodeFees []SelectorFee `json:"nodeFees,omitempty"`
	Savings  *Savings      `json:"savings,omitempty"`
	// EvictionCost is USD charged once per evicted pod, spread over Horizon. Default 0.01.
	EvictionCost *float64 `json:"evictionCost,omitempty"`
	// StartupCost is USD charged once per launched node, spread over Horizon.
	StartupCost  *float64       `json:"startupCost,omitempty"`
	StartupCosts []SelectorCost `json:"startupCosts,omitempty"`
	// Horizon is the time over which one-off costs are spread. Default 24h.
	Horizon *metav1.Duration `json:"horizon,omitempty"`
	// Consolidate false: only provision, and replace what must go. Default true.
	Consolidate *bool `json:"consolidate,omitempty"`
	// MovePending false: a plan that buys for pending pods removes no node voluntarily. Default true.
	MovePending *bool `json:"movePending,omitempty"`
	// SpotFlexibility is how many instance types must do for a spot launch that replaces a spot node. Default 1.
	SpotFlexibility *int32 `json:"spotFlexibility,omitempty"`
	// SpotRisk is USD per hour added to each spot node.
	SpotRisk          *float64         `json:"spotRisk,omitempty"`
	OfferingPenalties []SelectorAmount `json:"offeringPenalties,omitempty"`
	// SpotDiversity is the largest share of a pool's spot nodes that one instance type in one zone may have. Default 1.
	SpotDiversity *float64 `json:"spotDiversity,omitempty"`
	// QuietPeriod protects a node that gained or lost a pod this recently. Default 0.
	QuietPeriod *metav1.Duration `json:"quietPeriod,omitempty"`
	// QuietScope is source (the default) or sourceAndDestination.
	QuietScope string   `json:"quietScope,omitempty"`
	Windows    []Window `json:"windows,omitempty"`
	// Drift is act (the default) or report.
	Drift string `json:"drift,omitempty"`
	// ProtectJobs keeps pods owned by a Job where they are.
	ProtectJobs *bool `json:"protectJobs,omitempty"`
	// EvictBarePods allows the eviction of pods that no controller would bring back.
	EvictBarePods *bool `json:"evictBarePods,omitempty"`
	// RepairAfter is how long a node may be NotReady before it is Unhealthy. Default 30m.
	RepairAfter *metav1.Duration `json:"repairAfter,omitempty"`
	// MaxPremium is a percentage above the cheapest offering that could carry a launch's pods. Default none.
	MaxPremium  *float64     `json:"maxPremium,omitempty"`
	Preferences *Preferences `json:"preferences,omitempty"`
	Balance     []Balance    `json:"balance,omitempty"`
	// Limits hold for the whole cluster: perHour, nodes, or any resource.
	Limits map[string]resource.Quantity `json:"limits,omitempty"`
	// Gap is the relative gap at which the search may stop. Default 0.001.
	Gap *float64 `json:"gap,omitempty"`
	// WorkLimit bounds the search in deterministic units; about ten seconds of one core by default.
	WorkLimit *uint64 `json:"workLimit,omitempty"`
	// TimeLimit is the safety stop by the clock. Default 30s.
	TimeLimit *metav1.Duration `json:"timeLimit,omitempty"`
	Seed      *uint64          `json:"seed,omitempty"`
	// Manage adopts nodes of other autoscalers into a node pool.
	Manage []Manage `json:"manage,omitempty"`
	// SchedulerNames are the schedulers whose pods are planned. Default [default-scheduler].
	SchedulerNames []string `json:"schedulerNames,omitempty"`
	// ExpandWorkloads turns workloads into the pods that are missing of them.
	ExpandWorkloads *bool `json:"expandWorkloads,omitempty"`
}

// Pool orders.
const (
	PoolOrderPrice  = "price"
	PoolOrderWeight = "weight"
)

// Quiet scopes.
const (
	QuietScopeSource               = "source"
	QuietScopeSourceAndDestination = "sourceAndDestination"
)

// What to do about drifted nodes.
const (
	DriftAct    = "act"
	DriftReport = "report"
)

// SelectorFee is a fee per hour of the nodes that a selector matches.
type SelectorFee struct {
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	Fee      float64               `json:"fee"`
}

// SelectorCost is a one-off cost of the launches that a selector matches, USD.
type SelectorCost struct {
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	Cost     float64               `json:"cost"`
}

// SelectorAmount is a penalty per hour of the nodes that a selector matches, USD.
type SelectorAmount struct {
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	PerHour  float64               `json:"perHour"`
}

// Savings is the hurdle that voluntary removals have to pass.
type Savings struct {
	// Percent of the price of each removed node.
	Percent float64 `json:"percent,omitempty"`
	// PerHour is charged once if there is any voluntary removal.
	PerHour float64 `json:"perHour,omitempty"`
}

// Window allows removals of some pools and reasons only while it is open.
type Window struct {
	NodePools []string `json:"nodePools,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
	Allow     []Allow  `json:"allow"`
}

// Allow is open for Duration after each hit of a cron schedule in an IANA time zone.
type Allow struct {
	Schedule string          `json:"schedule"`
	TimeZone string          `json:"timeZone,omitempty"`
	Duration metav1.Duration `json:"duration"`
}

// Preferences price what pods wish for: USD per hour and unit not met. Absent fields keep their defaults.
type Preferences struct {
	PodAffinityWeight     *float64 `json:"podAffinityWeight,omitempty"`
	NodeAffinityWeight    *float64 `json:"nodeAffinityWeight,omitempty"`
	SoftSpread            *float64 `json:"softSpread,omitempty"`
	SoftTaint             *float64 `json:"softTaint,omitempty"`
	DefaultTopologySpread *bool    `json:"defaultTopologySpread,omitempty"`
}

// Balance prices an uneven spread of nodes over a topology key.
type Balance struct {
	TopologyKey string             `json:"topologyKey"`
	NodePools   []string           `json:"nodePools,omitempty"`
	Value       float64            `json:"value"`
	Shares      map[string]float64 `json:"shares,omitempty"`
}

// Manage adopts the nodes that Selector matches into NodePool.
type Manage struct {
	Selector *metav1.LabelSelector `json:"selector"`
	NodePool string                `json:"nodePool"`
}

// Limit names that are not resources.
const (
	LimitNodes   = "nodes"
	LimitPerHour = "perHour"
)

// DefaultScheduler is the scheduler whose pods are planned unless the policy names others.
const DefaultScheduler = corev1.DefaultSchedulerName
