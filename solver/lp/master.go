package lp

// Master is a covering program whose columns are found while it is solved: the
// restricted master problem of column generation,
//
//	minimize c·x  subject to  A·x ≥ or ≤ b by row,  x ≥ 0
//
// A row that its columns cannot meet is missed, at a penalty for each unit.
type Master interface {
	// AddColumn adds a variable and returns its index.
	AddColumn(cost float64, entries []Entry) int
	// Columns is how many columns were added.
	Columns() int
	// Solve pivots to an optimum, at most so many times, and returns how often
	// it did. Out of pivots it returns ErrPivots; the duals still give bounds.
	Solve(most int) (int, error)
	// Duals are what one more unit of each right-hand side costs: not negative
	// for AtLeast rows, not positive for AtMost rows.
	Duals() []float64
	// Values are the values of the added columns, by index.
	Values() []float64
	// Infeasibility is by how much rows are missed in all.
	Infeasibility() float64
}

// NewMaster starts a program without columns, solved by HiGHS where that can
// be loaded, else by Simplex. The penalty has to be above what any row is worth.
func NewMaster(senses []Sense, rhs []float64, penalty float64) Master {
	if e, err := newElastic(senses, rhs, penalty); err == nil {
		return e
	}
	return NewSimplex(senses, rhs, penalty)
}
