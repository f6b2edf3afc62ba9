package snapshot

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// setDefaults fills in what the API server would, of the fields that a plan
// reads: files as users write them leave these out. raw is the object's JSON.
func setDefaults(o object, raw []byte) {
	if spec := podSpecOf(o); spec != nil {
		setPodDefaults(spec)
	}
	switch o := o.(type) {
	case *corev1.ReplicationController:
		setReplicas(&o.Spec.Replicas)
	case *appsv1.Deployment:
		setReplicas(&o.Spec.Replicas)
	case *appsv1.ReplicaSet:
		setReplicas(&o.Spec.Replicas)
	case *appsv1.StatefulSet:
		setReplicas(&o.Spec.Replicas)
	case *batchv1.Job:
		setJobDefaults(o)
	case *storagev1.StorageClass:
		if o.VolumeBindingMode == nil {
			o.VolumeBindingMode = ptr.To(storagev1.VolumeBindingImmediate)
		}
	case *karpv1.NodePool:
		setNodePoolDefaults(o, raw)
	}
}

func setReplicas(replicas **int32) {
	if *replicas == nil {
		*replicas = ptr.To[int32](1)
	}
}

func setJobDefaults(j *batchv1.Job) {
	if j.Spec.Parallelism == nil && j.Spec.Completions == nil {
		j.Spec.Completions = ptr.To[int32](1)
	}
	if j.Spec.Parallelism == nil {
		j.Spec.Parallelism = ptr.To[int32](1)
	}
}

func setPodDefaults(spec *corev1.PodSpec) {
	if spec.SchedulerName == "" {
		spec.SchedulerName = corev1.DefaultSchedulerName
	}
	for i := range spec.InitContainers {
		setContainerDefaults(&spec.InitContainers[i], spec.HostNetwork)
	}
	for i := range spec.Containers {
		setContainerDefaults(&spec.Containers[i], spec.HostNetwork)
	}
	requestLimits(spec)
}

// setContainerDefaults takes the host's ports where the pod is on the host's network.
func setContainerDefaults(c *corev1.Container, hostNetwork bool) {
	for i := range c.Ports {
		p := &c.Ports[i]
		if p.Protocol == "" {
			p.Protocol = corev1.ProtocolTCP
		}
		if hostNetwork && p.HostPort == 0 {
			p.HostPort = p.ContainerPort
		}
	}
}

// The defaults of Karpenter's definition of a NodePool.
var (
	defaultExpireAfter      = karpv1.MustParseNillableDuration("720h")
	defaultConsolidateAfter = karpv1.MustParseNillableDuration("0s")
)

// setNodePoolDefaults looks at the raw object where a nil duration may mean
// that it is absent, or Never.
func setNodePoolDefaults(p *karpv1.NodePool, raw []byte) {
	if !hasMember(raw, "spec", "template", "spec", "expireAfter") {
		p.Spec.Template.Spec.ExpireAfter = defaultExpireAfter
	}
	d := &p.Spec.Disruption
	if !hasMember(raw, "spec", "disruption", "consolidateAfter") {
		d.ConsolidateAfter = defaultConsolidateAfter
	}
	if d.ConsolidationPolicy == "" {
		d.ConsolidationPolicy = karpv1.ConsolidationPolicyWhenEmptyOrUnderutilized
	}
	if len(d.Budgets) == 0 {
		d.Budgets = []karpv1.Budget{{}}
	}
	for i := range d.Budgets {
		if d.Budgets[i].Nodes == "" {
			d.Budgets[i].Nodes = defaultBudgetNodes
		}
	}
}
