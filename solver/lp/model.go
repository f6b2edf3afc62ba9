package lp

import (
	"errors"
	"math"
	"runtime"
)

// Model is a linear or integer program
//
//	minimize c·x  subject to  lower ≤ A·x ≤ upper by row,  lower ≤ x ≤ upper
//
// that HiGHS holds and solves. Each solve starts from where the last one ended,
// also after rows or columns were added. A model is used by one goroutine at a
// time; several models may be solved at once.
type Model struct {
	h       *highs
	address uintptr
	rows    int
	integer []bool // by column: takes whole values only
	cleanup runtime.Cleanup
}

// threads is the same for all models: within a process HiGHS refuses to solve
// with another number than it began with.
const threads = 1

// New returns a model without rows and columns. It fails where the library
// cannot be loaded.
func New() (*Model, error) {
	h, err := openHiGHS()
	if err != nil {
		return nil, err
	}
	m := &Model{h: h, address: h.create()}
	if m.address == 0 {
		return nil, errors.New("HiGHS: create returns nothing")
	}
	m.cleanup = runtime.AddCleanup(m, h.destroy, m.address)
	err = errors.Join(
		m.called("option output_flag", h.setBool(m.address, "output_flag", 0)),
		m.option("threads", threads),
		m.option("simplex_strategy", 0), // primal or dual by what the start is feasible for
	)
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close frees the model, which must not be used afterwards. A model that is
// not closed is freed once it is unreachable.
func (m *Model) Close() {
	m.cleanup.Stop()
	m.h.destroy(m.address)
	m.address = 0
}

func (m *Model) option(name string, value int) error {
	return m.called("option "+name, m.h.setInt(m.address, name, int32(min(value, math.MaxInt32))))
}

func (m *Model) floatOption(name string, value float64) error {
	return m.called("option "+name, m.h.setFloat(m.address, name, value))
}

// called turns the code that a call returned into an error. A warning is one,
// too: HiGHS warns where it has changed what it was given.
func (m *Model) called(call string, code int32) error {
	runtime.KeepAlive(m) // while the call used its address
	if code == codeOK {
		return nil
	}
	return &CallError{call, code}
}

// Rows is how many rows there are.
func (m *Model) Rows() int { return m.rows }

// Columns is how many columns there are.
func (m *Model) Columns() int { return len(m.integer) }
