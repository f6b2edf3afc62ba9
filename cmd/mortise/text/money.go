package text

import (
	"math"
	"strconv"
	"strings"
)

// hoursPerMonth is what cloud bills take for a month.
const hoursPerMonth = 730

// hourly is an amount of USD per hour, to a hundredth of a cent.
func hourly(usd float64) string {
	return sign(usd) + "$" + grouped(math.Abs(usd), 4) + "/h"
}

// monthly is an amount of USD per hour as USD per month.
func monthly(usd float64) string {
	month := math.Abs(usd) * hoursPerMonth
	decimals := 0
	if month < 100 {
		decimals = 2
	}
	return sign(usd) + "$" + grouped(month, decimals)
}

// percent is a share of one.
func percent(share float64) string {
	p := share * 100
	switch {
	case p == 0:
		return "0%"
	case math.Abs(p) < 0.0001:
		return "under 0.0001%"
	case math.Abs(p) < 0.01:
		return strconv.FormatFloat(p, 'g', 1, 64) + "%"
	case math.Abs(p) < 1:
		return strconv.FormatFloat(p, 'f', 2, 64) + "%"
	default:
		return strconv.FormatFloat(p, 'f', 1, 64) + "%"
	}
}

func sign(x float64) string {
	if x < 0 {
		return "-"
	}
	return ""
}

// grouped is a number that is not negative with its thousands set apart.
func grouped(x float64, decimals int) string {
	whole, fraction, dot := strings.Cut(strconv.FormatFloat(x, 'f', decimals, 64), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		return whole + "." + fraction
	}
	return whole
}
