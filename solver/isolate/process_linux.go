package isolate

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// executable is the program that runs, even if its file has been replaced since.
func executable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err != nil {
		return os.Executable()
	}
	return self, nil
}

// attributes let the kernel end a child whose parent died, if it is in no state
// to notice that its input ended. To the kernel, the parent is the thread that
// started it; those of Go live on, but for the ones that goroutines lock and end with.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// volunteer offers this process to the kernel as the first to end when memory
// runs out, before its parent. If it may not, all is as it was.
func volunteer() {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
}

// resident is how many bytes of memory a process has, native libraries
// included; zero if that is not known.
func resident(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data) // size, resident, … in pages
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
