// Package benchmarks holds clusters that are too large for a scenario, and
// measures their plans: cost, gap, time and memory, always together, for none
// of them says anything alone.
//
//	go test ./benchmarks -run '^$' -bench .   in process
//	make bench-plan                           as a user runs it, into results/
package benchmarks
