//go:build !linux

package isolate

import (
	"os"
	"syscall"
)

// executable is the file of this program.
func executable() (string, error) { return os.Executable() }

// attributes: a child notices that its input ends when its parent dies.
func attributes() *syscall.SysProcAttr { return nil }

func volunteer() {}

// resident is not known here: only the child's own limit holds.
func resident(int) int64 { return 0 }
