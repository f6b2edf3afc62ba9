package model

import (
	"math"
	"strconv"
)

// Money is an amount in nano-dollars per hour.
type Money int64

// Dollar is one USD per hour.
const Dollar Money = 1_000_000_000

// mostDollars is far above what any fleet costs, and leaves room for sums.
const mostDollars = 1e9

// Dollars converts USD per hour, rounded to the nearest nano-dollar. More than
// a billion dollars is taken to be a billion, and what is no number nothing.
func Dollars(usd float64) Money {
	if math.IsNaN(usd) {
		return 0
	}
	return Money(math.Round(min(max(usd, -mostDollars), mostDollars) * float64(Dollar)))
}

// USD is m in dollars per hour. For display and documents, not for sums.
func (m Money) USD() float64 {
	return float64(m) / float64(Dollar)
}

func (m Money) String() string {
	return strconv.FormatFloat(m.USD(), 'f', -1, 64)
}
