package certify

import "math/bits"

// share is the part of a price that falls on some of a whole, rounded down.
// Nothing is below zero, and the whole is above. What does not fit is as much
// as fits.
func share(price, part, whole int64) int64 {
	quotient, _ := divided(price, part, whole)
	return quotient
}

// shareUp is share rounded up.
func shareUp(price, part, whole int64) int64 {
	quotient, rest := divided(price, part, whole)
	if rest > 0 {
		quotient++
	}
	return quotient
}

func divided(price, part, whole int64) (quotient, rest int64) {
	high, low := bits.Mul64(uint64(price), uint64(part))
	if high >= uint64(whole) {
		return largest, 0
	}
	q, r := bits.Div64(high, low, uint64(whole))
	if q >= largest {
		return largest, 0
	}
	return int64(q), int64(r)
}
