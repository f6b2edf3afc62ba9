package snapshot

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	karpbufferv1 "sigs.k8s.io/karpenter/pkg/apis/autoscaling/v1beta1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
)

// object is a Kubernetes object as a typed value.
type object interface {
	metav1.Object
	runtime.Object
}

// kind is a kind of object that matters to a plan.
type kind struct {
	// version is the one that is read.
	version    string
	namespaced bool
	// empty is a new object of the kind.
	empty func() object
}

// kinds are those that matter to a plan, by group and name.
var kinds = map[schema.GroupKind]kind{
	{Kind: "Pod"}:                   namespaced[corev1.Pod]("v1"),
	{Kind: "Node"}:                  clusterWide[corev1.Node]("v1"),
	{Kind: "Namespace"}:             clusterWide[corev1.Namespace]("v1"),
	{Kind: "Service"}:               namespaced[corev1.Service]("v1"),
	{Kind: "PodTemplate"}:           namespaced[corev1.PodTemplate]("v1"),
	{Kind: "LimitRange"}:            namespaced[corev1.LimitRange]("v1"),
	{Kind: "ResourceQuota"}:         namespaced[corev1.ResourceQuota]("v1"),
	{Kind: "PersistentVolume"}:      clusterWide[corev1.PersistentVolume]("v1"),
	{Kind: "PersistentVolumeClaim"}: namespaced[corev1.PersistentVolumeClaim]("v1"),
	{Kind: "ReplicationController"}: namespaced[corev1.ReplicationController]("v1"),

	{Group: appsv1.GroupName, Kind: "DaemonSet"}:   namespaced[appsv1.DaemonSet]("v1"),
	{Group: appsv1.GroupName, Kind: "Deployment"}:  namespaced[appsv1.Deployment]("v1"),
	{Group: appsv1.GroupName, Kind: "ReplicaSet"}:  namespaced[appsv1.ReplicaSet]("v1"),
	{Group: appsv1.GroupName, Kind: "StatefulSet"}: namespaced[appsv1.StatefulSet]("v1"),
	{Group: batchv1.GroupName, Kind: "Job"}:        namespaced[batchv1.Job]("v1"),

	{Group: policyv1.GroupName, Kind: "PodDisruptionBudget"}: namespaced[policyv1.PodDisruptionBudget]("v1"),
	{Group: schedulingv1.GroupName, Kind: "PriorityClass"}:   clusterWide[schedulingv1.PriorityClass]("v1"),
	{Group: nodev1.GroupName, Kind: "RuntimeClass"}:          clusterWide[nodev1.RuntimeClass]("v1"),

	{Group: storagev1.GroupName, Kind: "StorageClass"}:       clusterWide[storagev1.StorageClass]("v1"),
	{Group: storagev1.GroupName, Kind: "CSINode"}:            clusterWide[storagev1.CSINode]("v1"),
	{Group: storagev1.GroupName, Kind: "CSIDriver"}:          clusterWide[storagev1.CSIDriver]("v1"),
	{Group: storagev1.GroupName, Kind: "CSIStorageCapacity"}: namespaced[storagev1.CSIStorageCapacity]("v1"),
	{Group: storagev1.GroupName, Kind: "VolumeAttachment"}:   clusterWide[storagev1.VolumeAttachment]("v1"),

	{Group: resourcev1.GroupName, Kind: "DeviceClass"}:           clusterWide[resourcev1.DeviceClass]("v1"),
	{Group: resourcev1.GroupName, Kind: "ResourceClaim"}:         namespaced[resourcev1.ResourceClaim]("v1"),
	{Group: resourcev1.GroupName, Kind: "ResourceClaimTemplate"}: namespaced[resourcev1.ResourceClaimTemplate]("v1"),
	{Group: resourcev1.GroupName, Kind: "ResourceSlice"}:         clusterWide[resourcev1.ResourceSlice]("v1"),

	{Group: "karpenter.sh", Kind: "NodePool"}:           clusterWide[karpv1.NodePool]("v1"),
	{Group: "karpenter.sh", Kind: "NodeClaim"}:          clusterWide[karpv1.NodeClaim]("v1"),
	{Group: "karpenter.sh", Kind: "NodeOverlay"}:        clusterWide[karpv1alpha1.NodeOverlay]("v1alpha1"),
	{Group: karpbufferv1.Group, Kind: "CapacityBuffer"}: namespaced[karpbufferv1.CapacityBuffer]("v1beta1"),
}

func namespaced[T any, P interface {
	*T
	object
}](version string) kind {
	return kind{version: version, namespaced: true, empty: func() object { return P(new(T)) }}
}

func clusterWide[T any, P interface {
	*T
	object
}](version string) kind {
	return kind{version: version, empty: func() object { return P(new(T)) }}
}
