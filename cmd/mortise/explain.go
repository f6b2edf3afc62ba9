package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/cmd/mortise/text"
	"github.com/mortise-io/mortise/model/snapshot"
)

func newExplain(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Explain where a pod can go, or why a node is kept",
		Example: `  mortise explain pod shop/web-7d9c5b8f6-x2k4p -f snapshot.yaml
  mortise explain node ip-10-0-16-21.ec2.internal -f snapshot.yaml -p plan.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newExplainPod(std), newExplainNode(std))
	return cmd
}

func newExplainPod(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pod NAMESPACE/NAME (-f SNAPSHOT... | --demo) [-p PLAN]",
		Short: "Explain where a pod can go, and the first rule that keeps it from each other place",
		Long: `Explain pod lists what could be launched for a pod and which nodes would take it, and
for all others the first rule that excludes them. With a plan it says where the
plan puts the pod, and what that costs.`,
		Example: `  mortise explain pod shop/web-7d9c5b8f6-x2k4p -f snapshot.yaml
  mortise explain pod shop/web-7d9c5b8f6-x2k4p -f snapshot.yaml -p plan.json -o json`,
		Args: cobra.ExactArgs(1),
	}
	return explaining(std, cmd, func(c *snapshot.Compiled, plan *v1alpha1.Plan, key string) (explanation, error) {
		if !strings.Contains(key, "/") {
			return nil, fmt.Errorf("pod %s: expected NAMESPACE/NAME", key)
		}
		e, err := snapshot.ExplainPod(c, key)
		if err != nil {
			return nil, err
		}
		return &text.Pod{PodExplanation: e, Plan: text.PodVerdictOf(plan, key)}, nil
	})
}

func newExplainNode(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "node NAME (-f SNAPSHOT... | --demo) [-p PLAN]",
		Short: "Explain why a node is kept, or what would become of its pods",
		Long: `Explain node says which rule keeps a node, or else what its removal would take: where
each of its pods could go. With a plan it says what the plan does with the node.`,
		Example: `  mortise explain node ip-10-0-16-21.ec2.internal -f snapshot.yaml
  mortise explain node ip-10-0-16-21.ec2.internal -f snapshot.yaml -p plan.json -o json`,
		Args: cobra.ExactArgs(1),
	}
	return explaining(std, cmd, explainNode)
}

func explainNode(c *snapshot.Compiled, plan *v1alpha1.Plan, name string) (explanation, error) {
	e, err := snapshot.ExplainNode(c, name)
	if err != nil {
		return nil, err
	}
	node := &text.Node{NodeExplanation: e, Plan: text.NodeVerdictOf(plan, e)}
	for _, key := range e.Movable {
		pod, err := snapshot.ExplainPod(c, key)
		if err != nil {
			return nil, err
		}
		node.Drain = append(node.Drain, text.WayOutOf(pod))
	}
	return node, nil
}

// explanation is a document that can also be printed for people.
type explanation interface {
	Print(p text.Printer) error
}

// explaining completes a command that explains the object its argument names.
func explaining(std streams, cmd *cobra.Command, explain func(*snapshot.Compiled, *v1alpha1.Plan, string) (explanation, error)) *cobra.Command {
	in := addInput(cmd)
	path := addPlanFile(cmd)
	output := newOutput(cmd, formatText, formatJSON, formatYAML)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		s, plan, err := loadBoth(std, in, *path)
		if err != nil {
			return err
		}
		c, err := snapshot.Compile(s, snapshot.Options{})
		if err != nil {
			return err
		}
		e, err := explain(c, plan, args[0])
		if err != nil {
			return err
		}
		if output.value != formatText {
			return printDocument(std.out, output.value, e)
		}
		return failed(e.Print(text.Printer{To: std.out, Options: pageOf(std.out)}))
	}
	return cmd
}
