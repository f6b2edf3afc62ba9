package benchmarks

import (
	"fmt"
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

const namespace = "apps"

// random draws the same numbers in every run.
func random(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(2026, stream))
}

// settle names the catalog, and asks for the pods that the workloads lack.
func settle(s *v1alpha1.Snapshot) *v1alpha1.Snapshot {
	s.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.KindSnapshot}
	s.Time = metav1.NewTime(Time)
	s.Catalog = Catalog
	s.Policy.ExpandWorkloads = ptr.To(true)
	return s
}

// groups are Deployments of pods in all. A few are large and many are small, as
// in real clusters: the n-th has a share of 1/n.
func groups(count, pods int) (*v1alpha1.Snapshot, error) {
	r := random(1)
	harmonic := 0.0
	for i := range count {
		harmonic += 1 / float64(i+1)
	}
	s := &v1alpha1.Snapshot{}
	left := pods
	for i := range count {
		replicas := max(1, int(float64(pods)/harmonic/float64(i+1)))
		if i == count-1 {
			replicas = left
		}
		left -= replicas
		s.Objects = append(s.Objects, runtime.RawExtension{Object: deployment(fmt.Sprintf("app-%03d", i+1), replicas, requests(r))})
	}
	return settle(s), nil
}

// requests are what people write: round numbers of cores, and one to eight GiB for each.
func requests(r *rand.Rand) corev1.ResourceList {
	milli := []int64{50, 100, 100, 200, 250, 250, 500, 500, 500, 1000, 1000, 1500, 2000, 2000, 4000}
	perCore := []int64{1024, 2048, 2048, 3072, 4096, 4096, 6144, 8192} // MiB
	cpu := milli[r.IntN(len(milli))]
	memory := max(64, cpu*perCore[r.IntN(len(perCore))]/1000)
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(cpu, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(memory<<20, resource.BinarySI),
	}
}

func deployment(name string, replicas int, requests corev1.ResourceList) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(int32(replicas)),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec(requests)},
		},
	}
}

func podSpec(requests corev1.ResourceList) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name: "main", Image: "registry.example.com/app:1", Resources: corev1.ResourceRequirements{Requests: requests},
	}}}
}

// halfEmpty are nodes of common types, each filled with pods of 30 applications
// to between a quarter and three quarters of its cores or memory.
func halfEmpty(nodes int) (*v1alpha1.Snapshot, error) {
	r := random(2)
	types, err := typesByName(Catalog)
	if err != nil {
		return nil, err
	}
	names := []string{"m6i.xlarge", "m6i.2xlarge", "m6i.4xlarge", "r6i.xlarge", "r6i.2xlarge", "c6i.2xlarge", "c6i.4xlarge"}
	var apps []corev1.ResourceList
	for range 30 {
		apps = append(apps, requests(r))
	}

	s := &v1alpha1.Snapshot{Objects: []runtime.RawExtension{{Object: nodePool(names)}}}
	for i := range nodes {
		t := types[names[r.IntN(len(names))]]
		n := node(fmt.Sprintf("node-%03d", i+1), t)
		s.Objects = append(s.Objects, runtime.RawExtension{Object: n})
		share := 0.25 + r.Float64()/2
		var cpu, memory int64
		for {
			app := r.IntN(len(apps))
			cpu += apps[app].Cpu().MilliValue()
			memory += apps[app].Memory().Value()
			if float64(cpu) > share*float64(n.Status.Allocatable.Cpu().MilliValue()) || float64(memory) > share*float64(n.Status.Allocatable.Memory().Value()) {
				break
			}
			s.Objects = append(s.Objects, runtime.RawExtension{Object: pod(app, len(s.Objects), n.Name, apps[app])})
		}
	}
	return settle(s), nil
}

func typesByName(name string) (map[string]*v1alpha1.InstanceType, error) {
	c, err := catalog.Load(name)
	if err != nil {
		return nil, err
	}
	out := map[string]*v1alpha1.InstanceType{}
	for i := range c.InstanceTypes {
		out[c.InstanceTypes[i].Name] = &c.InstanceTypes[i]
	}
	return out, nil
}

// nodePool sells the types on demand, and lets all its nodes go at once.
func nodePool(types []string) *karpv1.NodePool {
	p := &karpv1.NodePool{TypeMeta: metav1.TypeMeta{APIVersion: "karpenter.sh/v1", Kind: "NodePool"}, ObjectMeta: metav1.ObjectMeta{Name: "default"}}
	in := func(key string, values ...string) karpv1.NodeSelectorRequirementWithMinValues {
		return karpv1.NodeSelectorRequirementWithMinValues{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
	}
	p.Spec.Template.Spec.NodeClassRef = &karpv1.NodeClassReference{Group: "karpenter.k8s.aws", Kind: "EC2NodeClass", Name: "default"}
	p.Spec.Template.Spec.Requirements = []karpv1.NodeSelectorRequirementWithMinValues{
		in(corev1.LabelInstanceTypeStable, types...), in(karpv1.CapacityTypeLabelKey, karpv1.CapacityTypeOnDemand),
	}
	p.Spec.Disruption.ConsolidationPolicy = karpv1.ConsolidationPolicyWhenEmptyOrUnderutilized
	p.Spec.Disruption.ConsolidateAfter = karpv1.MustParseNillableDuration("0s")
	p.Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: "100%"}}
	return p
}

// node is one of the pool's, as large as its type says.
func node(name string, t *v1alpha1.InstanceType) *corev1.Node {
	allocatable := corev1.ResourceList{}
	for r, q := range t.Capacity {
		left := q.DeepCopy()
		left.Sub(t.Overhead[r])
		allocatable[r] = left
	}
	return &corev1.Node{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(Time.AddDate(0, 0, -7)), Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelInstanceTypeStable: t.Name, corev1.LabelTopologyZone: t.Offerings[0].Zone,
			corev1.LabelArchStable: "amd64", corev1.LabelOSStable: "linux", karpv1.CapacityTypeLabelKey: karpv1.CapacityTypeOnDemand,
			karpv1.NodePoolLabelKey: "default", karpv1.NodeRegisteredLabelKey: "true", karpv1.NodeInitializedLabelKey: "true",
		}},
		Status: corev1.NodeStatus{
			Capacity: t.Capacity, Allocatable: allocatable,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

func pod(app, serial int, node string, requests corev1.ResourceList) *corev1.Pod {
	name := fmt.Sprintf("app-%03d", app+1)
	out := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%05d", name, serial), Namespace: namespace, Labels: map[string]string{"app": name},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: name, Controller: ptr.To(true)}}},
		Spec:   podSpec(requests),
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	out.Spec.NodeName = node
	return out
}
