// Package native finds and opens the shared libraries of OR-Tools: HiGHS, which
// loads alone, and CP-SAT, which needs about a hundred more beside it.
//
// They are C++ and are called without cgo. There are some for Linux on amd64
// and arm64; elsewhere Open says that there are none. What can be seen of a
// broken file is seen before it is loaded, because loading it could end the
// process.
package native

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// The files that are opened by name.
const (
	HiGHS   = "libhighs.so.1"
	ORTools = "libortools.so.9"
)

// ErrMissing is returned when a library is nowhere, or not for this platform.
var ErrMissing = errors.New("no such solver library")

// Library is an open shared library. It stays open as long as the process lives.
type Library struct {
	Path   string
	handle uintptr
}

// Open opens the library with the given file name, from the first place that
// has one that works. The error lists all places and what is wrong with each.
//
// ORTools must be opened once only: two copies of it in a process would end it.
func Open(file string) (*Library, error) {
	if !supported {
		return nil, fmt.Errorf("%s: %w for %s/%s", file, ErrMissing, runtime.GOOS, runtime.GOARCH)
	}
	var faults []string
	found := false
	for p := range places() {
		path, err := p.locate(file)
		if err == nil {
			found = true
			var l *Library
			if l, err = open(path); err == nil {
				return l, nil
			}
		}
		faults = append(faults, p.name+": "+err.Error())
	}
	err := fmt.Errorf("%s: %s", file, strings.Join(faults, "; "))
	if !found {
		err = fmt.Errorf("%w: %w", ErrMissing, err)
	}
	return nil, err
}

func open(path string) (*Library, error) {
	if err := whole(path); err != nil {
		return nil, err
	}
	handle, err := load(path)
	if err != nil {
		return nil, err
	}
	return &Library{Path: path, handle: handle}, nil
}

// Bind makes the function that f points to call the library's symbol.
func (l *Library) Bind(symbol string, f any) error {
	if err := bind(l.handle, symbol, f); err != nil {
		return fmt.Errorf("%s: symbol %s: %w", l.Path, symbol, err)
	}
	return nil
}

// isFile says whether there is a file, or a link to one.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
