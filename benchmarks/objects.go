package benchmarks

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

const namespace = "apps"

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

// pod is one of the application's, running on the node.
func pod(app string, serial int, node string, requests corev1.ResourceList) *corev1.Pod {
	out := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%05d", app, serial), Namespace: namespace, Labels: map[string]string{"app": app},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app, Controller: ptr.To(true)}}},
		Spec:   podSpec(requests),
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
	out.Spec.NodeName = node
	return out
}

// podBudget lets so many of the application's pods be away at once.
func podBudget(app string, maxUnavailable intstr.IntOrString) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
		ObjectMeta: metav1.ObjectMeta{Name: app, Namespace: namespace},
		Spec: policyv1.PodDisruptionBudgetSpec{
			MaxUnavailable: &maxUnavailable, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}},
		},
	}
}

// nodePool sells the types, all if there is none, at the capacity types, and
// lets as many of its nodes go at once as the budget says.
func nodePool(name, budget string, types []string, capacityTypes ...string) *karpv1.NodePool {
	p := &karpv1.NodePool{TypeMeta: metav1.TypeMeta{APIVersion: "karpenter.sh/v1", Kind: "NodePool"}, ObjectMeta: metav1.ObjectMeta{Name: name}}
	in := func(key string, values ...string) karpv1.NodeSelectorRequirementWithMinValues {
		return karpv1.NodeSelectorRequirementWithMinValues{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
	}
	p.Spec.Template.Spec.NodeClassRef = &karpv1.NodeClassReference{Group: "karpenter.k8s.aws", Kind: "EC2NodeClass", Name: "default"}
	p.Spec.Template.Spec.Requirements = []karpv1.NodeSelectorRequirementWithMinValues{
		in(karpv1.CapacityTypeLabelKey, capacityTypes...), in(corev1.LabelArchStable, "amd64"), in(corev1.LabelOSStable, "linux"),
	}
	if len(types) > 0 {
		p.Spec.Template.Spec.Requirements = append(p.Spec.Template.Spec.Requirements, in(corev1.LabelInstanceTypeStable, types...))
	}
	p.Spec.Disruption.ConsolidationPolicy = karpv1.ConsolidationPolicyWhenEmptyOrUnderutilized
	p.Spec.Disruption.ConsolidateAfter = karpv1.MustParseNillableDuration("0s")
	p.Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: budget}}
	return p
}

// node is one of the pool's, as large as its type says.
func node(name, pool string, t *v1alpha1.InstanceType) *corev1.Node {
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
			karpv1.NodePoolLabelKey: pool, karpv1.NodeRegisteredLabelKey: "true", karpv1.NodeInitializedLabelKey: "true",
		}},
		Status: corev1.NodeStatus{
			Capacity: t.Capacity, Allocatable: allocatable,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}
