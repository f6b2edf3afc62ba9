package benchmarks

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Instance is a cluster to plan.
type Instance struct {
	Name string
	// About says in a line what it is.
	About string
	// Gap is where the search may stop: what is asked of the instance, or less.
	Gap float64
	// Snapshot reads or makes it. Equal calls give equal snapshots. The error is
	// ErrNoData where a data file is absent.
	Snapshot func() (*v1alpha1.Snapshot, error)
}

// Catalog is what every instance can buy: all of a large region.
const Catalog = "aws-us-east-1"

// Time is when every instance is planned.
var Time = time.Date(2026, time.December, 1, 9, 0, 0, 0, time.UTC)

// ErrNoData is returned for what needs the folder of data files where
// MORTISE_DATA does not name it.
var ErrNoData = errors.New("MORTISE_DATA names no folder of data files")

// dataFile is the path of a file in the folder of data files, which are not
// part of this module.
func dataFile(name string) (string, error) {
	folder := os.Getenv("MORTISE_DATA")
	if folder == "" {
		return "", ErrNoData
	}
	return folder + "/" + name, nil
}

type snapshotFunc = func() (*v1alpha1.Snapshot, error)

// Instances are what is measured. root is the folder of the module.
func Instances(root string) []Instance {
	apps := func(count, pods int) snapshotFunc {
		return func() (*v1alpha1.Snapshot, error) { return groups(count, pods) }
	}
	old := func(nodes int) snapshotFunc {
		return func() (*v1alpha1.Snapshot, error) { return worn(nodes) }
	}
	return []Instance{
		{"govuk", "GOV.UK's production workloads: 82 Deployments, 278 pods, on demand, no node yet", 0.001, func() (*v1alpha1.Snapshot, error) { return govuk(root, 1, false) }},
		{"govuk-spot", "the same, spot and on-demand", 0.001, func() (*v1alpha1.Snapshot, error) { return govuk(root, 1, true) }},
		{"govuk-spot-x20", "the same with 20 times the replicas: 5,560 pods", 0.001, func() (*v1alpha1.Snapshot, error) { return govuk(root, 20, true) }},
		{"dlrm", "10,000 pods of Alibaba's recommendation models, a third of them with a GPU each, no node yet", 0.001, dlrm},
		{"groups-30", "10,000 pods of 30 Deployments, no node yet", 0.001, apps(30, 10_000)},
		{"groups-100", "10,000 pods of 100 Deployments, no node yet", 0.001, apps(100, 10_000)},
		{"groups-200", "10,000 pods of 200 Deployments, no node yet", 0.001, apps(200, 10_000)},
		{"pods-100k", "100,000 pods of 100 Deployments, no node yet", 0.0005, apps(100, 100_000)},
		{"nodes-200", "200 nodes filled by half, to be consolidated", 0.001, func() (*v1alpha1.Snapshot, error) { return halfEmpty(200) }},
		{"worn-1000", "1,000 nodes with 40 % of their pods gone, budgets of 10 to 50 % in five pools, PodDisruptionBudgets", 0.001, old(1000)},
		{"worn-5000", "5,000 such nodes", 0.001, old(5000)},
	}
}

// Named are the instances of these names, in order. It fails on a name that is of none.
func Named(root string, names []string) ([]Instance, error) {
	all := Instances(root)
	var out []Instance
	for _, name := range names {
		i := slices.IndexFunc(all, func(in Instance) bool { return in.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no instance %q", name)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// settle names the catalog, and asks for the pods that the workloads lack.
func settle(s *v1alpha1.Snapshot) *v1alpha1.Snapshot {
	s.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.KindSnapshot}
	s.Time = metav1.NewTime(Time)
	s.Catalog = Catalog
	s.Policy.ExpandWorkloads = ptr.To(true)
	return s
}
