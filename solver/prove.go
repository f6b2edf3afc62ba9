package solver

// prove bounds the result's cost from below, and betters it to the optimum
// where the problem is small.
func (w *work) prove(r *Result) {
	if w.small() && w.exhaust(r) {
		r.PlacementProved, r.LowerBound = true, r.Score.Cost
		return
	}
}
