package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
)

// TestSolutionsOfAnotherProblemAreFound holds Check to finding indices out of
// range, where it could as well fall over them.
func TestSolutionsOfAnotherProblemAreFound(t *testing.T) {
	p := &model.Problem{
		Resources: []string{"cpu"},
		Pools:     []model.Pool{{Name: "default"}},
		Groups:    []model.PodGroup{{Name: "web", Request: model.Quantities{1}, Demand: 1, Shapes: setOf(0)}},
		Shapes:    []model.Shape{{Name: "small", Allocatable: model.Quantities{1}, Capacity: model.Quantities{1}, Reservation: model.None}},
		Nodes:     []model.Node{{Name: "n1", Free: model.Quantities{1}, Capacity: model.Quantities{1}}},
	}
	good := func() *model.Solution {
		return &model.Solution{
			Launches: []model.Machine{{Shape: 0, Pods: []model.Count{{Group: 0, N: 1}}}},
			Nodes:    []model.Fate{{Removal: model.Stays}},
			Unplaced: []int{0},
		}
	}
	require.Empty(t, model.Check(p, good()))

	for _, c := range []struct {
		name  string
		spoil func(*model.Solution)
	}{
		{"a solution of nothing", func(s *model.Solution) { *s = model.Solution{} }},
		{"a fate too many", func(s *model.Solution) { s.Nodes = append(s.Nodes, s.Nodes[0]) }},
		{"an unplaced count too many", func(s *model.Solution) { s.Unplaced = append(s.Unplaced, 0) }},
		{"a shape too high", func(s *model.Solution) { s.Launches[0].Shape = 1 }},
		{"a shape below zero", func(s *model.Solution) { s.Launches[0].Shape = model.None }},
		{"a launched group too high", func(s *model.Solution) { s.Launches[0].Pods[0].Group = 1 }},
		{"a group below zero on a node", func(s *model.Solution) { s.Nodes[0].Pods = []model.Count{{Group: -1, N: 1}} }},
		{"a removal that is none", func(s *model.Solution) { s.Nodes[0].Removal = 77 }},
		{"the number of budgets as a removal", func(s *model.Solution) { s.Nodes[0].Removal = model.NumBudgets }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := good()
			c.spoil(s)
			found := model.Check(p, s)
			require.NotEmpty(t, found)
			require.Equal(t, "Form", found[0].Rule)
		})
	}
}
