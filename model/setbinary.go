package model

import (
	"encoding/binary"
	"fmt"
)

// MarshalBinary writes the set in 64-bit little-endian words, the lowest
// indices first. Equal sets are written alike.
func (s Set[I]) MarshalBinary() ([]byte, error) {
	words := s.words
	for len(words) > 0 && words[len(words)-1] == 0 {
		words = words[:len(words)-1]
	}
	out := make([]byte, 0, 8*len(words))
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out, nil
}

// UnmarshalBinary reads what MarshalBinary wrote. It fails on anything that is
// not whole words.
func (s *Set[I]) UnmarshalBinary(data []byte) error {
	if len(data)%8 != 0 {
		return fmt.Errorf("set of indices: %d bytes are no whole words of 8", len(data))
	}
	s.words = make([]uint64, len(data)/8)
	for k := range s.words {
		s.words[k] = binary.LittleEndian.Uint64(data[8*k:])
	}
	return nil
}
