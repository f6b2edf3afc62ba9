package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// streams are what a command reads from and prints to.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run executes one command line and returns its exit status.
func run(ctx context.Context, args []string, std streams) int {
	root := newRoot(std)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, errFindings) {
		_, _ = fmt.Fprint(std.err, report(err))
	}
	return exitCode(err)
}

func newRoot(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "mortise",
		Short: "Plan what a Kubernetes cluster should run on",
		Long: `Mortise reads a cluster's objects and a priced catalog, and plans the cheapest set
of nodes that is right for all of it: what to launch, what to remove, where each
pod goes, in what order, and how far from the best possible the plan can be.

Exit status: 0 done; 1 check found violations, or plan --detailed-exitcode left
pods unplaced; 2 bad input or usage; 3 failed.`,
		Example: `  # the built-in example cluster
  mortise plan --demo

  # your own cluster
  kubectl get nodes,pods,nodepools,nodeclaims,pdb,ds,pc,limits,ns -A -o yaml | mortise plan -f - --catalog aws-us-east-1`,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.AddCommand(newPlan(std), newCheck(std), newExplain(std), newSnapshot(std), newCatalog(std), newVersion(std))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())
	})
	describeCompletion(root)
	return root
}

// describeCompletion gives cobra's completion command the examples that every command has.
func describeCompletion(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			cmd.Example = "  source <(mortise completion bash)"
			for _, shell := range cmd.Commands() {
				shell.Example = "  mortise completion " + shell.Name()
			}
		case "help":
			cmd.Example = "  mortise help plan"
		}
	}
}
