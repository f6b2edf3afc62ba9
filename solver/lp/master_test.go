package lp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// covering is a random program of both senses, some of which cannot be met.
type covering struct {
	senses  []Sense
	rhs     []float64
	cost    []float64
	entries [][]Entry
}

func randomCovering(seed uint64) covering {
	r := rand.New(rand.NewPCG(seed, 3))
	rows, columns := 1+r.IntN(8), 4+r.IntN(30)
	c := covering{senses: make([]Sense, rows), rhs: make([]float64, rows), cost: make([]float64, columns), entries: make([][]Entry, columns)}
	for i := range rows {
		if r.IntN(3) == 0 {
			c.senses[i] = AtMost
		}
		c.rhs[i] = float64(r.IntN(20))
	}
	for j := range columns {
		c.cost[j] = float64(1 + r.IntN(30))
		for i := range rows {
			if r.IntN(3) == 0 {
				c.entries[j] = append(c.entries[j], Entry{i, float64(1 + r.IntN(5))})
			}
		}
	}
	return c
}

const testPenalty = 1e4

// value solves the program, half of the columns first if warm, and checks that
// primal and dual agree.
func (c *covering) value(t *testing.T, m Master, warm bool) float64 {
	for j := range c.cost {
		if warm && j == len(c.cost)/2 {
			_, err := m.Solve(1000)
			require.NoError(t, err)
		}
		require.Equal(t, j, m.AddColumn(c.cost[j], c.entries[j]))
	}
	require.Equal(t, len(c.cost), m.Columns())
	_, err := m.Solve(1000)
	require.NoError(t, err)

	primal, dual := testPenalty*m.Infeasibility(), 0.0
	for j, x := range m.Values() {
		require.GreaterOrEqual(t, x, 0.0)
		primal += c.cost[j] * x
	}
	y := m.Duals()
	for i, sense := range c.senses {
		if sense == AtLeast {
			require.GreaterOrEqual(t, y[i], -1e-9)
		} else {
			require.LessOrEqual(t, y[i], 1e-9)
		}
		dual += y[i] * c.rhs[i]
	}
	for j, cost := range c.cost {
		for _, e := range c.entries[j] {
			cost -= y[e.Row] * e.Value
		}
		require.GreaterOrEqual(t, cost, -1e-4)
	}
	require.InDelta(t, primal, dual, 1e-5*(1+math.Abs(primal)))
	return primal
}

func TestMastersAgree(t *testing.T) {
	newModel(t)
	for seed := range uint64(300) {
		c := randomCovering(seed)
		e, err := newElastic(c.senses, c.rhs, testPenalty)
		require.NoError(t, err)
		want := c.value(t, NewSimplex(c.senses, c.rhs, testPenalty), false)
		got := c.value(t, e, false)
		require.InDelta(t, want, got, 1e-5*(1+math.Abs(want)), "seed %d", seed)

		e, err = newElastic(c.senses, c.rhs, testPenalty)
		require.NoError(t, err)
		require.InDelta(t, got, c.value(t, e, true), 1e-6*(1+math.Abs(got)), "seed %d: warm", seed)
	}
}

// Costs of machines are in nano-dollars: far from what tolerances are made for.
func TestMasterSolvesInNanoDollars(t *testing.T) {
	newModel(t)
	for seed := range uint64(50) {
		c := randomCovering(seed)
		dollars, err := newElastic(c.senses, c.rhs, testPenalty)
		require.NoError(t, err)
		nano, err := newElastic(c.senses, c.rhs, testPenalty*1e9)
		require.NoError(t, err)
		for j := range c.cost {
			dollars.AddColumn(c.cost[j], c.entries[j])
			nano.AddColumn(c.cost[j]*1e9, c.entries[j])
		}
		_, err = dollars.Solve(1000)
		require.NoError(t, err)
		_, err = nano.Solve(1000)
		require.NoError(t, err)
		value := func(m Master, scale float64) float64 {
			sum := 0.0
			for j, x := range m.Values() {
				sum += c.cost[j] * scale * x
			}
			return sum
		}
		require.InEpsilon(t, 1+value(dollars, 1e9), 1+value(nano, 1e9), 1e-9, "seed %d", seed)
		require.InDelta(t, dollars.Infeasibility(), nano.Infeasibility(), 1e-6)
	}
}

func TestMasterOutOfPivotsGoesOn(t *testing.T) {
	m := newModel(t)
	_, columns := randomCover(t, 2, 40, 400)
	_ = m
	r := rand.New(rand.NewPCG(9, 9))
	senses, rhs := make([]Sense, 40), make([]float64, 40)
	for i := range rhs {
		rhs[i] = float64(1 + r.IntN(500))
	}
	whole, err := newElastic(senses, rhs, 1e6)
	require.NoError(t, err)
	sliced, err := newElastic(senses, rhs, 1e6)
	require.NoError(t, err)
	for _, c := range columns {
		whole.AddColumn(c.Cost, c.Entries)
		sliced.AddColumn(c.Cost, c.Entries)
	}
	_, err = whole.Solve(100_000)
	require.NoError(t, err)
	slices := 0
	for {
		slices++
		n, err := sliced.Solve(10)
		require.LessOrEqual(t, n, 10)
		if err == nil {
			break
		}
		require.ErrorIs(t, err, ErrPivots)
		require.Less(t, slices, 10_000)
	}
	require.Greater(t, slices, 2)
	require.InDeltaSlice(t, whole.Duals(), sliced.Duals(), 1e-6)
}

// What goes wrong with a column is said when it is solved.
func TestMasterTellsOfABadColumn(t *testing.T) {
	newModel(t)
	e, err := newElastic([]Sense{AtLeast}, []float64{1}, 10)
	require.NoError(t, err)
	e.AddColumn(1, []Entry{{Row: 3, Value: 1}})
	_, err = e.Solve(10)
	require.ErrorContains(t, err, "index 3 of 1")
}

func TestNewMasterTakesHiGHSWhereItCan(t *testing.T) {
	newModel(t)
	require.IsType(t, &elastic{}, NewMaster([]Sense{AtLeast}, []float64{1}, 10))
}
