// Package planner makes one plan of one snapshot: Compile, Solve, Assemble,
// Verify, and the questions that are answered by solving again (why a node is
// kept, what the rules hold back).
package planner

import (
	"context"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/solver"
)

// Engines that a caller can ask for.
const (
	EngineAuto    = "auto"
	EngineBuiltin = "builtin"
)

// Options of one Plan, beside the snapshot's policy.
type Options struct {
	// Engine is EngineAuto or EngineBuiltin; empty means EngineAuto.
	Engine string
	// Potential asks what the rules hold back, too.
	Potential bool
	// Progress, if set, is told how the search goes.
	Progress func(solver.Progress)
}

// Plan answers a snapshot whose catalogue is resolved (see catalog.Resolve).
// A plan that breaks a rule is never returned: it fails if even the simplest one does.
func Plan(ctx context.Context, s *v1alpha1.Snapshot, o Options) (*v1alpha1.Plan, error) {
	panic("todo")
}
