package snapshot

import (
	"fmt"
	"slices"
	"strings"
)

// warn adds a warning. Compile sorts them in the end.
func (c *Compiled) warn(format string, args ...any) {
	c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
}

// some names the objects of a kind: all of a few, the first of many.
func some(kind string, names []string) string {
	const most = 3
	slices.Sort(names)
	switch n := len(names); {
	case n == 1:
		return kind + " " + names[0]
	case n <= most:
		return fmt.Sprintf("%ss %s", kind, strings.Join(names, ", "))
	default:
		return fmt.Sprintf("%ss %s and %d more", kind, strings.Join(names[:most-1], ", "), n-most+1)
	}
}
