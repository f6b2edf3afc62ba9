package main

import (
	"errors"
	"strings"
)

// Exit statuses.
const (
	exitDone     = 0
	exitFindings = 1 // check found violations, or plan --detailed-exitcode left pods unplaced
	exitBadInput = 2
	exitFailed   = 3
)

// reportPrefix begins the line that reports an error.
const reportPrefix = "mortise: "

// errFindings ends a command that has said what it found.
var errFindings = errors.New("findings")

// failure is an error of a command that ran on good input.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// failed marks err as a failure of a deed, not of what the user gave.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// exitCode is the exit status that err stands for: bad input unless it says otherwise.
func exitCode(err error) int {
	var f failure
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &f):
		return exitFailed
	default:
		return exitBadInput
	}
}

// report is err as the one line that goes to standard error.
func report(err error) string {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return reportPrefix + strings.Join(lines, "; ") + "\n"
}
