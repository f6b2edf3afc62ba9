package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/cmd/mortise/text"
	"github.com/mortise-io/mortise/provider/catalog"
)

func newCatalog(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "catalog",
		Short:   "List, show and convert catalogs of priced instance types",
		Example: "  mortise catalog list\n  mortise catalog show aws-us-east-1 --family m7g",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCatalogList(std), newCatalogShow(std), newCatalogConvert(std))
	return cmd
}

func newCatalogList(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the built-in catalogs, the dates of their prices and what to know of them",
		Example: "  mortise catalog list\n  mortise catalog list -o json",
		Args:    cobra.NoArgs,
	}
	output := newOutput(cmd, formatText, formatJSON, formatYAML)
	cmd.RunE = func(*cobra.Command, []string) error {
		if output.value != formatText {
			return printDocument(std.out, output.value, catalog.List())
		}
		return failed(text.Catalogs(std.out, catalog.List(), pageOf(std.out)))
	}
	return cmd
}

func newCatalogShow(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show NAME|FILE",
		Short: "Show the instance types of a catalog and their prices",
		Example: `  mortise catalog show aws-us-east-1 --family m7g
  mortise catalog show gcp-us-central1 --min-cpu 4 --max-cpu 8 -o yaml`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeFirst(catalog.Names),
	}
	filter := addFilter(cmd)
	output := newOutput(cmd, formatText, formatJSON, formatYAML)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		c, err := catalog.Open(args[0])
		if err != nil {
			return err
		}
		if c, err = filter.Apply(c); err != nil {
			return fmt.Errorf("--name: %w", err)
		}
		if output.value != formatText {
			return failed(catalog.Write(std.out, c, output.value))
		}
		return failed(text.Catalog(std.out, c, pageOf(std.out)))
	}
	return cmd
}

// addFilter adds the flags that pick instance types.
func addFilter(cmd *cobra.Command) *catalog.Filter {
	f := &catalog.Filter{}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.Names, "name", nil, "instance types, with patterns such as m5.*")
	flags.StringSliceVar(&f.Families, "family", nil, "instance families, such as m7g,c7g")
	flags.StringSliceVar(&f.Architectures, "arch", nil, "CPU architectures, such as arm64")
	flags.StringSliceVar(&f.CapacityTypes, "capacity-type", nil, "on-demand, spot or reserved")
	flags.StringSliceVar(&f.Zones, "zone", nil, "zones, such as us-east-1a")
	for name, q := range map[string]*resource.Quantity{
		"min-cpu": &f.MinCPU, "max-cpu": &f.MaxCPU, "min-memory": &f.MinMemory, "max-memory": &f.MaxMemory,
	} {
		flags.Var((*quantity)(q), name, "bound on the capacity, such as 8 or 16Gi")
	}
	return f
}

// quantity is a flag with a Kubernetes quantity.
type quantity resource.Quantity

func (q *quantity) String() string {
	r := (*resource.Quantity)(q)
	if r.IsZero() {
		return ""
	}
	return r.String()
}

// Type is what the help shows for the flag's value.
func (q *quantity) Type() string { return "quantity" }

// Set parses the quantity.
func (q *quantity) Set(s string) error {
	parsed, err := resource.ParseQuantity(s)
	if err != nil {
		return fmt.Errorf("expected a quantity such as 8 or 16Gi")
	}
	*q = quantity(parsed)
	return nil
}

func newCatalogConvert(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert FILE",
		Short: "Convert a catalog to Mortise's own format",
		Long: `Convert reads a Catalog, a list of its instance types, or the instance_types.json of
Karpenter's kwok provider, and prints a Catalog.`,
		Example: "  mortise catalog convert instance_types.json -o yaml > catalog.yaml",
		Args:    cobra.ExactArgs(1),
	}
	output := newOutput(cmd, formatYAML, formatJSON)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		c, err := readCatalog(args[0], std.in)
		if err != nil {
			return err
		}
		return failed(catalog.Write(std.out, c, output.value))
	}
	return cmd
}

// readCatalog reads a catalog of any format from a file; - is standard input.
func readCatalog(path string, stdin io.Reader) (*v1alpha1.Catalog, error) {
	if path != "-" {
		return catalog.ReadFile(path)
	}
	raw, err := io.ReadAll(stdin)
	if err != nil {
		return nil, failed(fmt.Errorf("standard input: %w", err))
	}
	return catalog.Parse("standard input", raw)
}

// completeFirst completes the first argument.
func completeFirst(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(), cobra.ShellCompDirectiveDefault
	}
}
