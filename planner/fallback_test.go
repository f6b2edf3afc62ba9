package planner_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/engine"
)

// TestWhereAPlanFailsTheBuiltInEngineAnswers hands the planner solvers that cannot be relied on.
func TestWhereAPlanFailsTheBuiltInEngineAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		spoil func(*solver.Result) error
		says  string
	}{
		{"the solver fails", func(*solver.Result) error { return errors.New("out of order") }, "(solve: out of order)"},
		{"its solution does not answer the problem", func(r *solver.Result) error {
			r.Solution.Nodes[0] = model.Fate{Removal: model.Forced}
			return nil
		}, "(solve: no valid plan: Fate: node n1"},
		{"its solution has no place for a pod", func(r *solver.Result) error {
			r.Solution = model.Solution{Nodes: []model.Fate{{Removal: model.Stays}, {Removal: model.Stays}}, Unplaced: make([]int, len(r.Solution.Unplaced))}
			return nil
		}, "(solve: no valid plan: Demand"},
		{"its figures are not those of its plan", func(r *solver.Result) error {
			r.Score.Cost += model.Dollar
			r.LowerBound = r.Score.Cost
			return nil
		}, "(no valid plan: Bound: plan"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			spoiled := solver.Func(func(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
				o.Engine = solver.EngineBuiltin
				r, err := engine.Solve(ctx, p, o)
				require.NoError(t, err)
				return r, test.spoil(&r)
			})
			s := read(t, pool, node("n1"), node("n2"), pod("a", "1", "n1", ""), pod("b", "1", "n2", ""), pod("c", "1", "", ""))
			plan, err := planner.Plan(t.Context(), s, planner.Options{Engine: solver.EngineHiGHS, Solver: spoiled})
			require.NoError(t, err)
			require.Equal(t, v1alpha1.Fallback, plan.Outcome)
			require.Len(t, plan.Warnings, 1)
			require.Contains(t, plan.Warnings[0], "the first attempt at a plan failed "+test.says)
			require.Contains(t, plan.Warnings[0], ": the built-in engine answered")
			require.Len(t, plan.Removals, 1, "it is as good as any other")
			require.Equal(t, solver.EngineBuiltin, plan.Solver.Engine)
			require.InDelta(t, plan.Cost.Objective.Total, plan.Cost.Objective.LowerBound, 1e-6)
		})
	}
}

// TestTheLastResortRemovesNothing asks for the built-in engine, and lets its plan break a rule.
func TestTheLastResortRemovesNothing(t *testing.T) {
	t.Parallel()
	s := read(t, pool, node("n1"), node("n2"), pod("a", "1", "n1", ""), pod("b", "1", "n2", ""), pod("c", "4", "", ""))
	var certified []*model.Certificate
	plan := planOf(t, s, planner.Options{
		Solver: solver.Func(func(context.Context, *model.Problem, solver.Options) (solver.Result, error) {
			return solver.Result{}, errors.New("out of order")
		}),
		Certificate: func(c *model.Certificate) { certified = append(certified, c) },
	})
	require.Equal(t, v1alpha1.Fallback, plan.Outcome)
	require.Contains(t, plan.Warnings[len(plan.Warnings)-1], "this one removes no node that need not go")
	require.Empty(t, plan.Removals)
	require.Len(t, plan.Launches, 1, "what waits is provided for all the same")
	require.Zero(t, plan.Cost.Objective.LowerBound, "its bound is none of all plans")
	require.Equal(t, []*model.Certificate{nil}, certified)
	for _, k := range plan.Kept {
		require.NotEmpty(t, k.Reason, k.Node)
	}
}

func TestWhatTheSolverSaysOfItsEngineIsRepeated(t *testing.T) {
	t.Parallel()
	absent := solver.Func(func(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
		r, err := engine.Solve(ctx, p, o)
		r.Fallback = "engine highs cannot be used (no library): the built-in engine answered"
		return r, err
	})
	plan := planOf(t, read(t, pool, pod("a", "1", "", "")), planner.Options{Solver: absent})
	require.Equal(t, v1alpha1.Fallback, plan.Outcome)
	require.Equal(t, []string{"engine highs cannot be used (no library): the built-in engine answered"}, plan.Warnings)
}

func TestNobodyFallsBackFromWhatWasCanceledOrAskedWrong(t *testing.T) {
	t.Parallel()
	s := read(t, pool, pod("a", "1", "", ""))
	_, err := planner.Plan(t.Context(), s, planner.Options{Engine: "gurobi"})
	require.EqualError(t, err, `engine "gurobi": expected one of auto, highs, cpsat, builtin`)

	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err = planner.Plan(ctx, s, planner.Options{Solver: solver.Func(func(ctx context.Context, _ *model.Problem, _ solver.Options) (solver.Result, error) {
		calls++
		cancel()
		return solver.Result{}, ctx.Err()
	})})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, calls)

	s.Policy.NodeFees = []v1alpha1.SelectorFee{{Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}}}
	_, err = planner.Plan(t.Context(), s, planner.Options{})
	require.ErrorIs(t, err, planner.ErrSnapshot)
	require.ErrorContains(t, err, "compile snapshot: policy.nodeFees[0].selector")
}
