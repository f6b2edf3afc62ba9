package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/mortise-io/mortise/solver/lp"
)

// Bounds on the integer program over the columns of a relaxation.
const (
	mipColumns = 3000
	// Its branch and bound may take fewer branches the larger it is.
	mipSize        = 4_000_000 // branches × rows × columns
	fewestBranches = 10        // below that it is not asked
	mostBranches   = 3000
)

// integers solves the restricted master over whole machines, with the columns
// that can be in a solution better than the cost, and returns the value of each
// column; nil if it finds nothing, or there is no library to ask.
func (x *relaxation) integers(cost float64) []float64 {
	if !x.w.highs || x.duals == nil {
		return nil
	}
	x.enrich()
	picked := x.promising(cost)
	m, err := lp.New()
	if err != nil {
		return nil
	}
	defer m.Close()
	rows := make([]lp.Row, len(x.rhs))
	for i, sense := range x.senses {
		rows[i] = lp.Row{Lower: math.Inf(-1), Upper: x.rhs[i]}
		if sense == lp.AtLeast {
			rows[i] = lp.Row{Lower: x.rhs[i], Upper: math.Inf(1)}
		}
	}
	columns := make([]lp.Column, len(picked))
	for k, j := range picked {
		c := &x.columns[j]
		columns[k] = lp.Column{Cost: c.cost / dollar, Upper: math.Inf(1), Entries: c.entries}
	}
	if m.AddRows(rows...) != nil || m.AddColumns(columns...) != nil {
		return nil
	}
	for k := range picked {
		if m.SetInteger(k) != nil {
			return nil
		}
	}
	branches := min(mipSize/(len(rows)*max(1, len(columns))), mostBranches)
	if branches < fewestBranches {
		return nil
	}
	x.w.spend(branches * len(rows) * len(columns) * mipWork)
	if _, err := m.Solve(lp.Limits{Nodes: branches, Gap: 1e-5}); err != nil || !m.HasSolution() {
		return nil
	}
	found, err := m.Values()
	if err != nil {
		return nil
	}
	values := make([]float64, len(x.columns))
	for k, j := range picked {
		values[j] = math.Round(found[k])
	}
	return values
}

// dollar scales costs to what the library's tolerances suit.
const dollar = 1e9

// mipWork is what a branch is counted as for each row and column.
const mipWork = 800

// promising are the columns whose reduced cost does not by itself exceed what
// is left between the bound and the cost: no better solution has another one.
func (x *relaxation) promising(cost float64) []int {
	reduced := make([]float64, len(x.columns))
	var out []int
	for j := range x.columns {
		c := &x.columns[j]
		reduced[j] = c.cost
		for _, e := range c.entries {
			reduced[j] -= x.duals[e.Row] * e.Value
		}
		if reduced[j] <= cost-x.best+x.tolerance(cost) {
			out = append(out, j)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(reduced[a], reduced[b]) })
	return out[:min(len(out), mipColumns)]
}

// Bounds on the columns added for the integer program.
const (
	nearColumns  = 60   // of a shape
	nearBranches = 4000 // to find them
	nearness     = 0.03 // of a launch's cost
)

// enrich adds columns that the linear program has no use for, and an integer
// one may: contents nearly worth their launch.
func (x *relaxation) enrich() {
	duals := x.duals
	if x.last != nil {
		duals = x.last
	}
	r := x.pricingAt(duals)
	for _, s := range x.w.frontier {
		room := x.w.p.Shapes[s].Allocatable
		mu, ok := x.mu[int(s)]
		if !ok || len(x.rows) > 0 {
			continue
		}
		g := r.gridOf(x.w.allowed.shape[s], room, mu, smallGrid)
		if g == nil {
			continue
		}
		for _, pods := range g.near(room, x.launchCost(s)*(1-nearness), nearColumns, nearBranches) {
			x.addLaunch(s, pods)
		}
	}
}
