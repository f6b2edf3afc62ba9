// Package benchmarks holds problems that are too large for a scenario, and
// measures how they are solved: cost, bound, time and memory, always together,
// for none of them says anything alone.
//
//   - Instances are clusters, solved through the snapshot's whole path.
//   - Packings are published problems of vector bin packing, with known optima.
//   - Agreement has every engine solve random problems, beside exhaustion.
//
// Results of full runs are committed in results/, what a run may cost at most is
// in ranges.yaml, and the tests here repeat a sample of both. See docs/benchmarks.md.
package benchmarks
