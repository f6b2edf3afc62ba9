package lp

import "fmt"

// BasisStatus is where a basis has a column or row.
type BasisStatus int32

const (
	AtLower BasisStatus = iota
	Basic
	AtUpper
	AtZero
	Nonbasic // at any bound that there is
)

// Basis says of each column and row whether it is basic, or at which bound.
type Basis struct {
	Columns, Rows []BasisStatus
}

// Basis is that of the last solve.
func (m *Model) Basis() (Basis, error) {
	columns, rows := make([]int32, m.Columns()), make([]int32, m.rows)
	if err := m.called("getBasis", m.h.basis(m.address, first(columns), first(rows))); err != nil {
		return Basis{}, err
	}
	return Basis{convert[BasisStatus](columns), convert[BasisStatus](rows)}, nil
}

// SetBasis starts the next solve from the basis.
func (m *Model) SetBasis(b Basis) error {
	if len(b.Columns) != m.Columns() || len(b.Rows) != m.rows {
		return fmt.Errorf("basis of %d columns and %d rows for %d and %d", len(b.Columns), len(b.Rows), m.Columns(), m.rows)
	}
	columns, rows := convert[int32](b.Columns), convert[int32](b.Rows)
	return m.called("setBasis", m.h.setBasis(m.address, first(columns), first(rows)))
}

func convert[To, From ~int32](list []From) []To {
	out := make([]To, len(list))
	for i, x := range list {
		out[i] = To(x)
	}
	return out
}

// SetStart gives an integer program a solution to better, by column.
func (m *Model) SetStart(values []float64) error {
	if len(values) != m.Columns() {
		return fmt.Errorf("start of %d values for %d columns", len(values), m.Columns())
	}
	return m.called("setSolution", m.h.start(m.address, first(values), nil, nil, nil))
}
