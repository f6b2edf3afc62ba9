package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/benchmarks"
)

// planned are the instances that are measured as a user meets them.
var planned = []string{"govuk", "groups-100", "nodes-200"}

// measurement is one plan and what it took.
type measurement struct {
	instance     benchmarks.Instance
	plan         v1alpha1.Plan
	wall, cpu    time.Duration
	peakMemoryKB int64
}

// plan plans instances with the mortise binary, as a user would, and writes
// what the plans cost and what it took to find them.
func plan(args []string) error {
	flags, out := flagsOf("plan")
	binary := flags.String("binary", "bin/mortise", "the binary to measure")
	commit := flags.String("commit", "unknown", "the commit that it was built from")
	_ = flags.Parse(args)

	instances, err := benchmarks.Named(".", planned)
	if err != nil {
		return err
	}
	var all []measurement
	for _, in := range instances {
		m, err := measure(*binary, in)
		if err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		all = append(all, m)
	}
	return publish(filepath.Join(*out, "plan.md"), report(*commit, time.Now(), all))
}

// measure plans the instance from a file, in a process of its own.
func measure(binary string, in benchmarks.Instance) (measurement, error) {
	m := measurement{instance: in}
	s, err := in.Snapshot()
	if err != nil {
		return m, err
	}
	file, err := json.Marshal(s)
	if err != nil {
		return m, err
	}
	folder, err := os.MkdirTemp("", "mortise-measure")
	if err != nil {
		return m, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, in.Name+".json")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		return m, err
	}

	cmd := exec.Command(binary, "plan", "-f", path, "-o", "json")
	cmd.Stderr = os.Stderr
	start := time.Now()
	plan, err := cmd.Output()
	if err != nil {
		return m, err
	}
	m.wall = time.Since(start)
	m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.peakMemoryKB = usage.Maxrss
		if runtime.GOOS == "darwin" { // bytes there
			m.peakMemoryKB /= 1024
		}
	}
	return m, json.Unmarshal(plan, &m.plan)
}

// report is the page of results.
func report(commit string, at time.Time, all []measurement) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Plans of the large instances\n\nCommit %s, %s, %s/%s, %d cores, catalog %s. Written by `make bench-plan`.\n",
		commit, at.UTC().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), benchmarks.Catalog)
	fmt.Fprint(&out, "\n| instance | USD/h before | after | lower bound | gap | outcome | wall s | CPU s | peak MiB |\n|---|---|---|---|---|---|---|---|---|\n")
	for i := range all {
		m := &all[i]
		c := &m.plan.Cost
		fmt.Fprintf(&out, "| %s | %.4f | %.4f | %.4f | %.2f %% | %s | %.1f | %.1f | %d |\n", m.instance.Name, c.BeforePerHour, c.AfterPerHour,
			c.LowerBoundPerHour, 100*c.Gap, m.plan.Outcome, m.wall.Seconds(), m.cpu.Seconds(), m.peakMemoryKB/1024)
	}
	fmt.Fprintln(&out)
	for i := range all {
		fmt.Fprintf(&out, "- **%s**: %s.\n", all[i].instance.Name, all[i].instance.About)
	}
	fmt.Fprintln(&out, "\nEvery plan is verified before it is printed. Costs are prices alone; the gap is that of the whole objective.")
	return out.Bytes()
}
