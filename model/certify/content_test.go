package certify

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
)

// dearest tries every content.
func dearest(c *content, k int, free model.Quantities, held map[model.GroupIndex]bool) int64 {
	if k == len(c.items) {
		return 0
	}
	x := c.items[k]
	best := dearest(c, k+1, free, held)
	for _, other := range c.p.Groups[x.group].Conflicts {
		if held[other] {
			return best
		}
	}
	held[x.group] = true
	left := append(model.Quantities{}, free...)
	for n := int64(1); n <= min(x.most, fitting(x.request, free)); n++ {
		for r := range left {
			left[r] -= x.request[r]
		}
		best = max(best, n*x.value+dearest(c, k+1, left, held))
	}
	delete(held, x.group)
	return best
}

// machine is a random machine with a few items, hints for its room, and rules between groups.
func machine(r *rand.Rand) *content {
	c := &content{p: &model.Problem{Groups: make([]model.PodGroup, 4)}, thorough: true, room: model.Quantities{1 + r.Int64N(20), 1 + r.Int64N(20), r.Int64N(8)}}
	for range c.room {
		c.prices = append(c.prices, r.Int64N(100))
	}
	for g := range c.p.Groups {
		x := item{group: model.GroupIndex(g), request: model.Quantities{r.Int64N(6), r.Int64N(6), r.Int64N(2)}, value: 1 + r.Int64N(30), most: 1 + r.Int64N(5)}
		if x.most = min(x.most, fitting(x.request, c.room)); x.most > 0 {
			c.items = append(c.items, x)
		}
	}
	if r.IntN(3) == 0 {
		c.p.Groups[0].Conflicts, c.p.Groups[3].Conflicts = []model.GroupIndex{3}, []model.GroupIndex{0}
	}
	return c
}

func TestNoBoundOnAContentIsBelowTheDearest(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := machine(r)
		want := dearest(c, 0, c.room, map[model.GroupIndex]bool{})
		enough := r.Int64N(60)

		got := c.ceiling(enough)
		require.GreaterOrEqual(t, got, want, "seed %d", seed)
		if want > enough {
			require.Equal(t, want, got, "seed %d: so small a machine is searched to the end", seed)
		} else {
			require.LessOrEqual(t, got, enough, "seed %d", seed)
		}

		c.ready()
		require.GreaterOrEqual(t, c.lagrangian(), want, "seed %d", seed)
		for _, over := range [][]int{{0}, {1}, {2}, {0, 1}, {1, 0}, {0, 2}} {
			if table := c.table(over); table != nil {
				require.GreaterOrEqual(t, table.bound(), want, "seed %d over %v", seed, over)
				best, done := c.search(table, 0, longSearch)
				require.True(t, done)
				require.Equal(t, want, best, "seed %d over %v", seed, over)
			}
		}
		for branches := range 20 {
			if best, done := c.search(nil, 0, branches); done {
				require.Equal(t, want, best, "seed %d: done after %d branches", seed, branches)
			}
		}
	}
}

func TestSharesAreRoundedAsTheySay(t *testing.T) {
	require.Equal(t, int64(3), share(10, 1, 3))
	require.Equal(t, int64(4), shareUp(10, 1, 3))
	require.Equal(t, int64(5), share(10, 1, 2))
	require.Equal(t, int64(5), shareUp(10, 1, 2))
	require.Equal(t, int64(1)<<59, share(1<<59, 1<<62, 1<<62))
	require.Equal(t, int64(largest), share(1<<59, 1<<62, 1), "what does not fit is as much as fits")
	require.Zero(t, shareUp(0, 5, 7))
}
