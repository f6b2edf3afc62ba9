package lp

import (
	"github.com/mortise-io/mortise/solver/lp/sat"
)

// Library is a native library of the solver, as it was found.
type Library struct {
	Name    string
	Version string // empty if it cannot be used
	Path    string
	Err     error // what is missing or wrong
}

// Libraries loads the native libraries and says what they are, or what is
// missing for them.
func Libraries() []Library {
	highs, cpsat := Library{Name: "HiGHS"}, Library{Name: "CP-SAT"}
	if h, err := openHiGHS(); err != nil {
		highs.Err = err
	} else {
		highs.Version, highs.Path = h.version(), h.library.Path
	}
	cpsat.Version, cpsat.Path, cpsat.Err = sat.Version()
	return []Library{highs, cpsat}
}
