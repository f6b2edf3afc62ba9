package main

import (
	"fmt"
	"io"
	"time"

	"github.com/mortise-io/mortise/solver"
)

// longSolve is how long a solve may take before its progress is shown.
const longSolve = time.Second

// progress shows how a long solve goes, on one line that it writes again and again.
type progress struct {
	w     io.Writer
	shown bool
}

// newProgress reports to w if it is a terminal; otherwise it says nothing.
func newProgress(w io.Writer) *progress {
	if _, ok := terminal(w); !ok {
		return &progress{}
	}
	return &progress{w: w}
}

// report is called by the solver.
func (p *progress) report(s solver.Progress) {
	if p.w == nil || s.Elapsed < longSolve {
		return
	}
	p.shown = true
	gap := ""
	if s.Cost > 0 {
		gap = fmt.Sprintf(", gap %.2f%%", 100*float64(s.Cost-s.LowerBound)/float64(s.Cost))
	}
	_, _ = fmt.Fprintf(p.w, "\r\x1b[Ksolving %3.0f s: cost $%.4f/h, lower bound $%.4f/h%s",
		s.Elapsed.Seconds(), s.Cost.USD(), s.LowerBound.USD(), gap)
}

// done clears the line.
func (p *progress) done() {
	if p.shown {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
}
