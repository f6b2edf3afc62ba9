package isolate

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"

	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/engine"
)

// childArgument, alone on the command line, makes a process a child.
const childArgument = "solve-child"

// answersFile is the file descriptor that a child answers on.
const answersFile = 3

// mainCalled says that this program, started again, becomes a child. One that
// does not would do its own work instead, and start itself again, and again.
var mainCalled atomic.Bool

var errNoMain = errors.New("this program does not call isolate.Main")

// Main makes this process a child if it was started as one, and does not
// return then. A program whose pools have no Command calls it first of all.
func Main() {
	mainCalled.Store(true)
	if len(os.Args) != 2 || os.Args[1] != childArgument {
		return
	}
	be(engine.Solve)
}

// be serves as a child with the given engine until the parent ends or hangs up.
func be(solve solver.Func) {
	// A terminal interrupts parent and child alike; what follows is the parent's choice.
	signal.Ignore(os.Interrupt)
	volunteer()
	if err := serve(os.Stdin, os.NewFile(answersFile, "answers"), solve); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// itself is the command that starts this program as a child.
func itself() ([]string, error) {
	if !mainCalled.Load() {
		return nil, errNoMain
	}
	path, err := executable()
	if err != nil {
		return nil, err
	}
	return []string{path, childArgument}, nil
}
