package verify

import (
	"cmp"
	"fmt"
	"slices"
)

// Violation is one rule that a plan breaks.
type Violation struct {
	// Rule is one of the Rule constants.
	Rule string
	// Object is what breaks it: "pod default/a", "node n1", "launch launch-1", "pool default", or "plan".
	Object string
	// Message says what was found and what is right.
	Message string
}

func (v Violation) String() string {
	return fmt.Sprintf("%s: %s: %s", v.Rule, v.Object, v.Message)
}

// Rules about the plan as a document.
const (
	// RuleDocument: the plan is a Plan of a known version, its words are known ones.
	RuleDocument = "Document"
	// RulePlacement: every pending pod is placed once or left waiting, and no other is placed.
	RulePlacement = "Placement"
	// RuleMove: every movable pod of a removed node moves once, and no other moves.
	RuleMove = "Move"
	// RuleUnplaced: only pods that need a place are left waiting, each for a known reason, and they are counted right.
	RuleUnplaced = "Unplaced"
	// RuleDestination: a pod goes to one machine that is there at the end and may receive it.
	RuleDestination = "Destination"
	// RuleKept: every machine is either kept or removed.
	RuleKept = "Kept"
	// RuleSteps: every launch and removal is in one step, launches come first, pods that share a budget go in turn.
	RuleSteps = "Steps"
	// RuleCost: the figures are those of the outcome.
	RuleCost = "Cost"
	// RuleBound: lower bound, gap and outcome agree with each other.
	RuleBound = "Bound"
)

// Rules about pods on machines.
const (
	RuleResources       = "Resources"
	RuleNodeAffinity    = "NodeAffinity"
	RuleTaints          = "Taints"
	RuleHostPort        = "HostPort"
	RulePodAntiAffinity = "PodAntiAffinity"
)

// Rules about launches.
const (
	// RuleLaunch: a launch has an ID of its own, labels that its node can have, and carries the pods it lists, at least one.
	RuleLaunch = "Launch"
	// RuleOffering: what is launched is for sale in its pool.
	RuleOffering = "Offering"
	// RulePrice: stated prices are those of the catalog after overlays.
	RulePrice = "Price"
	// RuleAlternatives: alternatives are for sale, could carry the same pods, and are listed cheapest first.
	RuleAlternatives    = "Alternatives"
	RuleReservation     = "Reservation"
	RuleSpotDiversity   = "SpotDiversity"
	RuleSpotFlexibility = "SpotFlexibility"
	RulePoolLimit       = "PoolLimit"
	RuleNodeLimit       = "NodeLimit"
	RuleMoneyLimit      = "MoneyLimit"
	RuleClusterLimit    = "ClusterLimit"
)

// Rules about removals. What forbids to remove a node has the word of the
// reason to keep it.
const (
	// RuleRemoval: removals name known nodes, once each, and nodes that go anyway are among them.
	RuleRemoval = "Removal"
	// RuleRemovalReason: a node is removed for a reason that it has.
	RuleRemovalReason       = "RemovalReason"
	RuleNotManaged          = "NotManaged"
	RuleNotInitialized      = "NotInitialized"
	RuleHold                = "Hold"
	RuleDriftReported       = "DriftReported"
	RuleUnmovablePod        = "UnmovablePod"
	RuleDoNotDisrupt        = "DoNotDisrupt"
	RuleProtectedJob        = "ProtectedJob"
	RulePodDisruptionBudget = "PodDisruptionBudget"
	RuleNominated           = "Nominated"
	RuleConsolidationOff    = "ConsolidationOff"
	RuleNotConsolidatable   = "NotConsolidatable"
	RuleUnknownPrice        = "UnknownPrice"
	RuleQuietPeriod         = "QuietPeriod"
	RuleWindow              = "Window"
	RuleBudget              = "Budget"
	RuleBalanced            = "Balanced"
)

// sorted orders violations by rule, object and message, each once.
func sorted(all []Violation) []Violation {
	slices.SortFunc(all, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(all)
}
