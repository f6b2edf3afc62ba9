package benchmarks

import (
	"fmt"
	"time"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
)

// Instance is a cluster to plan.
type Instance struct {
	Name string
	// About says in a line what it is.
	About string
	// Snapshot reads or makes it. Equal calls give equal snapshots.
	Snapshot func() (*v1alpha1.Snapshot, error)
}

// Catalog is what every instance can buy: all of a large region.
const Catalog = "aws-us-east-1"

// Time is when every instance is planned.
var Time = time.Date(2026, time.December, 1, 9, 0, 0, 0, time.UTC)

// Instances are what is measured. root is the folder of the module.
func Instances(root string) []Instance {
	return []Instance{
		{"govuk", "GOV.UK's production workloads: 82 Deployments, 278 pods, no node yet", func() (*v1alpha1.Snapshot, error) { return govuk(root) }},
		{"groups-100", "10,000 pods of 100 Deployments, no node yet", func() (*v1alpha1.Snapshot, error) { return groups(100, 10_000) }},
		{"nodes-200", "200 nodes filled by half, to be consolidated", func() (*v1alpha1.Snapshot, error) { return halfEmpty(200) }},
	}
}

// govuk reads the committed manifests.
func govuk(root string) (*v1alpha1.Snapshot, error) {
	s, _, err := snapshot.Read([]string{root + "/testdata/govuk-production.yaml"}, nil, Time)
	if err != nil {
		return nil, fmt.Errorf("govuk: %w", err)
	}
	return settle(s), nil
}
