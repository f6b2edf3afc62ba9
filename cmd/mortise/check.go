package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/model/verify"
)

func newCheck(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check (-f SNAPSHOT... | --demo) -p PLAN",
		Short: "Hold a plan against the cluster: every rule that it breaks",
		Long: `Check prints every rule that a plan breaks, one a line, and exits with 1 if there is
any. It works from the cluster's own objects and shares no code with the planner.
Give it the flags that the plan was made with.`,
		Example: `  mortise plan -f snapshot.yaml -o json > plan.json
  mortise check -f snapshot.yaml -p plan.json

  # the lower bound, too
  mortise plan -f snapshot.yaml -o json --certificate bound.json > plan.json
  mortise check -f snapshot.yaml -p plan.json --certificate bound.json`,
		Args: cobra.NoArgs,
	}
	in := addInput(cmd)
	path := addPlanFile(cmd)
	requireFlag(cmd, "plan")
	certificate := cmd.Flags().String("certificate", "", "file that plan --certificate wrote: check the plan's lower bound, too")
	cmd.RunE = func(*cobra.Command, []string) error {
		s, plan, err := loadBoth(std, in, *path)
		if err != nil {
			return err
		}
		certified := true
		if *certificate != "" {
			c, err := readCertificate(*certificate)
			if err != nil {
				return err
			}
			if certified, err = certify(std, s, plan, c); err != nil {
				return err
			}
		}
		violations := verify.Plan(s, plan)
		for _, v := range violations {
			if _, err := fmt.Fprintln(std.out, v); err != nil {
				return failed(fmt.Errorf("print: %w", err))
			}
		}
		if len(violations) == 0 && certified {
			return nil
		}
		if plan.SnapshotHash != snapshot.Hash(s) {
			_, _ = fmt.Fprintln(std.err, "mortise: the plan is of another snapshot, or was made with other flags: its snapshotHash differs")
		}
		return errFindings
	}
	return cmd
}

// addPlanFile adds the flag that names a plan.
func addPlanFile(cmd *cobra.Command) *string {
	return cmd.Flags().StringP("plan", "p", "", "file with a Plan, or - for standard input")
}

func requireFlag(cmd *cobra.Command, name string) {
	if err := cmd.MarkFlagRequired(name); err != nil {
		panic(err) // the flag was added by the caller
	}
}

// loadBoth reads the snapshot and, if a path is given, the plan. A snapshot
// that does not say its time is taken to be as old as the plan.
func loadBoth(std streams, in *input, path string) (*v1alpha1.Snapshot, *v1alpha1.Plan, error) {
	var plan *v1alpha1.Plan
	if path != "" {
		if path == "-" && slices.Contains(in.files, "-") {
			return nil, nil, errors.New("--filename -, --plan -: expected one of them to be a file: both cannot be standard input")
		}
		var err error
		if plan, err = snapshot.ReadPlan(path, std.in); err != nil {
			return nil, nil, err
		}
		in.now = plan.Time.Time
	}
	s, _, err := in.load(std.in, v1alpha1.Policy{})
	return s, plan, err
}
