package text

import (
	"fmt"
	"math"
	"strings"
)

// eighths are the blocks that fill a column by one to seven eighths.
var eighths = []rune(" ▏▎▍▌▋▊▉")

// bar is a share of one as a bar of some columns, and in percent.
func bar(share float64, columns int) string {
	filled := int(math.Round(min(max(share, 0), 1) * float64(columns) * 8))
	full, part := filled/8, filled%8
	var b strings.Builder
	b.WriteString(strings.Repeat("█", full))
	if part > 0 {
		b.WriteRune(eighths[part])
		full++
	}
	b.WriteString(strings.Repeat("░", columns-full))
	return fmt.Sprintf("%s %3.0f%%", b.String(), share*100)
}
