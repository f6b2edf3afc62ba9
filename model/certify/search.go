package certify

import (
	"slices"

	"github.com/mortise-io/mortise/model"
)

// search looks for the dearest content that is worth more than enough, depth
// first, within so many branches. If it got through all of them, nothing is
// worth more than what it returns. The table may be nil.
func (c *content) search(t *table, enough int64, branches int) (best int64, done bool) {
	s := &branching{content: c, t: t, free: slices.Clone(c.room), held: make([]bool, len(c.p.Groups)), best: enough, left: branches}
	s.extend(0, 0)
	return s.best, s.left >= 0
}

// branching is a search in progress.
type branching struct {
	*content
	t    *table
	free model.Quantities
	held []bool // by group
	best int64
	left int
}

// extend adds every number of pods of every item from the k-th on to a content
// of this value.
func (s *branching) extend(k int, value int64) {
	s.best = max(s.best, value)
	s.left--
	for ; k < len(s.items) && s.left >= 0; k++ {
		if s.upTo(k, value) <= s.best {
			return
		}
		x := &s.items[k]
		if s.conflicts(x.group) {
			continue
		}
		s.held[x.group] = true
		for n := min(x.most, fitting(x.request, s.free)); n > 0 && s.left >= 0; n-- {
			s.take(x.request, n)
			if s.upTo(k+1, value+n*x.value) > s.best {
				s.extend(k+1, value+n*x.value)
			}
			s.take(x.request, -n)
		}
		s.held[x.group] = false
	}
}

// upTo is what a content of this value can become with the items from the k-th on.
func (s *branching) upTo(k int, value int64) int64 {
	rest := s.worth(s.free, nil) + s.suffix[k]
	if s.t != nil {
		rest = min(rest, s.t.from(k, s.free))
	}
	return value + rest
}

func (s *branching) take(request model.Quantities, n int64) {
	for r, q := range request {
		s.free[r] -= q * n
	}
}

// conflicts says whether the content holds a group that g may not share a machine with.
func (s *branching) conflicts(g model.GroupIndex) bool {
	return slices.ContainsFunc(s.p.Groups[g].Conflicts, func(other model.GroupIndex) bool { return s.held[other] })
}
