package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/mortise-io/mortise/model"
)

// knapsack asks what the most valuable content of one machine is, the pricing
// problem of a relaxation. It answers with a content, and with a value that no
// content exceeds.
//
// The bound is Lagrangian: for multipliers μ ≥ 0 on the resources
//
//	max Σ v·z  ≤  Σ_r μ_r·room_r + Σ_g most_g · max(0, v_g − Σ_r μ_r·request_gr)
//
// and the depth-first search over contents uses it for what is still open.
type knapsack struct {
	w      *work
	items  []item
	suffix []float64 // Σ most·surplus of the items from k on
	mu     []float64 // by resource
	left   int       // branches that the search may still take
	kinks  []kink

	pods      []model.Count
	best      float64
	bestPods  []model.Count
	completed bool
}

type item struct {
	g       model.GroupIndex
	value   float64
	most    int
	request model.Quantities
	surplus float64 // value above what the multipliers charge
	density float64
}

// load sets the knapsack to a machine with this room. Values are by group;
// most caps how many pods of a group there are at all.
func (k *knapsack) load(room model.Quantities, groups []model.GroupIndex, value []float64, most []int) {
	k.items = k.items[:0]
	for _, g := range groups {
		if value[g] <= 0 || most[g] == 0 {
			continue
		}
		if n := min(most[g], k.w.most(g, room, nil)); n > 0 {
			k.items = append(k.items, item{g: g, value: value[g], most: n, request: k.w.p.Groups[g].Request})
		}
	}
	k.w.spend(10 * len(groups))
}

// bound is the Lagrangian bound under the multipliers.
func (k *knapsack) bound(room model.Quantities, mu []float64) float64 {
	x := 0.0
	for r, m := range mu {
		x += m * float64(room[r])
	}
	for i := range k.items {
		x += float64(k.items[i].most) * max(0, k.items[i].value-price(k.items[i].request, mu))
	}
	k.w.spend(8 * len(k.items))
	return x
}

// price is what the multipliers charge for a request.
func price(request model.Quantities, mu []float64) float64 {
	x := 0.0
	for r, m := range mu {
		if m != 0 {
			x += m * float64(request[r])
		}
	}
	return x
}

// improve lowers the bound, starting from mu, which it changes: again and again
// it mixes more or less of one resource into the multipliers and scales them to
// the best length. (One multiplier at a time would stall at the first kink.)
// It stops once the bound is not above enough.
func (k *knapsack) improve(room model.Quantities, mu []float64, enough float64) float64 {
	best := k.bound(room, mu)
	try := make([]float64, len(mu))
	consider := func() bool {
		k.scale(room, try)
		if b := k.bound(room, try); b < best*(1-1e-7) {
			best = b
			copy(mu, try)
			return true
		}
		return false
	}
	for range maxSweeps {
		before := best
		weight := 0.0
		for r, m := range mu {
			weight += m * float64(room[r])
		}
		for r := range mu {
			if room[r] <= 0 {
				continue
			}
			for _, part := range [...]float64{1, 0.5, 0.2, 0.05, 0.01} {
				for i, m := range mu {
					try[i] = 0
					if weight > 0 {
						try[i] = m * (1 - part)
					}
				}
				try[r] += part * max(weight, 1) / float64(room[r])
				if consider() {
					break
				}
				copy(try, mu)
				try[r] *= 1 - part
				if mu[r] > 0 && consider() {
					break
				}
			}
			if best <= enough {
				return best
			}
		}
		if best >= before*(1-1e-4) {
			break
		}
	}
	return best
}

const maxSweeps = 20

// scale gives the multipliers the length at which their bound is least: items
// enter by value per unit of charge until the charged room is used up.
func (k *knapsack) scale(room model.Quantities, mu []float64) {
	free := 0.0
	for r, m := range mu {
		free += m * float64(room[r])
	}
	k.kinks = k.kinks[:0]
	for i := range k.items {
		x := &k.items[i]
		if c := price(x.request, mu); c > 0 {
			k.kinks = append(k.kinks, kink{x.value / c, c * float64(x.most)})
		}
	}
	k.w.spend(30 * len(k.items))
	slices.SortFunc(k.kinks, func(a, b kink) int { return cmp.Compare(b.at, a.at) })
	length := 0.0
	for _, x := range k.kinks {
		if free -= x.use; free < 0 {
			length = x.at
			break
		}
	}
	for r := range mu {
		mu[r] *= length
	}
}

// kink is where an item enters: the length of the multipliers at which it is
// worth its charge, and how much of the room it then takes.
type kink struct{ at, use float64 }

// search finds the best content by branch and bound, within so many branches,
// and returns its value and a bound on any content's.
func (k *knapsack) search(room model.Quantities, mu []float64, branches int) (value, bound float64) {
	k.mu, k.left = mu, branches
	for i := range k.items {
		x := &k.items[i]
		p := price(x.request, mu)
		x.surplus = max(0, x.value-p)
		x.density = x.value / max(p, 1e-12)
	}
	slices.SortFunc(k.items, func(a, b item) int { return cmp.Or(cmp.Compare(b.density, a.density), cmp.Compare(a.g, b.g)) })
	k.suffix = append(k.suffix[:0], make([]float64, len(k.items)+1)...)
	for i := len(k.items) - 1; i >= 0; i-- {
		k.suffix[i] = k.suffix[i+1] + float64(k.items[i].most)*k.items[i].surplus
	}
	root := k.bound(room, mu)
	k.best, k.bestPods, k.pods, k.completed = 0, nil, k.pods[:0], true
	k.branch(0, slices.Clone(room), 0)
	k.w.spend(40 * (branches - k.left))
	if k.completed {
		return k.best, k.best
	}
	return k.best, root
}

// branch extends the content, whose last item is the one before i, by every
// count of every later item.
func (k *knapsack) branch(i int, free model.Quantities, value float64) {
	if value > k.best {
		k.best, k.bestPods = value, append(k.bestPods[:0], k.pods...)
	}
	if k.left--; k.left < 0 {
		k.completed = false
		return
	}
	charge := 0.0
	for r, m := range k.mu {
		if m != 0 {
			charge += m * float64(free[r])
		}
	}
	for ; i < len(k.items); i++ {
		if value+charge+k.suffix[i] <= k.best*(1+1e-12)+1e-9 {
			return
		}
		x := &k.items[i]
		for n := min(x.most, k.w.most(x.g, free, k.pods)); n > 0; n-- {
			take(free, x.request, n)
			k.pods = append(k.pods, model.Count{Group: x.g, N: n})
			k.branch(i+1, free, value+float64(n)*x.value)
			k.pods = k.pods[:len(k.pods)-1]
			take(free, x.request, -n)
			if k.left < 0 {
				return
			}
		}
	}
}

// content is the best content found, ascending by group.
func (k *knapsack) content() []model.Count {
	out := slices.Clone(k.bestPods)
	slices.SortFunc(out, func(a, b model.Count) int { return cmp.Compare(a.Group, b.Group) })
	return out
}

// finite guards a bound against floating-point accidents.
func finite(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return x
}
