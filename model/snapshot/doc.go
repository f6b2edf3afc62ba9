// Package snapshot reads a cluster at one instant from files, compiles it into
// a model.Problem, and assembles a model.Solution into a v1alpha1.Plan.
//
//	Read ─► Snapshot ─► Compile ─► Compiled.Problem ─► (solver) ─► Assemble ─► Plan
//
// Everything here is pure: the snapshot's time is the only clock, and no
// answer depends on the order of the input or of a map.
package snapshot
