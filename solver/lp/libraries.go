package lp

import (
	"runtime"

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

// Supported says whether there are libraries for this platform at all.
const Supported = runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")

// Available says why HiGHS cannot be used, or nil if it can.
func Available() error {
	_, err := openHiGHS()
	return err
}
