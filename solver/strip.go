package solver

import (
	"math"

	"github.com/mortise-io/mortise/model"
)

// strip bounds the knapsack exactly in one resource and by multipliers in the
// others:
//
//	max Σ v·z  ≤  Σ_{r≠s} μ_r·room_r + best(room_s),  best over values v_g − Σ_{r≠s} μ_r·request_gr
//
// which is never above the bound by multipliers alone, and costs one row of a
// grid. The multipliers of the others are kept in proportion, at the best of a
// few lengths.
func (k *knapsack) strip(room model.Quantities, mu []float64, s model.ResourceIndex, unit int64, enough float64) float64 {
	cells := int(max(0, room[s]) / unit)
	if cells > maxStrip {
		return math.Inf(1)
	}
	best := math.Inf(1)
	row := make([]float64, cells+1)
	at := func(length float64) float64 {
		bound := 0.0
		for r, m := range mu {
			if model.ResourceIndex(r) != s {
				bound += length * m * float64(room[r])
			}
		}
		clear(row)
		for i := range k.items {
			x := &k.items[i]
			value := x.value
			for r, m := range mu {
				if model.ResourceIndex(r) != s {
					value -= length * m * float64(x.request[r])
				}
			}
			if value > 0 {
				bound += enterRow(row, int(x.request[s]/unit), value, x.most)
			}
		}
		k.w.spend(len(k.items) * cells)
		bound += row[cells]
		best = min(best, bound)
		return bound
	}
	// The bound is convex in the length.
	low, high := 0.5, 1.5
	a, b := at(low+(high-low)*0.382), at(low+(high-low)*0.618)
	for range 10 {
		if best <= enough || high-low < 0.01 {
			break
		}
		if a < b {
			high = low + (high-low)*0.618
			b = a
			a = at(low + (high-low)*0.382)
		} else {
			low = low + (high-low)*0.382
			a = b
			b = at(low + (high-low)*0.618)
		}
	}
	return best
}

const maxStrip = 1 << 12

// enterRow lets an item into the contents of a row of cells, and returns what
// its pods are worth if they take no cell.
func enterRow(row []float64, cells int, value float64, most int) float64 {
	if cells == 0 {
		return value * float64(most)
	}
	if most >= (len(row)-1)/cells {
		for c := cells; c < len(row); c++ {
			row[c] = max(row[c], row[c-cells]+value)
		}
		return 0
	}
	for lot, left := 1, most; left > 0; lot *= 2 {
		n := min(lot, left)
		left -= n
		for c := len(row) - 1; c >= n*cells; c-- {
			row[c] = max(row[c], row[c-n*cells]+float64(n)*value)
		}
	}
	return 0
}
