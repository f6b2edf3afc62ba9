package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/controller/observe"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/provider/catalog"
)

// snapshotFlags are the flags of the snapshot command.
type snapshotFlags struct {
	kubeconfig, context string
	catalog             string
	anonymize           bool
	output              string
}

func newSnapshot(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Read a live cluster into a file",
		Long: `Snapshot reads every kind of object that matters to a plan, page by page, and writes
one Snapshot. It lists, and nothing else; it never asks for a Secret or ConfigMap,
and leaves out the environment and commands of containers. A kind that the cluster
does not have, or that you may not list, is named in a warning on standard error.

With --anonymize names are replaced, consistently, and images, annotations and other
texts are left out: the plan is the same but for names.`,
		Example: `  mortise snapshot -o cluster.yaml
  mortise plan -f cluster.yaml --catalog aws-us-east-1

  # a file to share
  mortise snapshot --context production --catalog aws-us-east-1 --anonymize -o shared.json`,
		Args: cobra.NoArgs,
	}
	f := &snapshotFlags{}
	cmd.Flags().StringVar(&f.kubeconfig, "kubeconfig", "", "kubeconfig file; by default $KUBECONFIG, ~/.kube/config, or the pod's own account")
	cmd.Flags().StringVar(&f.context, "context", "", "context of the kubeconfig; by default the current one")
	cmd.Flags().StringVar(&f.catalog, "catalog", "", "name of the built-in catalog that the snapshot is to be planned with")
	cmd.Flags().BoolVar(&f.anonymize, "anonymize", false, "replace names, and keep what matters to a plan")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "file to write, ending in .yaml, .yml or .json; by default standard output, as YAML")
	completeCatalogs(cmd, "catalog")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return runSnapshot(cmd.Context(), std, f)
	}
	return cmd
}

func runSnapshot(ctx context.Context, std streams, f *snapshotFlags) error {
	format, err := f.format()
	if err != nil {
		return err
	}
	if f.catalog != "" && !catalog.IsBuiltIn(f.catalog) {
		return fmt.Errorf("--catalog %s: expected one of %s", f.catalog, strings.Join(catalog.Names(), ", "))
	}
	cfg, err := f.cluster()
	if err != nil {
		return err
	}
	s, err := takeSnapshot(ctx, std.err, cfg)
	if err != nil {
		return err
	}
	s.Catalog = f.catalog
	if f.anonymize {
		s = snapshot.Anonymize(s)
	}
	if f.output == "" {
		return printSnapshot(std.out, format, s)
	}
	return writeFile(f.output, func(w io.Writer) error { return printSnapshot(w, format, s) })
}

// printSnapshot is printDocument of a large document: as YAML it goes object by
// object, because that encoder needs a hundred times the space of its text.
func printSnapshot(w io.Writer, format string, s *v1alpha1.Snapshot) error {
	if format != formatYAML || len(s.Objects) == 0 {
		return printDocument(w, format, s)
	}
	buffered := bufio.NewWriter(w)
	head := *s
	head.Objects = nil
	if err := printDocument(buffered, format, head); err != nil {
		return err
	}
	_, _ = buffered.WriteString("objects:\n") // Flush returns the error
	for i := range s.Objects {
		if err := printDocument(buffered, format, s.Objects[i:i+1]); err != nil {
			return err
		}
	}
	if err := buffered.Flush(); err != nil {
		return failed(fmt.Errorf("print: %w", err))
	}
	return nil
}

// format is what the output's name asks for.
func (f *snapshotFlags) format() (string, error) {
	switch filepath.Ext(f.output) {
	case ".json":
		return formatJSON, nil
	case ".yaml", ".yml":
		return formatYAML, nil
	}
	if f.output == "" {
		return formatYAML, nil
	}
	return "", fmt.Errorf("--output %s: expected a file that ends in .yaml, .yml or .json", f.output)
}

// cluster finds the cluster and the credentials as kubectl does.
func (f *snapshotFlags) cluster() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: f.context}).ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, errors.New("no cluster: expected --kubeconfig, $KUBECONFIG, ~/.kube/config, or a pod's own account")
	}
	if err != nil {
		return nil, fmt.Errorf("kubeconfig: %w", err)
	}
	return cfg, nil
}

func takeSnapshot(ctx context.Context, stderr io.Writer, cfg *rest.Config) (*v1alpha1.Snapshot, error) {
	s, warnings, err := observe.Snapshot(ctx, cfg, observe.Options{Now: time.Now().Truncate(time.Second)})
	if errors.Is(err, context.Canceled) {
		return nil, failed(errors.New("interrupted"))
	}
	if err != nil {
		return nil, failed(err)
	}
	for _, w := range warnings {
		if _, err := fmt.Fprintln(stderr, "warning: "+w); err != nil {
			return nil, failed(fmt.Errorf("print: %w", err))
		}
	}
	return s, nil
}
