package model

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// Set is a set of small indices, such as the shapes that a pod group may be
// launched on. The zero value is empty.
type Set[I ~int] struct {
	words []uint64
}

// NewSet returns an empty set with room for the indices below n.
func NewSet[I ~int](n int) Set[I] {
	return Set[I]{words: make([]uint64, (n+63)/64)}
}

// Add puts i into the set, which grows as needed.
func (s *Set[I]) Add(i I) {
	for int(i)/64 >= len(s.words) {
		s.words = append(s.words, 0)
	}
	s.words[i/64] |= 1 << (i % 64)
}

// Remove takes i out of the set.
func (s *Set[I]) Remove(i I) {
	if int(i)/64 < len(s.words) {
		s.words[i/64] &^= 1 << (i % 64)
	}
}

// Has says whether i is in the set.
func (s Set[I]) Has(i I) bool {
	return int(i)/64 < len(s.words) && s.words[i/64]&(1<<(i%64)) != 0
}

// Len is the number of indices in the set.
func (s Set[I]) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty says whether the set holds nothing.
func (s Set[I]) Empty() bool {
	for _, w := range s.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// All yields the indices in ascending order.
func (s Set[I]) All() iter.Seq[I] {
	return func(yield func(I) bool) {
		for k, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(I(k*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Equal says whether both sets hold the same indices.
func (s Set[I]) Equal(t Set[I]) bool {
	long, short := s.words, t.words
	if len(long) < len(short) {
		long, short = short, long
	}
	for k, w := range long {
		if k < len(short) && w != short[k] || k >= len(short) && w != 0 {
			return false
		}
	}
	return true
}

// Key is equal for equal sets, for use as a map key.
func (s Set[I]) Key() string {
	n := len(s.words)
	for n > 0 && s.words[n-1] == 0 {
		n--
	}
	b := make([]byte, 0, 8*n)
	for _, w := range s.words[:n] {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}
