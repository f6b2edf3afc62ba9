package benchmarks

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
)

// govuk reads the committed manifests, and has so many times their replicas.
func govuk(root string, times int32, spot bool) (*v1alpha1.Snapshot, error) {
	s, _, err := snapshot.Read([]string{root + "/testdata/govuk-production.yaml"}, nil, Time)
	if err != nil {
		return nil, fmt.Errorf("govuk: %w", err)
	}
	for i := range s.Objects {
		if d, ok := s.Objects[i].Object.(*appsv1.Deployment); ok && d.Spec.Replicas != nil {
			*d.Spec.Replicas *= times
		}
	}
	if spot {
		s.Objects = append(s.Objects, runtime.RawExtension{Object: nodePool("default", "100%", nil, karpv1.CapacityTypeSpot, karpv1.CapacityTypeOnDemand)})
	}
	return settle(s), nil
}
