package model

import (
	"math"
	"strconv"
)

// Money is an amount in nano-dollars per hour.
type Money int64

// Dollar is one USD per hour.
const Dollar Money = 1_000_000_000

// Dollars converts USD per hour, rounded to the nearest nano-dollar.
func Dollars(usd float64) Money {
	return Money(math.Round(usd * float64(Dollar)))
}

// USD is m in dollars per hour. For display and documents, not for sums.
func (m Money) USD() float64 {
	return float64(m) / float64(Dollar)
}

func (m Money) String() string {
	return strconv.FormatFloat(m.USD(), 'f', -1, 64)
}
