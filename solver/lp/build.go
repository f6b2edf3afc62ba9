package lp

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// Row is a constraint. Entries name columns.
type Row struct {
	Lower, Upper float64
	Entries      []Entry // Row is the index of a column here
}

// Column is a variable. Entries name rows.
type Column struct {
	Cost         float64
	Lower, Upper float64
	Entries      []Entry
}

// AddRows adds rows at the end.
func (m *Model) AddRows(rows ...Row) error {
	var lower, upper []float64
	var a sparse
	for i := range rows {
		lower, upper = append(lower, rows[i].Lower), append(upper, rows[i].Upper)
		if err := a.add(rows[i].Entries, len(m.integer)); err != nil {
			return fmt.Errorf("row %d: %w", m.rows+i, err)
		}
	}
	if err := errors.Join(numbers(lower...), numbers(upper...)); err != nil {
		return err
	}
	code := m.h.addRows(m.address, int32(len(rows)), first(lower), first(upper), int32(len(a.index)), first(a.starts), first(a.index), first(a.value))
	if err := m.called("addRows", code); err != nil {
		return err
	}
	m.rows += len(rows)
	return nil
}

// AddColumns adds columns at the end.
func (m *Model) AddColumns(columns ...Column) error {
	var cost, lower, upper []float64
	var a sparse
	for j := range columns {
		c := &columns[j]
		cost, lower, upper = append(cost, c.Cost), append(lower, c.Lower), append(upper, c.Upper)
		if err := a.add(c.Entries, m.rows); err != nil {
			return fmt.Errorf("column %d: %w", len(m.integer)+j, err)
		}
	}
	if err := errors.Join(numbers(cost...), numbers(lower...), numbers(upper...)); err != nil {
		return err
	}
	code := m.h.addColumns(m.address, int32(len(columns)), first(cost), first(lower), first(upper), int32(len(a.index)), first(a.starts), first(a.index), first(a.value))
	if err := m.called("addCols", code); err != nil {
		return err
	}
	m.integer = append(m.integer, make([]bool, len(columns))...)
	return nil
}

// DeleteColumns takes columns out, given by ascending index. Those behind move up.
func (m *Model) DeleteColumns(columns []int) error {
	set := make([]int32, len(columns))
	for k, j := range columns {
		if err := within(j, len(m.integer)); err != nil {
			return err
		}
		if k > 0 && columns[k-1] >= j {
			return fmt.Errorf("columns to delete are not ascending: %d after %d", j, columns[k-1])
		}
		set[k] = int32(j)
	}
	if err := m.called("deleteColsBySet", m.h.deleteColumns(m.address, int32(len(set)), first(set))); err != nil {
		return err
	}
	kept := m.integer[:0]
	for j, integer := range m.integer {
		if len(columns) > 0 && columns[0] == j {
			columns = columns[1:]
			continue
		}
		kept = append(kept, integer)
	}
	m.integer = kept
	return nil
}

// SetCost changes the cost of a column.
func (m *Model) SetCost(column int, cost float64) error {
	if err := errors.Join(within(column, len(m.integer)), numbers(cost)); err != nil {
		return err
	}
	return m.called("changeColCost", m.h.setCost(m.address, int32(column), cost))
}

// SetColumnBounds changes the bounds of a column.
func (m *Model) SetColumnBounds(column int, lower, upper float64) error {
	if err := errors.Join(within(column, len(m.integer)), numbers(lower, upper)); err != nil {
		return err
	}
	return m.called("changeColBounds", m.h.setColumnBounds(m.address, int32(column), lower, upper))
}

// SetRowBounds changes the bounds of a row.
func (m *Model) SetRowBounds(row int, lower, upper float64) error {
	if err := errors.Join(within(row, m.rows), numbers(lower, upper)); err != nil {
		return err
	}
	return m.called("changeRowBounds", m.h.setRowBounds(m.address, int32(row), lower, upper))
}

// SetInteger lets a column take whole values only.
func (m *Model) SetInteger(column int) error { return m.setKind(column, true) }

// SetContinuous lets a column take all values again.
func (m *Model) SetContinuous(column int) error { return m.setKind(column, false) }

func (m *Model) setKind(column int, integer bool) error {
	if err := within(column, len(m.integer)); err != nil {
		return err
	}
	kind := int32(0)
	if integer {
		kind = 1
	}
	if err := m.called("changeColIntegrality", m.h.setIntegrality(m.address, int32(column), kind)); err != nil {
		return err
	}
	m.integer[column] = integer
	return nil
}

// sparse are the nonzeros of rows or columns, one after the other.
type sparse struct {
	starts, index []int32
	value         []float64
}

func (a *sparse) add(entries []Entry, most int) error {
	a.starts = append(a.starts, int32(len(a.index)))
	for _, e := range entries {
		if err := errors.Join(within(e.Row, most), numbers(e.Value)); err != nil {
			return err
		}
		a.index, a.value = append(a.index, int32(e.Row)), append(a.value, e.Value)
	}
	return nil
}

func within(index, most int) error {
	if index < 0 || index >= most {
		return fmt.Errorf("index %d of %d", index, most)
	}
	return nil
}

// numbers refuses what is not a number: HiGHS would compute with it.
func numbers(list ...float64) error {
	for _, x := range list {
		if math.IsNaN(x) {
			return errors.New("not a number")
		}
	}
	return nil
}

// first is the address of a list's first element, for C; nil of none.
func first[T any](list []T) *T { return unsafe.SliceData(list) }
