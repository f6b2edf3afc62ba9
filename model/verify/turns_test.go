package verify

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// steps is a schedule of steps that wait for others.
func steps(after map[int][]int) *schedule {
	return &schedule{after: after, earlier: map[int]map[int]bool{}}
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		after  map[int][]int
		weight map[int]int
		want   int
	}{
		{"nothing", nil, nil, 0},
		{"one step", nil, map[int]int{1: 3}, 3},
		{"two that run together", nil, map[int]int{1: 3, 2: 1}, 4},
		{"two in turn", map[int][]int{2: {1}}, map[int]int{1: 3, 2: 1}, 3},
		{"two in turn through a third", map[int][]int{2: {3}, 3: {1}}, map[int]int{1: 2, 2: 2}, 2},
		{"a fork", map[int][]int{2: {1}, 3: {1}}, map[int]int{1: 3, 2: 2, 3: 2}, 4},
		{"two chains", map[int][]int{2: {1}, 4: {3}}, map[int]int{1: 1, 2: 5, 3: 4, 4: 2}, 9},
	} {
		require.Equal(t, tt.want, concurrent(steps(tt.after), tt.weight), tt.name)
	}
}

// TestConcurrentIsTheHeaviestAntichain compares with all subsets of random steps.
func TestConcurrentIsTheHeaviestAntichain(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := 1 + r.IntN(8)
		after, weight := map[int][]int{}, map[int]int{}
		for i := range n {
			weight[i] = 1 + r.IntN(5)
			for k := range i {
				if r.IntN(3) == 0 {
					after[i] = append(after[i], k)
				}
			}
		}
		s := steps(after)
		require.Equal(t, heaviest(s, weight, n), concurrent(s, weight), "seed %d", seed)
	}
}

// heaviest is the largest weight of steps no two of which are ordered, by trying all sets.
func heaviest(s *schedule, weight map[int]int, n int) int {
	best := 0
	for set := range 1 << n {
		sum := 0
		for i := range n {
			if set>>i&1 == 0 {
				continue
			}
			sum += weight[i]
			for k := range i {
				if set>>k&1 == 1 && s.ordered(i, k) {
					sum = -1 << 30
				}
			}
		}
		best = max(best, sum)
	}
	return best
}

func TestStuck(t *testing.T) {
	t.Parallel()
	require.Empty(t, steps(map[int][]int{1: nil, 2: {1}, 3: {1, 2}}).stuck())
	require.Empty(t, steps(map[int][]int{1: {9}}).stuck(), "a step that is not there is another fault")
	require.Equal(t, []int{2, 3}, steps(map[int][]int{1: nil, 2: {1, 3}, 3: {2}}).stuck())
	require.Equal(t, []int{1}, steps(map[int][]int{1: {1}}).stuck())
}
