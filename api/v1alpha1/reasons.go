package v1alpha1

// Reasons why a pod is left waiting.
const (
	UnplacedNoInstanceTypeFits  = "NoInstanceTypeFits"
	UnplacedNoOfferingAvailable = "NoOfferingAvailable"
	UnplacedPoolLimit           = "PoolLimit"
	UnplacedClusterLimit        = "ClusterLimit"
	UnplacedNodeLimit           = "NodeLimit"
	UnplacedMoneyLimit          = "MoneyLimit"
	UnplacedTopologySpread      = "TopologySpread"
	UnplacedPodAffinity         = "PodAffinity"
	UnplacedPodAntiAffinity     = "PodAntiAffinity"
	UnplacedNodeAffinity        = "NodeAffinity"
	UnplacedTaints              = "Taints"
	UnplacedVolumeZone          = "VolumeZone"
	UnplacedVolumeMissing       = "VolumeMissing"
	UnplacedVolumeLimit         = "VolumeLimit"
	UnplacedHostPort            = "HostPort"
	UnplacedDeviceClaim         = "DeviceClaim"
	UnplacedMinValues           = "MinValues"
	UnplacedReservationFull     = "ReservationFull"
	UnplacedInvalidPod          = "InvalidPod"
	UnplacedTimeLimit           = "TimeLimit"
)

// Reasons why a node is kept. A node has the first that applies, in this order.
const (
	KeptNotManaged          = "NotManaged"
	KeptNotInitialized      = "NotInitialized"
	KeptHold                = "Hold"
	KeptDriftReported       = "DriftReported"
	KeptUnmovablePod        = "UnmovablePod"
	KeptDoNotDisrupt        = "DoNotDisrupt"
	KeptProtectedJob        = "ProtectedJob"
	KeptPodDisruptionBudget = "PodDisruptionBudget"
	KeptNominated           = "Nominated"
	KeptConsolidationOff    = "ConsolidationOff"
	KeptNotConsolidatable   = "NotConsolidatable"
	KeptUnknownPrice        = "UnknownPrice"
	KeptQuietPeriod         = "QuietPeriod"
	KeptWindow              = "Window"
	KeptBudget              = "Budget"
	KeptSpotFlexibility     = "SpotFlexibility"
	KeptMinSavings          = "MinSavings"
	KeptNoRoom              = "NoRoom"
	KeptOptimal             = "Optimal"
	KeptTimeLimit           = "TimeLimit"
)

// KeptReasons lists the reasons to keep a node by precedence.
var KeptReasons = []string{
	KeptNotManaged, KeptNotInitialized, KeptHold, KeptDriftReported, KeptUnmovablePod, KeptDoNotDisrupt,
	KeptProtectedJob, KeptPodDisruptionBudget, KeptNominated, KeptConsolidationOff, KeptNotConsolidatable,
	KeptUnknownPrice, KeptQuietPeriod, KeptWindow, KeptBudget, KeptSpotFlexibility, KeptMinSavings,
	KeptNoRoom, KeptOptimal, KeptTimeLimit,
}

// Reasons for a launch.
const (
	LaunchPending       = "Pending"
	LaunchConsolidation = "Consolidation"
	LaunchDrift         = "Drift"
	LaunchReplacement   = "Replacement"
	LaunchBuffer        = "Buffer"
	LaunchStatic        = "Static"
)

// Reasons for a removal.
const (
	RemovalEmpty         = "Empty"
	RemovalUnderutilized = "Underutilized"
	RemovalDrifted       = "Drifted"
	RemovalExpired       = "Expired"
	RemovalInterrupted   = "Interrupted"
	RemovalUnhealthy     = "Unhealthy"
	RemovalDeleted       = "Deleted"
)
