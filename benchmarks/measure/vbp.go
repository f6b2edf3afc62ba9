package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mortise-io/mortise/benchmarks"
)

// vbp solves the published packings.
func vbp(args []string) error {
	flags, out := flagsOf("vbp")
	items := flags.Int("items", 60, "the most items that a packing may have")
	every := flags.Int("every", 1, "solve only every so many-th packing")
	work := flags.Float64("work", 60, "work for each packing, in about seconds of a core")
	_ = flags.Parse(args)

	all, err := benchmarks.Packings(*items)
	if errors.Is(err, benchmarks.ErrNoData) {
		log.Print(err)
		return nil
	}
	if err != nil {
		return err
	}
	run := benchmarks.PackingRun{Items: *items, Every: max(1, *every), Seconds: *work}
	if run.Stamp, err = benchmarks.NewStamp(".", time.Now()); err != nil {
		return err
	}
	for i := 0; i < len(all); i += run.Every {
		record, err := benchmarks.RunPacking(context.Background(), &all[i], run.Work())
		if err != nil {
			return err
		}
		run.Packings = append(run.Packings, record)
		if !record.Optimal {
			fmt.Fprintf(os.Stderr, "%s: %d bins, bound %.3f, %.1f s of CPU\n", record.ID, record.Bins, record.Bound, record.CPUSeconds)
		}
	}
	if err := benchmarks.WriteResults(filepath.Join(*out, "vbp.json"), []benchmarks.PackingRun{run}); err != nil {
		return err
	}
	return publish(filepath.Join(*out, "vbp.md"), vbpPage(&run))
}

// tally counts packings of one class.
type tally struct {
	class                                string
	all, optimal, closed, atKnown, known int
	faults                               []string
	cpu, longest                         float64
}

func (t *tally) add(r *benchmarks.PackingRecord) {
	t.all++
	if r.Optimal {
		t.optimal++
	}
	if r.LowerBound == r.Bins {
		t.closed++
	}
	if r.Known > 0 {
		t.known++
		if r.Bins == r.Known {
			t.atKnown++
		}
	}
	t.cpu += r.CPUSeconds
	t.longest = max(t.longest, r.CPUSeconds)
	for _, fault := range r.Faults {
		t.faults = append(t.faults, r.ID+": "+fault)
	}
}

func vbpPage(run *benchmarks.PackingRun) []byte {
	total, classes := tally{class: "all"}, []*tally(nil)
	for i := range run.Packings {
		r := &run.Packings[i]
		class, _, _ := strings.Cut(r.ID, "_")
		if len(classes) == 0 || classes[len(classes)-1].class != class {
			classes = append(classes, &tally{class: class})
		}
		classes[len(classes)-1].add(r)
		total.add(r)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Vector bin packing\n\nPublished packings of at most %d items, one in %d of them, at most about %g s of work each. Commit %s, %s, %s. Written by `make bench-vbp`.\n\n",
		run.Items, run.Every, run.Seconds, run.Commit, run.Date, run.Platform)
	fmt.Fprintln(&out, "| class | packings | proven optimal | bound rounded up meets the bins | at the published optimum | CPU s | longest |\n|---|---|---|---|---|---|---|")
	for _, t := range append(classes, &total) {
		fmt.Fprintf(&out, "| %s | %d | %d (%.1f %%) | %d | %d of %d | %.1f | %.1f |\n",
			t.class, t.all, t.optimal, 100*float64(t.optimal)/float64(t.all), t.closed, t.atKnown, t.known, t.cpu, t.longest)
	}
	fmt.Fprintf(&out, "\nBounds above a published optimum, counts below one, rules broken: %d.\n", len(total.faults))
	for _, fault := range total.faults {
		fmt.Fprintf(&out, "- %s\n", fault)
	}
	return out.Bytes()
}
