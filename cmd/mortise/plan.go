package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/cmd/mortise/text"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/engine"
	"github.com/mortise-io/mortise/solver/isolate"
)

// planFlags are the flags of the plan command beside its input.
type planFlags struct {
	timeLimit time.Duration
	gap       float64
	engine    choice
	potential bool
	detailed  bool
	// certificate is the file to write one to; empty if none is asked for.
	certificate string
}

func newPlan(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan (-f SNAPSHOT... | --demo)",
		Short: "Plan a cluster: what to launch, what to remove, where each pod goes",
		Long: `Plan reads a cluster from files (or standard input) and prints the plan: launches,
removals, where every pod goes, the order of the work, what it costs before and
after, and a lower bound that no valid plan beats. Nothing is changed anywhere.

A flag beats --policy, which beats the snapshot's policy.`,
		Example: `  # the built-in example cluster
  mortise plan --demo

  # a cluster as kubectl prints it, on AWS prices
  kubectl get nodes,pods,nodepools,nodeclaims,pdb,ds,pc,limits,ns -A -o yaml | mortise plan -f - --catalog aws-us-east-1

  # what would these Deployments cost, on what machines?
  mortise plan -f deployments.yaml --workloads --catalog aws-us-east-1 --arch amd64,arm64 --spot

  # for a program
  mortise plan -f snapshot.yaml -o json`,
		Args: cobra.NoArgs,
	}
	in := addInput(cmd)
	f := &planFlags{engine: choice{value: solver.EngineAuto, of: engine.Names}}
	cmd.Flags().DurationVar(&f.timeLimit, "time-limit", 0, "stop the search by the clock, such as 10s")
	cmd.Flags().Float64Var(&f.gap, "gap", 0, "stop once the plan is proved this close to the best (0.01 is 1%)")
	addChoice(cmd, &f.engine, "engine", "", "what solves the problem")
	cmd.Flags().BoolVar(&f.potential, "potential", false, "say what budgets, protections and other rules hold back")
	cmd.Flags().BoolVar(&f.detailed, "detailed-exitcode", false, "exit with 1 if pods are left waiting")
	cmd.Flags().StringVar(&f.certificate, "certificate", "", "file to write to why the lower bound holds, for mortise check")
	output := newOutput(cmd, formatText, formatJSON, formatYAML)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return runPlan(cmd.Context(), std, in, f, output.value)
	}
	return cmd
}

func runPlan(ctx context.Context, std streams, in *input, f *planFlags, format string) error {
	if err := f.validate(in); err != nil {
		return err
	}
	s, warnings, err := in.load(std.in, f.policy(in))
	if err != nil {
		return err
	}
	plan, certificate, err := solve(ctx, std, s, f, warnings)
	if err != nil {
		return err
	}
	if f.certificate != "" {
		if err := writeCertificate(std, f.certificate, plan, certificate); err != nil {
			return err
		}
	}
	if format == formatText {
		err = failed(text.Plan(std.out, s, plan, pageOf(std.out)))
	} else {
		err = printDocument(std.out, format, plan)
	}
	if err == nil && f.detailed && len(plan.Unplaced) > 0 {
		return errFindings
	}
	return err
}

// validate says what is wrong with the flags' values.
func (f *planFlags) validate(in *input) error {
	switch {
	case in.flags.Changed("time-limit") && f.timeLimit <= 0:
		return fmt.Errorf("--time-limit %s: expected a duration above 0", f.timeLimit)
	case f.gap < 0 || math.IsNaN(f.gap) || math.IsInf(f.gap, 0):
		return fmt.Errorf("--gap %g: expected a number of at least 0", f.gap)
	}
	return nil
}

// policy is what the flags say, and nothing of what they do not.
func (f *planFlags) policy(in *input) v1alpha1.Policy {
	var p v1alpha1.Policy
	if in.flags.Changed("time-limit") {
		p.TimeLimit = duration(f.timeLimit)
	}
	if in.flags.Changed("gap") {
		p.Gap = &f.gap
	}
	return p
}

// solverMemory is what a solver process may use, in bytes.
const solverMemory = 8 << 30

func solve(ctx context.Context, std streams, s *v1alpha1.Snapshot, f *planFlags, warnings []string) (plan *v1alpha1.Plan, certificate *model.Certificate, err error) {
	progress := newProgress(std.err)
	defer progress.done()
	pool := isolate.New(isolate.Options{MemoryLimit: solverMemory})
	defer pool.Close()
	plan, err = planner.Plan(ctx, s, planner.Options{
		Engine: f.engine.value, Solver: pool, Potential: f.potential, Warnings: warnings, Progress: progress.report,
		Certificate: func(c *model.Certificate) { certificate = c },
	})
	switch {
	case errors.Is(err, context.Canceled):
		return nil, nil, failed(errors.New("interrupted"))
	case errors.Is(err, planner.ErrSnapshot):
		return nil, nil, err
	}
	return plan, certificate, failed(err)
}
