package verify

import (
	"fmt"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Plan returns every rule that p breaks in s, sorted; none for a valid plan.
//
// The snapshot's catalog must be resolved into its InstanceTypes, and its
// objects typed. Any plan may be asked about, however malformed.
func Plan(s *v1alpha1.Snapshot, p *v1alpha1.Plan) []Violation {
	if s == nil || p == nil {
		return []Violation{{RuleDocument, "plan", "there is no snapshot or no plan"}}
	}
	c := &check{cluster: newCluster(s), plan: p}
	c.apply()
	for _, rule := range rules {
		rule(c)
	}
	return sorted(c.violations)
}

// rules are all rules, in the order of the package's files. None depends on another.
var rules = []func(*check){
	checkDocument,
	checkPlacements,
	checkMoves,
	checkUnplaced,
	checkDestinations,
	checkResources,
	checkNodeAffinity,
	checkTaints,
	checkHostPorts,
	checkHostAntiAffinity,
	checkLaunches,
	checkPrices,
	checkAlternatives,
	checkReservations,
	checkSpotDiversity,
	checkSpotFlexibility,
	checkPoolLimits,
	checkClusterLimits,
	checkRemovals,
	checkProtections,
	checkMovePending,
	checkBudgets,
	checkBalanced,
	checkKept,
	checkSteps,
	checkTurns,
	checkCost,
	checkBound,
}

// check is one plan being held against one cluster.
type check struct {
	*cluster
	plan *v1alpha1.Plan
	outcome

	violations []Violation
}

// report adds a violation.
func (c *check) report(rule, object, format string, args ...any) {
	c.violations = append(c.violations, Violation{rule, object, fmt.Sprintf(format, args...)})
}
