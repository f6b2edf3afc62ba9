package snapshot

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Labels by which managed Kubernetes services tell spot nodes.
const (
	eksCapacityType  = "eks.amazonaws.com/capacityType"
	gkeProvisioning  = "cloud.google.com/gke-provisioning"
	gkeSpot          = "cloud.google.com/gke-spot"
	gkePreemptible   = "cloud.google.com/gke-preemptible"
	aksScaleSet      = "kubernetes.azure.com/scalesetpriority"
	controlPlaneRole = "node-role.kubernetes.io/control-plane"
	masterRole       = "node-role.kubernetes.io/master"
)

// aliases are the old names of labels, each by the name it has now. The
// kubelet and cloud providers still set them.
var aliases = map[string]string{
	corev1.LabelArchStable:         "beta.kubernetes.io/arch",
	corev1.LabelOSStable:           "beta.kubernetes.io/os",
	corev1.LabelInstanceTypeStable: corev1.LabelInstanceType,
	corev1.LabelTopologyZone:       corev1.LabelFailureDomainBetaZone,
	corev1.LabelTopologyRegion:     corev1.LabelFailureDomainBetaRegion,
}

// withAliases adds the old names of the labels that are there.
func withAliases(labels map[string]string) {
	for key, old := range aliases {
		if value, ok := labels[key]; ok {
			labels[old] = value
		}
	}
}

// label is the value under the key, or under its old name.
func label(labels map[string]string, key string) string {
	if value, ok := labels[key]; ok {
		return value
	}
	return labels[aliases[key]]
}

// capacityTypeOf is how the node is paid for, by the labels of Karpenter and
// of the managed services; on demand where none says.
func capacityTypeOf(labels map[string]string) string {
	if value := labels[karpv1.CapacityTypeLabelKey]; value != "" {
		return value
	}
	for key, spot := range map[string]string{
		eksCapacityType: "spot",
		gkeProvisioning: "spot",
		gkeSpot:         "true",
		gkePreemptible:  "true",
		aksScaleSet:     "spot",
	} {
		if strings.EqualFold(labels[key], spot) {
			return karpv1.CapacityTypeSpot
		}
	}
	if strings.EqualFold(labels[gkeProvisioning], "preemptible") {
		return karpv1.CapacityTypeSpot
	}
	return karpv1.CapacityTypeOnDemand
}

// reservationIn is the reservation that the labels name, or empty.
func reservationIn(labels map[string]string) string {
	for _, key := range reservationLabels {
		if id := labels[key]; id != "" {
			return id
		}
	}
	return ""
}

// controlPlane says whether the node runs the control plane.
func controlPlane(node *corev1.Node) bool {
	for _, key := range []string{controlPlaneRole, masterRole} {
		if _, ok := node.Labels[key]; ok {
			return true
		}
		for _, t := range node.Spec.Taints {
			if t.Key == key {
				return true
			}
		}
	}
	return false
}
