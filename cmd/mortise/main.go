// Command mortise plans what a Kubernetes cluster should run on: what to
// launch, what to remove, where each pod goes, and how far from the best
// possible the plan can be.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mortise-io/mortise/solver/isolate"
)

func main() {
	isolate.Main() // does not return in a solver process
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}
