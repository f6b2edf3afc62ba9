package snapshot

import (
	"maps"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// strip drops what a plan has no use for, as far as it is large or could not be
// replaced by pseudonyms. It goes further than prune: no workload can be made
// from what is left.
func strip(o object) {
	switch o := o.(type) {
	case *corev1.Pod:
		stripPodStatus(&o.Status)
	case *corev1.Node:
		o.Spec = corev1.NodeSpec{ProviderID: o.Spec.ProviderID, Taints: o.Spec.Taints, Unschedulable: o.Spec.Unschedulable}
		stripNodeStatus(&o.Status)
	case *corev1.Namespace:
		o.Spec, o.Status = corev1.NamespaceSpec{}, corev1.NamespaceStatus{Phase: o.Status.Phase}
	case *corev1.Service:
		o.Spec, o.Status = corev1.ServiceSpec{Type: o.Spec.Type, Selector: o.Spec.Selector}, corev1.ServiceStatus{}
	case *corev1.ResourceQuota: // names classes in the resources it counts
		o.Spec, o.Status = corev1.ResourceQuotaSpec{}, corev1.ResourceQuotaStatus{}
	case *batchv1.Job:
		o.Spec.PodFailurePolicy, o.Spec.SuccessPolicy = nil, nil
	case *storagev1.StorageClass:
		o.Parameters, o.MountOptions = nil, nil
	case *storagev1.VolumeAttachment:
		o.Status = storagev1.VolumeAttachmentStatus{Attached: o.Status.Attached}
	case *karpv1.NodeClaim:
		o.Status.ImageID = ""
	default:
		stripDevices(o)
	}
	if spec := podSpecOf(o); spec != nil {
		stripPodSpec(spec)
	}
}

// stripDevices leaves of devices, and of who asks for them, that they are there:
// they are described and asked for in expressions, which have no pseudonyms.
func stripDevices(o object) {
	switch o := o.(type) {
	case *resourcev1.DeviceClass:
		o.Spec = resourcev1.DeviceClassSpec{}
	case *resourcev1.ResourceClaim:
		o.Spec, o.Status = resourcev1.ResourceClaimSpec{}, resourcev1.ResourceClaimStatus{}
	case *resourcev1.ResourceClaimTemplate:
		o.Spec = resourcev1.ResourceClaimTemplateSpec{}
	case *resourcev1.ResourceSlice:
		o.Spec = resourcev1.ResourceSliceSpec{}
	}
}

// stripMeta keeps whose and how old an object is, its labels, and the
// annotations that a rule reads.
func stripMeta(m *metav1.ObjectMeta) {
	maps.DeleteFunc(m.Annotations, func(key, _ string) bool { return !keptAnnotations[key] })
	*m = metav1.ObjectMeta{
		Name: m.Name, Namespace: m.Namespace, UID: m.UID, Generation: m.Generation,
		CreationTimestamp: m.CreationTimestamp, DeletionTimestamp: m.DeletionTimestamp, DeletionGracePeriodSeconds: m.DeletionGracePeriodSeconds,
		Labels: m.Labels, Annotations: m.Annotations, OwnerReferences: m.OwnerReferences,
	}
}

// stripPodSpec keeps what decides where pods can go, and what they take up there.
func stripPodSpec(s *corev1.PodSpec) {
	stripContainers(s.InitContainers)
	stripContainers(s.Containers)
	*s = corev1.PodSpec{
		InitContainers: s.InitContainers, Containers: s.Containers, Resources: s.Resources, Overhead: s.Overhead,
		NodeName: s.NodeName, NodeSelector: s.NodeSelector, Affinity: s.Affinity, Tolerations: s.Tolerations,
		TopologySpreadConstraints: s.TopologySpreadConstraints, Volumes: claimed(s.Volumes), ResourceClaims: s.ResourceClaims,
		SchedulerName: s.SchedulerName, SchedulingGates: s.SchedulingGates, SchedulingGroup: s.SchedulingGroup,
		PriorityClassName: s.PriorityClassName, Priority: s.Priority, PreemptionPolicy: s.PreemptionPolicy,
		RuntimeClassName: s.RuntimeClassName, HostNetwork: s.HostNetwork, OS: s.OS,
		RestartPolicy: s.RestartPolicy, TerminationGracePeriodSeconds: s.TerminationGracePeriodSeconds, ActiveDeadlineSeconds: s.ActiveDeadlineSeconds,
	}
}

func stripContainers(all []corev1.Container) {
	for i := range all {
		c := &all[i]
		ports := slices.DeleteFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.HostPort == 0 })
		*c = corev1.Container{Name: c.Name, Resources: c.Resources, RestartPolicy: c.RestartPolicy, Ports: ports}
	}
}

// claimed are the volumes that are not made on the node.
func claimed(volumes []corev1.Volume) []corev1.Volume {
	return slices.DeleteFunc(volumes, func(v corev1.Volume) bool { return v.PersistentVolumeClaim == nil && v.Ephemeral == nil })
}

func stripPodStatus(s *corev1.PodStatus) {
	*s = corev1.PodStatus{
		Phase: s.Phase, StartTime: s.StartTime, NominatedNodeName: s.NominatedNodeName,
		Resources: s.Resources, AllocatedResources: s.AllocatedResources, Resize: s.Resize,
		InitContainerStatuses: stripStatuses(s.InitContainerStatuses), ContainerStatuses: stripStatuses(s.ContainerStatuses),
		Conditions: slices.DeleteFunc(s.Conditions, func(c corev1.PodCondition) bool { return !podConditions[c.Type] }),
	}
}

// podConditions are those that every pod can have. Others are named after what sets them.
var podConditions = map[corev1.PodConditionType]bool{
	corev1.PodScheduled: true, corev1.PodInitialized: true, corev1.ContainersReady: true, corev1.PodReady: true,
	corev1.DisruptionTarget: true, corev1.PodResizePending: true, corev1.PodResizeInProgress: true,
}

// stripStatuses keeps what a container that is resized in place has.
func stripStatuses(all []corev1.ContainerStatus) []corev1.ContainerStatus {
	for i := range all {
		all[i] = corev1.ContainerStatus{Name: all[i].Name, AllocatedResources: all[i].AllocatedResources, Resources: all[i].Resources}
	}
	return all
}

func stripNodeStatus(s *corev1.NodeStatus) {
	*s = corev1.NodeStatus{
		Capacity: s.Capacity, Allocatable: s.Allocatable,
		Conditions: slices.DeleteFunc(s.Conditions, func(c corev1.NodeCondition) bool { return c.Type != corev1.NodeReady }),
	}
}
