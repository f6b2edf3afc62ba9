package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mortise-io/mortise/benchmarks"
)

// solve measures the instances. Those that are not asked for, or whose data is
// absent, keep the results that they have.
func solve(args []string) error {
	flags, out := flagsOf("solve")
	only := flags.String("only", "", "names of instances, by commas; empty means all")
	one := flags.String("one", "", "solve this instance in this process, and print its record")
	_ = flags.Parse(args)
	if *one != "" {
		return solveOne(*one)
	}
	instances := benchmarks.Instances(".")
	if *only != "" {
		var err error
		if instances, err = benchmarks.Named(".", strings.Split(*only, ",")); err != nil {
			return err
		}
	}
	records, err := benchmarks.ReadResults[benchmarks.Record](filepath.Join(*out, "solve.json"))
	if err != nil {
		return err
	}
	stamp, err := benchmarks.NewStamp(".", time.Now()) // of what this program was built from
	if err != nil {
		return err
	}
	for i := range instances {
		record, err := apart(&instances[i], stamp)
		if err != nil {
			return err
		}
		if record == nil {
			continue
		}
		records = keep(records, *record)
		if err := benchmarks.WriteResults(filepath.Join(*out, "solve.json"), records); err != nil {
			return err
		}
	}
	page, err := solvePage(records)
	if err != nil {
		return err
	}
	return publish(filepath.Join(*out, "solve.md"), page)
}

// solveOne solves the instance here. It prints nothing if its data is absent.
func solveOne(name string) error {
	instances, err := benchmarks.Named(".", []string{name})
	if err != nil {
		return err
	}
	record, err := benchmarks.Run(context.Background(), &instances[0])
	if errors.Is(err, benchmarks.ErrNoData) {
		log.Print(err)
		return nil
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(record)
}

// apart solves the instance in a process of its own, so that its memory can be
// told. It returns nil if its data is absent.
func apart(in *benchmarks.Instance, stamp benchmarks.Stamp) (*benchmarks.Record, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "solve", "-one", in.Name)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	if len(out) == 0 {
		return nil, nil
	}
	record := &benchmarks.Record{}
	if err := json.Unmarshal(out, record); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	record.Stamp = stamp
	fmt.Fprintf(os.Stderr, "%s: cost %.4f, bound %.4f, gap %.3f %%, %.1f s of CPU, %d MiB, %s\n",
		in.Name, record.Cost.USD(), record.Bound.USD(), 100*record.Gap(), record.CPUSeconds, record.PeakMiB, record.Stop)
	return record, nil
}

// keep replaces the record of the same name, and keeps the instances' order.
func keep(records []benchmarks.Record, r benchmarks.Record) []benchmarks.Record {
	records = slices.DeleteFunc(records, func(old benchmarks.Record) bool { return old.Name == r.Name })
	records = append(records, r)
	all := benchmarks.Instances(".")
	place := func(r benchmarks.Record) int {
		return slices.IndexFunc(all, func(in benchmarks.Instance) bool { return in.Name == r.Name })
	}
	slices.SortStableFunc(records, func(a, b benchmarks.Record) int { return cmp.Compare(place(a), place(b)) })
	return records
}

func solvePage(records []benchmarks.Record) ([]byte, error) {
	ranges, err := benchmarks.ReadRanges(".")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Solves of the large instances\n\nCatalog %s. Written by `make bench-solve`.\n\n", benchmarks.Catalog)
	fmt.Fprintln(&out, "| instance | pods | groups | nodes | USD/h before | cost | lower bound | gap | CPU s | within 1 % after | wall s | peak MiB | stop | verified | target | commit, date |")
	fmt.Fprintln(&out, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for i := range records {
		r := &records[i]
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %.4f | %.4f | %.4f | %.3f %% | %.1f | %s | %.1f | %d | %s | %s | %s | %s, %s |\n",
			r.Name, r.Pods, r.Groups, r.Nodes, r.Before.USD(), r.Cost.USD(), r.Bound.USD(), 100*r.Gap(), r.CPUSeconds, seconds(r.FirstSeconds), r.WallSeconds,
			r.PeakMiB, r.Stop, verified(r), verdict(ranges.Solve[r.Name], r), r.Commit, r.Date)
	}
	fmt.Fprintln(&out)
	for _, in := range benchmarks.Instances(".") {
		fmt.Fprintf(&out, "- **%s**: %s.\n", in.Name, in.About)
	}
	fmt.Fprintln(&out, "\nCost and bound are the whole objective, in USD per hour. CPU seconds are those of the solve alone, of all threads; the memory is that of the process meanwhile, its snapshot included. A target that is missed is named with its figure.")
	return out.Bytes(), nil
}

func seconds(s float64) string {
	if s == 0 {
		return "never"
	}
	return fmt.Sprintf("%.1f s", s)
}

func verified(r *benchmarks.Record) string {
	if len(r.Faults) > 0 {
		return fmt.Sprintf("**%d faults**", len(r.Faults))
	}
	if r.Unplaced > 0 {
		return fmt.Sprintf("yes, %d unplaced", r.Unplaced)
	}
	return "yes"
}

// verdict says whether the record meets its targets.
func verdict(ranges benchmarks.SolveRanges, r *benchmarks.Record) string {
	if missed := ranges.Missed(r); len(missed) > 0 {
		return strings.Join(missed, ", ")
	}
	return "met"
}
