package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
)

func TestCostOf(t *testing.T) {
	t.Parallel()
	p, s := cluster()
	p.Rules.SavingsOnce = 100
	p.Shapes[large].Fee, p.Shapes[large].Penalty = 30, 40
	require.Equal(t, model.Cost{
		Prices:    3 * model.Dollar, // stays, stale and the launch
		Fees:      3 + 30,
		Moves:     5 + 7,         // evictions from used, a start-up
		Penalties: 11 + 40 + 100, // used's hurdle, the launch's, and once
	}, model.CostOf(p, s))
	require.Equal(t, 3*model.Dollar+33+12+151, model.CostOf(p, s).Total())

	s.Nodes[used].Removal, s.Nodes[idle].Removal, s.Nodes[stale].Removal = model.Stays, model.Stays, model.Drifted
	require.Equal(t, model.Cost{Prices: 5 * model.Dollar, Fees: 33, Moves: 7 + 2, Penalties: 40}, model.CostOf(p, s), "drift asks for no savings")
}

func TestScoreOf(t *testing.T) {
	t.Parallel()
	p, s := cluster()
	p.Pools = append(p.Pools, model.Pool{Name: "heavy", Weight: 10}, model.Pool{Name: "heaviest", Weight: 20})
	p.Groups[db].Priority = 7
	s.Unplaced[web] = 1
	score := model.ScoreOf(p, s)
	require.Equal(t, []int{0, 1}, score.Unplaced, "by priority, highest first")
	require.Equal(t, []int{1}, score.Drift, "stale should go")
	require.Equal(t, 1, score.Moves)
	require.Equal(t, 1, score.Launches)
	require.Equal(t, 2, score.Rank, "two pools are heavier")
	require.Empty(t, score.Weight)
	require.Equal(t, model.CostOf(p, s).Total(), score.Cost)

	p.Rules.PoolWeights = true
	require.Equal(t, []int{3, 3}, model.ScoreOf(p, s).Weight, "below the highest weight, below the next")
	p.Shapes[large].Pool = 1
	require.Equal(t, []int{3, 0}, model.ScoreOf(p, s).Weight)
	s.Nodes[stale].Removal = model.Drifted
	require.Equal(t, []int{0}, model.ScoreOf(p, s).Drift)
}

// TestGoalsCompareInTheirOrder: a goal is never traded for one below it.
func TestGoalsCompareInTheirOrder(t *testing.T) {
	t.Parallel()
	better := []model.Score{
		{Unplaced: []int{0, 9}, Drift: []int{1}, Weight: []int{9}, Cost: 9, Moves: 9, Launches: 9, Rank: 9},
		{Unplaced: []int{1, 0}, Drift: []int{0, 1}, Weight: []int{9}, Cost: 9, Moves: 9, Launches: 9, Rank: 9},
		{Unplaced: []int{1, 0}, Drift: []int{1, 0}, Weight: []int{0, 9}, Cost: 9, Moves: 9, Launches: 9, Rank: 9},
		{Unplaced: []int{1, 0}, Drift: []int{1, 0}, Weight: []int{1, 0}, Cost: 1, Moves: 9, Launches: 9, Rank: 9},
		{Unplaced: []int{1, 0}, Drift: []int{1, 0}, Weight: []int{1, 0}, Cost: 2, Moves: 1, Launches: 9, Rank: 9},
		{Unplaced: []int{1, 0}, Drift: []int{1, 0}, Weight: []int{1, 0}, Cost: 2, Moves: 2, Launches: 1, Rank: 9},
		{Unplaced: []int{1, 0}, Drift: []int{1, 0}, Weight: []int{1, 0}, Cost: 2, Moves: 2, Launches: 2, Rank: 1},
		{Unplaced: []int{1, 0}, Drift: []int{1, 0}, Weight: []int{1, 0}, Cost: 2, Moves: 2, Launches: 2, Rank: 2},
	}
	for i, a := range better {
		for k, b := range better {
			require.Equal(t, i < k, a.Compare(b) < 0, "%d and %d", i, k)
			require.Equal(t, i == k, a.Compare(b) == 0, "%d and %d", i, k)
		}
	}
	require.True(t, better[4].SameGoals(better[7]))
	require.False(t, better[2].SameGoals(better[7]))
}
