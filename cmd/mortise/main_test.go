package main

import (
	"os"
	"testing"

	"github.com/mortise-io/mortise/solver/isolate"
)

// TestMain lets this test be its own solver process.
func TestMain(m *testing.M) {
	isolate.Main()
	os.Exit(m.Run())
}
