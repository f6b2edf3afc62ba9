// Package isolate solves in child processes, so that nothing a solver does can
// take the caller with it: no crash, no hang, no leak, no broken library.
//
// The child is this very program, started again (see Main). It reads requests
// from its standard input, and answers on file descriptor 3, so that what a
// library prints disturbs nobody. Both ways go frames: a fixed header with
// length and checksum, then a message in gob.
//
//	parent → child   request                     one problem, with its options
//	child → parent   heartbeat, progress, …      while it solves
//	                 result or failure           once
//
// The parent holds every solution against its problem before it passes it on.
// When a child is lost, it answers with the best solution heard of; failing
// that, with the built-in engine's, found in its own process; failing even
// that, with the solution that changes nothing. Result.Fallback then says why.
package isolate
