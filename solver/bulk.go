package solver

import (
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// A machine too large for a fine grid is filled in lots of this share of it,
// down to the last share, which a finer grid then fills.
const (
	bulkLot  = 0.04
	bulkTail = 0.2
)

// bulk finds a content for a large machine: lots of what is worth most for
// what it takes of the room that is left, so that all resources run out at
// once, and the best content of the last part.
func (r *pricing) bulk(k *knapsack, set int, room model.Quantities, mu []float64) []model.Count {
	free := slices.Clone(room)
	var pods []model.Count
	for {
		best, bestDensity := -1, 0.0
		for i := range k.items {
			x := &k.items[i]
			if countOf(pods, x.g) >= x.most || k.w.most(x.g, free, pods) == 0 {
				continue
			}
			if d := x.value / share(x.request, free); d > bestDensity {
				best, bestDensity = i, d
			}
		}
		k.w.spend(20 * len(k.items))
		if best < 0 {
			return pods
		}
		x := &k.items[best]
		lot := max(1, int(bulkLot/max(share(x.request, room), 1e-9)))
		n := min(lot, x.most-countOf(pods, x.g), k.w.most(x.g, free, pods))
		pods = with(pods, x.g, n)
		take(free, x.request, n)
		if left(free, room) <= bulkTail {
			break
		}
	}
	if tail := r.gridOf(set, free, mu, tailGrid); tail != nil {
		rest, _ := tail.search(free, 0, minBranches)
		for _, c := range rest {
			if n := min(c.N, r.x.demand[c.Group]-countOf(pods, c.Group), k.w.most(c.Group, free, pods)); n > 0 {
				pods = with(pods, c.Group, n)
				take(free, k.w.p.Groups[c.Group].Request, n)
			}
		}
	}
	return pods
}

// share is the sum of the shares of the room that the request takes.
func share(request, room model.Quantities) float64 {
	x := 0.0
	for r, q := range request {
		if q > 0 {
			x += float64(q) / float64(room[r])
		}
	}
	return x
}

// left is the least share of the room that is free of any resource.
func left(free, room model.Quantities) float64 {
	x := math.Inf(1)
	for r, q := range room {
		if q > 0 {
			x = min(x, float64(free[r])/float64(q))
		}
	}
	return x
}
