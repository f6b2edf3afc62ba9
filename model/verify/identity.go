package verify

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// identity is what a node's labels say about the offering it was bought as.
type identity struct {
	instanceType, zone, capacityType, reservation string
}

// reservationKeys are the labels that name a node's reservation.
var reservationKeys = []string{
	"karpenter.sh/reservation-id",
	"karpenter.k8s.aws/capacity-reservation-id",
	"eks.amazonaws.com/capacity-reservation-id",
}

func identify(labels map[string]string) identity {
	id := identity{
		instanceType: cmp.Or(labels[corev1.LabelInstanceTypeStable], labels[corev1.LabelInstanceType]),
		zone:         cmp.Or(labels[corev1.LabelTopologyZone], labels[corev1.LabelFailureDomainBetaZone]),
		capacityType: capacityType(labels),
	}
	for _, key := range reservationKeys {
		id.reservation = cmp.Or(id.reservation, labels[key])
	}
	return id
}

// capacityType reads Karpenter's label, or those of managed node groups on EKS, GKE and AKS.
func capacityType(labels map[string]string) string {
	if t := labels[karpv1.CapacityTypeLabelKey]; t != "" {
		return t
	}
	spot := strings.EqualFold(labels["eks.amazonaws.com/capacityType"], "SPOT") ||
		slices.Contains([]string{"spot", "preemptible"}, strings.ToLower(labels["cloud.google.com/gke-provisioning"])) ||
		labels["cloud.google.com/gke-spot"] == "true" ||
		labels["cloud.google.com/gke-preemptible"] == "true" ||
		strings.EqualFold(labels["kubernetes.azure.com/scalesetpriority"], "spot")
	if spot {
		return karpv1.CapacityTypeSpot
	}
	return karpv1.CapacityTypeOnDemand
}
