package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/cmd/mortise/demo"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/provider/catalog"
)

// input is what a command plans, checks or explains: a snapshot, and the flags
// that say more about it. A flag beats the policy file, which beats the
// snapshot; an absent flag changes nothing.
type input struct {
	flags interface{ Changed(name string) bool }

	files     []string
	demo      bool
	catalog   string
	policy    string
	arch      []string
	spot      bool
	workloads bool

	// now is the time of a snapshot that does not say it; zero means the clock's.
	now time.Time
}

// addInput adds the flags of an input to a command.
func addInput(cmd *cobra.Command) *input {
	in := &input{flags: cmd.Flags()}
	f := cmd.Flags()
	f.StringSliceVarP(&in.files, "filename", "f", nil, "snapshot, kubectl output, directory, or - for standard input; may be repeated")
	f.BoolVar(&in.demo, "demo", false, "take the built-in example cluster")
	f.StringVar(&in.catalog, "catalog", "", "what can be bought: the name of a built-in catalog (see mortise catalog list) or a file")
	f.StringVar(&in.policy, "policy", "", "file with a Policy")
	f.StringSliceVar(&in.arch, "arch", nil, "CPU architectures to buy where the snapshot has no NodePool, such as amd64,arm64")
	f.BoolVar(&in.spot, "spot", false, "buy spot capacity too where the snapshot has no NodePool")
	f.BoolVar(&in.workloads, "workloads", false, "plan the pods that Deployments and other workloads are missing")
	cmd.MarkFlagsMutuallyExclusive("filename", "demo")
	cmd.MarkFlagsOneRequired("filename", "demo")
	completeCatalogs(cmd, "catalog")
	return in
}

// load reads the snapshot as it is to be planned: workloads expanded if asked,
// the catalog resolved. The warnings are what its readers found.
func (in *input) load(stdin io.Reader, flags v1alpha1.Policy) (*v1alpha1.Snapshot, []string, error) {
	s, warnings, err := in.read(stdin)
	if err != nil {
		return nil, nil, err
	}
	if err := in.setPolicy(s, flags); err != nil {
		return nil, nil, err
	}
	if w := in.implyPool(s); w != "" {
		warnings = append(warnings, w)
	}
	if expand := s.Policy.ExpandWorkloads; expand != nil && *expand {
		var more []string
		s, more = snapshot.Expand(s)
		warnings = append(warnings, more...)
	}
	s, more, err := in.resolve(s)
	if err != nil {
		return nil, nil, err
	}
	return s, append(warnings, more...), nil
}

func (in *input) read(stdin io.Reader) (*v1alpha1.Snapshot, []string, error) {
	if in.demo {
		return snapshot.Decode("the built-in example", demo.Documents(), time.Time{})
	}
	now := in.now
	if now.IsZero() {
		now = time.Now()
	}
	return snapshot.Read(in.files, stdin, now)
}

func (in *input) setPolicy(s *v1alpha1.Snapshot, flags v1alpha1.Policy) error {
	if in.policy != "" {
		file, err := snapshot.ReadPolicy(in.policy)
		if err != nil {
			return err
		}
		s.Policy = snapshot.MergePolicy(s.Policy, file)
	}
	if in.flags.Changed("workloads") {
		flags.ExpandWorkloads = &in.workloads
	}
	s.Policy = snapshot.MergePolicy(s.Policy, flags)
	return nil
}

// implyPool adds the pool that --arch and --spot describe. Where the snapshot
// has node pools the flags mean nothing, and the warning says so.
func (in *input) implyPool(s *v1alpha1.Snapshot) string {
	if !in.flags.Changed("arch") && !in.flags.Changed("spot") {
		return ""
	}
	hasPool := slices.ContainsFunc(s.Objects, func(o runtime.RawExtension) bool {
		_, ok := o.Object.(*karpv1.NodePool)
		return ok
	})
	if hasPool {
		return "--arch and --spot are ignored: the snapshot's NodePools say what may be bought"
	}
	s.Objects = append(s.Objects, runtime.RawExtension{Object: snapshot.ImpliedPool(in.arch, in.spot)})
	return ""
}

func (in *input) resolve(s *v1alpha1.Snapshot) (*v1alpha1.Snapshot, []string, error) {
	var (
		warnings []string
		err      error
	)
	if in.catalog != "" {
		s, warnings, err = catalog.Override(s, in.catalog)
		if err != nil {
			return nil, nil, fmt.Errorf("--catalog: %w", err)
		}
	} else if s, warnings, err = catalog.Resolve(s); err != nil {
		return nil, nil, fmt.Errorf("snapshot: %w", err)
	}
	if len(s.InstanceTypes) == 0 {
		return nil, nil, errors.New("nothing can be bought: expected --catalog with a file or one of " + strings.Join(catalog.Names(), ", ") +
			", or catalog or instanceTypes in the snapshot")
	}
	return s, warnings, nil
}

// completeCatalogs completes a flag with the built-in catalogs, and files.
func completeCatalogs(cmd *cobra.Command, flag string) {
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return catalog.Names(), cobra.ShellCompDirectiveDefault
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag was added by the caller
	}
}

// duration is d as a policy has it.
func duration(d time.Duration) *metav1.Duration {
	return &metav1.Duration{Duration: d}
}
