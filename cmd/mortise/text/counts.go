package text

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// counts is how often each name occurs.
type counts map[string]int

// names lists the names, the most frequent first.
func (c counts) names() []string {
	return slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		return cmp.Or(cmp.Compare(c[b], c[a]), cmp.Compare(a, b))
	})
}

// list is "web ×3, api" for at most limit names, and says how many more there are.
func (c counts) list(limit int) string {
	var out []string
	for i, name := range c.names() {
		if i == limit {
			out = append(out, fmt.Sprintf("and %d more", len(c)-limit))
			break
		}
		if n := c[name]; n > 1 {
			name = fmt.Sprintf("%s ×%d", name, n)
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// plural is "1 node", "2 nodes".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// some lists at most maxNames names, each as it is to be printed.
func some(names []string, printed func(string) string) string {
	var out []string
	for _, n := range names[:min(maxNames, len(names))] {
		out = append(out, printed(n))
	}
	list := strings.Join(out, ", ")
	if more := len(names) - maxNames; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// asIs prints a name as it is.
func asIs(name string) string { return name }
