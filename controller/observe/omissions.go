package observe

import (
	"fmt"
	"slices"
	"strings"
)

// omissions says which resources are left out, and why: one sentence for those
// of a group that are missing for the same reason.
func omissions(lists []list) []string {
	type group struct{ version, why string }
	missing := map[group][]string{}
	for i := range lists {
		if l := &lists[i]; l.omitted != "" {
			g := group{l.GroupVersion().String(), l.omitted}
			missing[g] = append(missing[g], l.Resource)
		}
	}
	var out []string
	for g, names := range missing {
		out = append(out, fmt.Sprintf("leaves out %s (%s): %s", strings.Join(names, ", "), g.version, g.why))
	}
	slices.Sort(out)
	return out
}
