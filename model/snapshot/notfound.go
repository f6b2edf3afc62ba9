package snapshot

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNotFound is returned when a snapshot has no pod or node of a name.
var ErrNotFound = errors.New("not in the snapshot")

// notFound is ErrNotFound of the kind's name, with the names that begin like it:
// texts for people leave the domain of nodes and the last part of pods' names out.
func notFound(kind, name string, names []string) error {
	const most = 3
	var alike []string
	for _, n := range names {
		if strings.HasPrefix(n, name) {
			alike = append(alike, n)
		}
	}
	if len(alike) == 0 {
		return fmt.Errorf("%s %s: %w", kind, name, ErrNotFound)
	}
	slices.Sort(alike)
	return fmt.Errorf("%s %s: %w, which has %s", kind, name, ErrNotFound, strings.Join(alike[:min(most, len(alike))], ", "))
}
