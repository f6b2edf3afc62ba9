package snapshot

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// Assemble names the pods, nodes and launches of a solution, which has to be a
// valid one of c.Problem. Equal solutions have equal plans, in whatever order
// their launches are.
//
// What only the search knows is left for the planner: the outcome, the bounds,
// whether the placement is proved, the solver's report, and the reasons of kept
// nodes that no rule names (see planKept).
func Assemble(c *Compiled, s *model.Solution) *v1alpha1.Plan {
	d := dealPods(c, s)
	p := &v1alpha1.Plan{
		TypeMeta:     metav1.TypeMeta{APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.KindPlan},
		SnapshotHash: Hash(c.snapshot),
		Time:         c.snapshot.Time,
		Currency:     currency,
		Estimated:    d.estimated(),
		Placement:    v1alpha1.PlanPlacement{UnplacedByPriority: d.unplacedByPriority()},
		Cost:         d.cost(),
		Launches:     d.planLaunches(),
		Removals:     d.planRemovals(),
		Placements:   d.planPlacements(),
		Unplaced:     d.planUnplaced(),
		Kept:         d.planKept(),
		Warnings:     append([]string{}, c.Warnings...),
	}
	p.Steps = d.planSteps(p.Removals)
	p.Metadata.Name = planName(p)
	return p
}

// currency of all prices.
const currency = "USD"

// cost is what the plan changes, before the bounds are known.
func (d *deal) cost() v1alpha1.Cost {
	var before, after model.Money
	for _, m := range d.c.nodes {
		if !m.priced {
			continue
		}
		before += m.price
		if !d.goes(m) {
			after += m.price
		}
	}
	for _, l := range d.launches {
		after += d.c.shapes[l.shape].price
	}
	o := model.CostOf(&d.c.Problem, d.s)
	return v1alpha1.Cost{
		BeforePerHour: before.USD(),
		AfterPerHour:  after.USD(),
		Objective: v1alpha1.Objective{
			Prices:    o.Prices.USD(),
			Fees:      o.Fees.USD(),
			Moves:     o.Moves.USD(),
			Penalties: o.Penalties.USD(),
			Total:     o.Total().USD(),
		},
	}
}

// estimated says whether some price before or after the plan is an estimate.
func (d *deal) estimated() bool {
	for _, m := range d.c.nodes {
		if m.priced && m.offering != nil && m.offering.Estimated {
			return true
		}
	}
	for _, l := range d.launches {
		if d.c.shapes[l.shape].offering.Estimated {
			return true
		}
	}
	return false
}

func (d *deal) unplacedByPriority() map[string]int {
	counts := map[string]int{}
	for _, p := range d.c.invalid {
		counts[strconv.Itoa(int(d.c.priority(p.pod)))]++
	}
	for g, waiting := range d.waiting {
		if len(waiting) > 0 {
			counts[strconv.Itoa(int(d.c.Problem.Groups[g].Priority))] += len(waiting)
		}
	}
	return counts
}

// planName is made of the plan's content, the snapshot's hash included.
func planName(p *v1alpha1.Plan) string {
	content, err := json.Marshal(p)
	if err != nil {
		panic(fmt.Sprintf("a plan is always a JSON document: %v", err))
	}
	sum := sha256.Sum256(content)
	return fmt.Sprintf("plan-%x", sum[:6])
}
