package lp

import "math"

// Objective is the value of the solution; false if there is none. HiGHS's own
// value is infinite or stale then.
func (m *Model) Objective() (float64, bool) {
	if !m.HasSolution() {
		return 0, false
	}
	value, err := m.float("objective_function_value")
	return value, err == nil && !math.IsInf(value, 0) && !math.IsNaN(value)
}

// HasSolution says whether the last solve left values that meet all rows.
func (m *Model) HasSolution() bool {
	const feasible = 2
	status, err := m.int("primal_solution_status")
	return err == nil && status == feasible
}

// Bound is what no solution of an integer program costs less than, by floating
// point; −∞ if nothing is known.
func (m *Model) Bound() float64 {
	value, err := m.float("mip_dual_bound")
	if err != nil || math.IsNaN(value) {
		return math.Inf(-1)
	}
	return value
}

// Iterations is how many pivots the last solve took.
func (m *Model) Iterations() int {
	n, err := m.int("simplex_iteration_count")
	if err != nil {
		return 0
	}
	return max(0, n)
}

// Nodes is how many nodes of branch and bound the last solve took.
func (m *Model) Nodes() int {
	var n int64
	if m.called("info", m.h.infoInt64(m.address, "mip_node_count", &n)) != nil {
		return 0
	}
	return max(0, int(n))
}

// Values are those of the columns. They meet the rows only if HasSolution.
func (m *Model) Values() ([]float64, error) {
	s, err := m.solved()
	return s.values, err
}

// Duals are what one more unit of each row's bound costs: not negative where
// the lower bound holds a row, not positive where the upper one does.
func (m *Model) Duals() ([]float64, error) {
	s, err := m.solved()
	return s.duals, err
}

// ReducedCosts are the columns' costs less what the duals say their entries are worth.
func (m *Model) ReducedCosts() ([]float64, error) {
	s, err := m.solved()
	return s.reduced, err
}

type solution struct {
	values, reduced, activities, duals []float64
}

func (m *Model) solved() (solution, error) {
	s := solution{make([]float64, m.Columns()), make([]float64, m.Columns()), make([]float64, m.rows), make([]float64, m.rows)}
	code := m.h.solution(m.address, first(s.values), first(s.reduced), first(s.activities), first(s.duals))
	return s, m.called("getSolution", code)
}

func (m *Model) int(name string) (int, error) {
	var value int32
	if err := m.called("info "+name, m.h.infoInt(m.address, name, &value)); err != nil {
		return 0, err
	}
	return int(value), nil
}

func (m *Model) float(name string) (float64, error) {
	var value float64
	if err := m.called("info "+name, m.h.infoFloat(m.address, name, &value)); err != nil {
		return 0, err
	}
	return value, nil
}
