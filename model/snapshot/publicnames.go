package snapshot

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpbufferv1 "sigs.k8s.io/karpenter/pkg/apis/autoscaling/v1beta1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// factKeys are the labels and taints whose values say what a machine is, not
// whose it is: Kubernetes, Karpenter and the clouds choose their values.
var factKeys = setOf(
	corev1.LabelArchStable, aliases[corev1.LabelArchStable],
	corev1.LabelOSStable, aliases[corev1.LabelOSStable],
	corev1.LabelInstanceTypeStable, aliases[corev1.LabelInstanceTypeStable],
	corev1.LabelTopologyZone, aliases[corev1.LabelTopologyZone],
	corev1.LabelTopologyRegion, aliases[corev1.LabelTopologyRegion],
	corev1.LabelWindowsBuild,
	controlPlaneRole, masterRole,
	"topology.k8s.aws/zone-id",
	"topology.ebs.csi.aws.com/zone", "topology.gke.io/zone", "topology.disk.csi.azure.com/zone",

	karpv1.CapacityTypeLabelKey, karpv1.NodeRegisteredLabelKey, karpv1.NodeInitializedLabelKey, karpv1.NodeDoNotSyncTaintsLabelKey,
	eksCapacityType, "eks.amazonaws.com/compute-type",
	gkeProvisioning, gkeSpot, gkePreemptible, "cloud.google.com/gke-accelerator", "cloud.google.com/gke-accelerator-count", "cloud.google.com/machine-family",
	aksScaleSet, "karpenter.azure.com/zone",

	appsv1.PodIndexLabel, batchv1.JobCompletionIndexAnnotation,
)

// factPrefixes are what the clouds' labels of the same sort begin with.
var factPrefixes = []string{
	"karpenter.k8s.aws/instance-", "eks.amazonaws.com/instance-", "karpenter.azure.com/sku-", "karpenter.k8s.gcp/instance-", "karpenter.kwok.sh/instance-",
}

func isFact(key string) bool {
	return factKeys[key] || slices.ContainsFunc(factPrefixes, func(p string) bool { return strings.HasPrefix(key, p) })
}

// publicNames are the same in every cluster, and so are no secret. Under the
// keys among them stand names.
var publicNames = joined(factKeys, publicKinds(), setOf(noticeTaints...), setOf(spotNoticeTaints...), setOf(reservationLabels...), setOf(gangLabels...), setOf(
	corev1.LabelHostname, corev1.LabelMetadataName, metav1.ObjectNameField, karpv1.NodePoolLabelKey,
	appsv1.StatefulSetPodNameLabel, appsv1.DefaultDeploymentUniqueLabelKey, appsv1.ControllerRevisionHashLabelKey,
	"job-name", batchv1.JobNameLabel, "controller-uid", batchv1.ControllerUidLabel,
	"app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/component", "app.kubernetes.io/part-of",

	corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeUnschedulable, corev1.TaintNodeMemoryPressure,
	corev1.TaintNodeDiskPressure, corev1.TaintNodePIDPressure, corev1.TaintNodeNetworkUnavailable, corev1.TaintNodeOutOfService,
	"node.cloudprovider.kubernetes.io/uninitialized", "node.cloudprovider.kubernetes.io/shutdown",
	karpv1.DisruptedTaintKey, karpv1.UnregisteredTaintKey,
	"ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler", "nvidia.com/gpu", "amd.com/gpu",

	karpv1.ConditionTypeLaunched, karpv1.ConditionTypeRegistered, karpv1.ConditionTypeInitialized, karpv1.ConditionTypeConsolidatable,
	karpv1.ConditionTypeDrifted, karpv1.ConditionTypeDrained, karpv1.ConditionTypeVolumesDetached, karpv1.ConditionTypeInstanceTerminating,
	karpv1.ConditionTypeConsistentStateFound, karpv1.ConditionTypeDisruptionReason, karpv1.ConditionTypeValidationSucceeded,
	karpv1.ConditionTypeNodeClassReady, karpv1.ConditionTypeNodeRegistrationHealthy, string(corev1.NodeReady),
	corev1.PodReasonUnschedulable, corev1.PodReasonSchedulingGated,
	karpbufferv1.ReadyForProvisioningCondition, karpbufferv1.ProvisioningCondition, karpbufferv1.LimitedByQuotasCondition,

	corev1.DefaultSchedulerName, "system-cluster-critical", "system-node-critical", batchv1.JobControllerName, karpbufferv1.ActiveProvisioningStrategy,
	"ebs.csi.aws.com", "pd.csi.storage.gke.io", "disk.csi.azure.com", "kubernetes.io/no-provisioner",
	"0.0.0.0", "::", "127.0.0.1",
))

// keptAnnotations are those that a rule reads.
var keptAnnotations = setOf(
	karpv1.DoNotDisruptAnnotationKey, v1alpha1.AnnotationHold, v1alpha1.AnnotationPriceLimit, v1alpha1.AnnotationInterruption, v1alpha1.AnnotationImplied, v1alpha1.AnnotationUnreadable,
	corev1.PodDeletionCost, corev1.MirrorPodAnnotationKey, batchv1.JobCompletionIndexAnnotation, revisionAnnotation, defaultStorageClass,
)

// publicKinds are the kinds that matter and their versions, as references name them.
func publicKinds() map[string]bool {
	out := setOf("CronJob")
	for of, k := range kinds {
		out[of.Kind], out[of.WithVersion(k.version).GroupVersion().String()] = true, true
	}
	return out
}

func setOf(names ...string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, name := range names {
		out[name] = true
	}
	return out
}

func joined(sets ...map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, set := range sets {
		for name := range set {
			out[name] = true
		}
	}
	return out
}
