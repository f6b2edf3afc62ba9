package benchmarks

import (
	"bytes"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
)

// meter tells what this process uses since it was started.
type meter struct {
	start time.Time
	used  float64
}

// startMeter sets out from as little memory as can be had. Where the system
// forgets no peak (all but Linux), that is the process's from its start.
func startMeter() meter {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets the peak
	return meter{time.Now(), cpuSeconds()}
}

func (m meter) wall() float64 { return milli(time.Since(m.start).Seconds()) }

// cpu is in seconds, of all threads.
func (m meter) cpu() float64 { return milli(cpuSeconds() - m.used) }

// milli rounds seconds to thousandths: there is no meaning in more.
func milli(seconds float64) float64 { return math.Round(1000*seconds) / 1000 }

func (m meter) peakMiB() int64 {
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		if _, after, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
			if fields := bytes.Fields(after); len(fields) > 0 {
				kib, _ := strconv.ParseInt(string(fields[0]), 10, 64)
				return kib >> 10
			}
		}
	}
	peak := usage().Maxrss
	if runtime.GOOS == "darwin" { // bytes there
		peak >>= 10
	}
	return peak >> 10
}

func cpuSeconds() float64 {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func usage() syscall.Rusage {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u
}
