package lp

import (
	"errors"
	"math"
)

// elastic is a Master solved by HiGHS. Before the caller's columns come those
// that make up for what rows miss.
type elastic struct {
	model   *Model
	senses  []Sense
	own     int      // columns that are not the caller's
	pending []Column // added, and not yet told to HiGHS
	// Tolerances of HiGHS are absolute, so it sees costs times scale, a power
	// of two.
	scale  float64
	values []float64
	duals  []float64
	err    error
}

// scaledPenalty is about what a unit missed costs HiGHS: costs of machines are
// then between 1 and 10⁵, far above its tolerance of 10⁻⁷.
const scaledPenalty = 1024

func newElastic(senses []Sense, rhs []float64, penalty float64) (*elastic, error) {
	m, err := New()
	if err != nil {
		return nil, err
	}
	e := &elastic{model: m, senses: senses, scale: 1, duals: make([]float64, len(senses))}
	if penalty > 0 {
		e.scale = math.Exp2(math.Round(math.Log2(scaledPenalty / penalty)))
	}
	rows := make([]Row, len(senses))
	for i, sense := range senses {
		miss := Column{Cost: penalty * e.scale, Upper: math.Inf(1)}
		if sense == AtLeast {
			rows[i] = Row{Lower: rhs[i], Upper: math.Inf(1)}
			miss.Entries = []Entry{{i, 1}}
		} else {
			rows[i] = Row{Lower: math.Inf(-1), Upper: rhs[i]}
			miss.Entries = []Entry{{i, -1}}
		}
		if (sense == AtLeast) == (rhs[i] > 0) && rhs[i] != 0 { // not met by nothing
			e.pending = append(e.pending, miss)
		}
	}
	e.own = len(e.pending)
	if err := errors.Join(m.AddRows(rows...), e.flush()); err != nil {
		m.Close()
		return nil, err
	}
	return e, nil
}

// flush tells HiGHS of the pending columns, all at once.
func (e *elastic) flush() error {
	err := e.model.AddColumns(e.pending...)
	e.pending = e.pending[:0]
	return err
}

func (e *elastic) AddColumn(cost float64, entries []Entry) int {
	e.pending = append(e.pending, Column{Cost: cost * e.scale, Upper: math.Inf(1), Entries: entries})
	return e.Columns() - 1
}

func (e *elastic) Columns() int { return e.model.Columns() + len(e.pending) - e.own }

func (e *elastic) Solve(most int) (int, error) {
	if e.err == nil {
		e.err = e.flush()
	}
	if e.err != nil {
		return 0, e.err
	}
	status, err := e.model.Solve(Limits{Iterations: most})
	if err != nil {
		return 0, err
	}
	s, err := e.model.solved()
	if err != nil {
		return 0, err
	}
	e.values = s.values
	for i, y := range s.duals {
		if y /= e.scale; e.senses[i] == AtLeast {
			e.duals[i] = max(0, y)
		} else {
			e.duals[i] = min(0, y)
		}
	}
	n := e.model.Iterations()
	switch status {
	case Optimal:
		return n, nil
	case IterationLimit:
		return n, ErrPivots
	default:
		return n, &StatusError{status}
	}
}

func (e *elastic) Duals() []float64 { return append([]float64(nil), e.duals...) }

func (e *elastic) Values() []float64 {
	out := make([]float64, e.Columns())
	for j := e.own; j < len(e.values); j++ {
		out[j-e.own] = max(0, e.values[j])
	}
	return out
}

func (e *elastic) Infeasibility() float64 {
	x := 0.0
	for _, v := range e.values[:min(e.own, len(e.values))] {
		x += max(0, v)
	}
	return x
}
