package scenarios_test

import (
	"testing"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/cpsat"
	"github.com/mortise-io/mortise/solver/lp"
)

// TestEnginesOfLibraries asks every other engine for what TestScenarios asks
// the built-in one for.
func TestEnginesOfLibraries(t *testing.T) {
	for _, l := range lp.Libraries() {
		if l.Err != nil {
			t.Skipf("make native fetches it: %v", l.Err)
		}
	}
	for _, engine := range []string{solver.EngineHiGHS, cpsat.Engine} {
		for name, s := range load(t, casesFolder) {
			t.Run(engine+"/"+name, func(t *testing.T) {
				t.Parallel()
				c := s.cluster
				steps := append([]step{{Expect: s.Expect}}, s.Then...)
				for i := range steps {
					c.change(&steps[i])
					plan := planBy(t, engine, c.snapshot(), s.Potential)
					if plan.Outcome == v1alpha1.Fallback {
						t.Errorf("the engine did not answer: %v", plan.Warnings)
					}
					for _, fault := range steps[i].Expect.faults(&c, plan) {
						t.Errorf("%s, step %d: %s", s.Title, i+1, fault)
					}
					if t.Failed() {
						return // later steps stand on this plan
					}
					c.apply(plan, i+1)
				}
			})
		}
	}
}
