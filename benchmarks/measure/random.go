package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/mortise-io/mortise/benchmarks"
)

// random has every engine solve random problems.
func random(args []string) error {
	flags, out := flagsOf("random")
	problems := flags.Uint64("problems", 5000, "how many problems")
	_ = flags.Parse(args)

	run := benchmarks.AgreementRun{}
	var err error
	if run.Stamp, err = benchmarks.NewStamp(".", time.Now()); err != nil {
		return err
	}
	for seed := range *problems {
		v, err := benchmarks.Judge(context.Background(), seed)
		if err != nil {
			return err
		}
		run.Add(&v)
	}
	if err := benchmarks.WriteResults(filepath.Join(*out, "random.json"), []benchmarks.AgreementRun{run}); err != nil {
		return err
	}
	return publish(filepath.Join(*out, "random.md"), randomPage(&run))
}

func randomPage(run *benchmarks.AgreementRun) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Random problems\n\n%d problems of every kind of rule, solved by each engine, and by exhaustion where that can be had. Commit %s, %s, %s. Written by `make bench-random`.\n\n",
		len(run.Costs), run.Commit, run.Date, run.Platform)
	fmt.Fprintln(&out, "| judge | proven the best | worse than the best known, without a proof |\n|---|---|---|")
	for _, judge := range benchmarks.Judges() {
		fmt.Fprintf(&out, "| %s | %d | %d |\n", judge, run.Proved[judge], run.Missed[judge])
	}
	var faults []string
	for i := range run.Open {
		for _, fault := range run.Open[i].Faults {
			faults = append(faults, fmt.Sprintf("seed %d: %s", run.Open[i].Seed, fault))
		}
	}
	fmt.Fprintf(&out, "\nDisagreements, bounds above a cost, rules broken: %d.\n", len(faults))
	for _, fault := range faults {
		fmt.Fprintf(&out, "- %s\n", fault)
	}
	return out.Bytes()
}
