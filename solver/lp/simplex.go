// Package lp solves linear programs that grow by columns: the restricted
// master problems of column generation.
package lp

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Entry is a nonzero of a column.
type Entry struct {
	Row   int
	Value float64
}

// Sense says on which side of its right-hand side a row has to stay.
type Sense int8

const (
	AtLeast Sense = iota
	AtMost
)

// ErrPivots is returned when a solve takes more pivots than it was given.
var ErrPivots = errors.New("out of pivots")

// Simplex is a linear program
//
//	minimize c·x  subject to  A·x ≥ or ≤ b by row,  x ≥ 0
//
// solved by the revised primal simplex method with a dense inverse of the
// basis. Columns are added between solves, and each solve starts from the
// basis of the last one. Rows that the start cannot meet hold an artificial
// variable at a high cost: see Infeasibility.
//
// gonum's own simplex returns no dual values and takes no warm start from a
// basis that it has not chosen, and column generation needs both; its linear
// algebra does the factorization here.
type Simplex struct {
	rows    int
	flip    []float64 // −1 for rows that are kept as their negative
	rhs     []float64
	columns []column
	own     int // columns that are slacks and artificials, not the caller's

	basis   []int // by row: the column that is basic there
	inverse []float64
	value   []float64 // of the basic columns
	dual    []float64
	isBasic []bool
	pivots  int // since the last factorization

	// Penalty is the cost of a unit by which a row is missed.
	penalty float64
}

type column struct {
	cost       float64
	entries    []Entry
	artificial bool
}

const (
	pivotTol     = 1e-9
	reducedTol   = 1e-9 // relative to the penalty-free scale of costs
	refactorEach = 100
)

// NewSimplex starts a program without columns. The penalty has to be above
// what any row is worth.
func NewSimplex(senses []Sense, rhs []float64, penalty float64) *Simplex {
	m := len(senses)
	s := &Simplex{
		rows: m, flip: make([]float64, m), rhs: make([]float64, m), penalty: penalty,
		basis: make([]int, m), inverse: make([]float64, m*m), value: make([]float64, m), dual: make([]float64, m),
	}
	for i, sense := range senses {
		s.flip[i] = 1
		// As rows of the form a·x ± slack = b with b ≥ 0.
		b, atMost := rhs[i], sense == AtMost
		if b < 0 || b == 0 && !atMost {
			s.flip[i], b, atMost = -1, -b, !atMost
		}
		// A little more room than asked, different by row, keeps degenerate
		// programs from cycling. Dual values are what a caller takes, and they
		// stay feasible.
		s.rhs[i] = b + 1e-9*(1+b)*float64(1+i%17)
		slack := column{entries: []Entry{{i, 1}}}
		if !atMost {
			slack.entries[0].Value = -1
			s.columns = append(s.columns, slack)
			slack = column{cost: penalty, entries: []Entry{{i, 1}}, artificial: true}
		}
		s.basis[i] = len(s.columns)
		s.columns = append(s.columns, slack)
		s.inverse[i*m+i] = 1
	}
	s.own = len(s.columns)
	s.isBasic = make([]bool, len(s.columns))
	for i, j := range s.basis {
		s.isBasic[j] = true
		s.value[i] = s.rhs[i]
		s.dual[i] = s.columns[j].cost
	}
	return s
}

// AddColumn adds a variable and returns its index.
func (s *Simplex) AddColumn(cost float64, entries []Entry) int {
	c := column{cost: cost, entries: make([]Entry, len(entries))}
	for i, e := range entries {
		c.entries[i] = Entry{e.Row, e.Value * s.flip[e.Row]}
	}
	s.columns = append(s.columns, c)
	s.isBasic = append(s.isBasic, false)
	return len(s.columns) - 1 - s.own
}

// Columns is how many columns were added.
func (s *Simplex) Columns() int { return len(s.columns) - s.own }

// Solve pivots to an optimum, at most so many times, and returns how often it
// did. It returns ErrPivots with a basis that is feasible but not optimal.
func (s *Simplex) Solve(most int) (int, error) {
	direction := make([]float64, s.rows)
	for n := range most {
		enter := s.entering()
		if enter < 0 {
			return n, nil
		}
		s.column(enter, direction)
		leave := s.leaving(direction)
		if leave < 0 { // unbounded: cannot be, with nonnegative costs and duals in range
			return n, errors.New("unbounded linear program")
		}
		s.pivot(enter, leave, direction)
		if s.pivots >= refactorEach {
			if err := s.refactor(); err != nil {
				return n, err
			}
		}
	}
	return most, ErrPivots
}

// reduced is the reduced cost of a column.
func (s *Simplex) reduced(j int) float64 {
	c := &s.columns[j]
	r := c.cost
	for _, e := range c.entries {
		r -= s.dual[e.Row] * e.Value
	}
	return r
}

// entering is the column with the most negative reduced cost; −1 at an optimum.
func (s *Simplex) entering() int {
	best, bestReduced := -1, 0.0
	for j := range s.columns {
		if s.isBasic[j] || s.columns[j].artificial {
			continue
		}
		if r := s.reduced(j); r < -reducedTol*(1+math.Abs(s.columns[j].cost)) && r < bestReduced {
			best, bestReduced = j, r
		}
	}
	return best
}

// column is what the basic variables give up for a unit of the column.
func (s *Simplex) column(j int, out []float64) {
	clear(out)
	for _, e := range s.columns[j].entries {
		for i := range s.rows {
			out[i] += s.inverse[i*s.rows+e.Row] * e.Value
		}
	}
}

// leaving is the row whose basic variable reaches zero first; among equals the one with the largest pivot.
func (s *Simplex) leaving(direction []float64) int {
	best, bestRatio := -1, math.Inf(1)
	for i, d := range direction {
		if d <= pivotTol {
			continue
		}
		ratio := max(0, s.value[i]) / d
		if ratio < bestRatio-1e-12 || ratio <= bestRatio+1e-12 && best >= 0 && d > direction[best] {
			best, bestRatio = i, ratio
		}
	}
	return best
}

func (s *Simplex) pivot(enter, leave int, direction []float64) {
	m := s.rows
	reduced := s.reduced(enter)
	row := s.inverse[leave*m : leave*m+m]
	step := s.value[leave] / direction[leave]
	for k := range row {
		row[k] /= direction[leave]
	}
	for i := range m {
		if d := direction[i]; i != leave && d != 0 {
			s.value[i] -= d * step
			target := s.inverse[i*m : i*m+m]
			for k, x := range row {
				target[k] -= d * x
			}
		}
	}
	for k, x := range row {
		s.dual[k] += reduced * x
	}
	s.value[leave] = step
	s.isBasic[s.basis[leave]] = false
	s.isBasic[enter] = true
	s.basis[leave] = enter
	s.pivots++
}

// refactor computes inverse, values and duals from the basis anew.
func (s *Simplex) refactor() error {
	m := s.rows
	b := mat.NewDense(m, m, nil)
	for i, j := range s.basis {
		for _, e := range s.columns[j].entries {
			b.Set(e.Row, i, e.Value)
		}
	}
	inverse := mat.NewDense(m, m, s.inverse)
	if err := inverse.Inverse(b); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) || math.IsInf(float64(condition), 1) {
			return err
		}
	}
	clear(s.dual)
	for i, j := range s.basis {
		s.value[i] = 0
		for k := range m {
			x := s.inverse[i*m+k]
			s.value[i] += x * s.rhs[k]
			s.dual[k] += s.columns[j].cost * x
		}
	}
	s.pivots = 0
	return nil
}

// Duals are what one more unit of each right-hand side costs: not negative for
// AtLeast rows, not positive for AtMost rows.
func (s *Simplex) Duals() []float64 {
	out := make([]float64, s.rows)
	for i, y := range s.dual {
		out[i] = y * s.flip[i]
	}
	return out
}

// Values are the values of the added columns, by index.
func (s *Simplex) Values() []float64 {
	out := make([]float64, s.Columns())
	for i, j := range s.basis {
		if j >= s.own {
			out[j-s.own] = max(0, s.value[i])
		}
	}
	return out
}

// Infeasibility is by how much rows are missed in all.
func (s *Simplex) Infeasibility() float64 {
	x := 0.0
	for i, j := range s.basis {
		if s.columns[j].artificial {
			x += max(0, s.value[i])
		}
	}
	return x
}
