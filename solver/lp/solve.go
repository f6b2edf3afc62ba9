package lp

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"
)

// Limits end a solve early. Zero fields do not.
type Limits struct {
	Iterations int           // of the simplex method
	Nodes      int           // of branch and bound
	Time       time.Duration // good to some 20 ms
	Gap        float64       // relative, of an integer program; zero: prove the optimum
}

// Solve solves the model within the limits. An integer program starts anew at
// each call, from the solution that SetStart gave: to be able to stop early,
// solve in slices and hand the incumbent on.
func (m *Model) Solve(l Limits) (Status, error) {
	if err := errors.Join(m.presolve(), m.limit(l)); err != nil {
		return 0, err
	}
	// The time limit counts from when the model was made, unless told otherwise.
	if err := m.called("zeroAllClocks", m.h.zeroClocks(m.address)); err != nil {
		return 0, err
	}
	if code := m.h.run(m.address); code != codeWarning { // a limit is one
		if err := m.called("run", code); err != nil {
			return 0, err
		}
	}
	status := Status(m.h.status(m.address))
	if status == empty {
		status = Optimal
	}
	if !status.answer() {
		return status, &StatusError{status}
	}
	return status, nil
}

// presolve is for integer programs. A linear one is mostly solved from a basis,
// which it would not use; and ended by a limit it would leave none.
func (m *Model) presolve() error {
	value := "off"
	if slices.Contains(m.integer, true) {
		value = "choose"
	}
	return m.called("option presolve", m.h.setText(m.address, "presolve", value))
}

func (m *Model) limit(l Limits) error {
	seconds := math.Inf(1)
	if l.Time > 0 {
		seconds = l.Time.Seconds()
	}
	return errors.Join(
		m.option("simplex_iteration_limit", cmp.Or(l.Iterations, math.MaxInt32)),
		m.option("mip_max_nodes", cmp.Or(l.Nodes, math.MaxInt32)),
		m.floatOption("time_limit", seconds),
		m.floatOption("mip_rel_gap", l.Gap),
		m.floatOption("mip_abs_gap", 0),
	)
}
