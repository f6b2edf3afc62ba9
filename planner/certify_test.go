package planner

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
)

func TestACertificateCoversPlansThatMeetItsAssumptions(t *testing.T) {
	waiting := func(group string, n int) []model.GroupCount { return []model.GroupCount{{Group: group, Pods: n}} }
	for _, c := range []struct {
		name    string
		assumed model.Assumptions
		plan    model.Assumptions
		want    string
	}{
		{"nothing is assumed of a plan that leaves nothing", model.Assumptions{}, model.Assumptions{}, ""},
		{"the same pods wait", model.Assumptions{Unplaced: waiting("a", 2)}, model.Assumptions{Unplaced: waiting("a", 2)}, ""},
		{"more pods wait in the plan", model.Assumptions{}, model.Assumptions{Unplaced: waiting("a", 1)}, "other pods of group a wait"},
		{"fewer pods wait in the plan", model.Assumptions{Unplaced: waiting("a", 1)}, model.Assumptions{}, "other pods of group a wait"},
		{"as many pods of another group wait", model.Assumptions{Unplaced: waiting("a", 1)}, model.Assumptions{Unplaced: waiting("b", 1)}, "other pods of group b wait"},
		{"more drifted nodes go", model.Assumptions{Drifted: []string{"x"}}, model.Assumptions{Drifted: []string{"x", "y"}}, ""},
		{"a drifted node stays", model.Assumptions{Drifted: []string{"x"}}, model.Assumptions{Drifted: []string{"y"}}, "node x does not go as drifted"},
		{"fewer pods are below a weight", model.Assumptions{Weight: []int{3, 1}}, model.Assumptions{Weight: []int{2, 1}}, ""},
		{"more pods are below a weight", model.Assumptions{Weight: []int{3, 1}}, model.Assumptions{Weight: []int{3, 2}}, "2 pods are on launches below a pool weight, and 1 were assumed"},
		{"weights do not matter", model.Assumptions{}, model.Assumptions{Weight: []int{3}}, ""},
	} {
		err := covers(&c.assumed, c.plan)
		if c.want == "" {
			require.NoError(t, err, c.name)
		} else {
			require.EqualError(t, err, c.want, c.name)
		}
	}
}
