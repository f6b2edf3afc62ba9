package snapshot

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// BenchmarkCompile reads 10,000 pods of 100 kinds against three pools and a
// catalog as large as that of an AWS region: 16,200 offerings with 25 labels.
func BenchmarkCompile(b *testing.B) {
	s := largeSnapshot(900, 6, 100, 100)
	b.ReportAllocs()
	for b.Loop() {
		c, err := Compile(s, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(c.shapes)), "shapes")
		b.ReportMetric(float64(len(c.groups)), "groups")
	}
}

func largeSnapshot(types, zones, kinds, podsPerKind int) *v1alpha1.Snapshot {
	s := &v1alpha1.Snapshot{Time: metav1.NewTime(time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC))}
	for i := range types {
		s.InstanceTypes = append(s.InstanceTypes, largeType(i, zones))
	}
	for _, name := range []string{"general", "arm", "burst"} {
		p := ImpliedPool([]string{"amd64", "arm64"}, true)
		p.Name, p.Annotations = name, nil
		p.Spec.Template.Spec.Requirements = append(p.Spec.Template.Spec.Requirements,
			karpv1.NodeSelectorRequirementWithMinValues{Key: "team", Operator: corev1.NodeSelectorOpExists})
		s.Objects = append(s.Objects, runtime.RawExtension{Object: p})
	}
	for i := range 10 {
		d := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: fmt.Sprintf("agent-%d", i)}}
		d.Spec.Template.Spec = largePod("100m", "100Mi").Spec
		d.Spec.Template.Spec.NodeSelector = map[string]string{corev1.LabelOSStable: "linux"}
		s.Objects = append(s.Objects, runtime.RawExtension{Object: d})
	}
	for k := range kinds {
		for i := range podsPerKind {
			p := largePod(fmt.Sprintf("%dm", 100+37*k), fmt.Sprintf("%dMi", 128+53*(k%17)))
			p.Namespace, p.Name = "default", fmt.Sprintf("app-%d-%d", k, i)
			p.Labels = map[string]string{"app": fmt.Sprintf("app-%d", k)}
			if k%3 == 0 {
				p.Spec.NodeSelector = map[string]string{corev1.LabelTopologyZone: fmt.Sprintf("zone-%d", k%zones)}
			}
			if k%10 == 0 {
				p.Spec.Affinity = apartFrom("app", p.Labels["app"])
			}
			s.Objects = append(s.Objects, runtime.RawExtension{Object: p})
		}
	}
	return s
}

func largePod(cpu, memory string) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: "main",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory),
		}},
	}}}}
}

func apartFrom(key, value string) *corev1.Affinity {
	return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey:   corev1.LabelHostname,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{key: value}},
		}},
	}}
}

func largeType(i, zones int) v1alpha1.InstanceType {
	cores := int64(1 + i%96)
	t := v1alpha1.InstanceType{
		Name: fmt.Sprintf("family%d.%dxlarge", i/96, cores),
		Capacity: corev1.ResourceList{
			corev1.ResourceCPU:    *resource.NewQuantity(cores, resource.DecimalSI),
			corev1.ResourceMemory: *resource.NewQuantity(cores<<32, resource.BinarySI),
			corev1.ResourcePods:   *resource.NewQuantity(110, resource.DecimalSI),
		},
		Requirements: []corev1.NodeSelectorRequirement{
			{Key: corev1.LabelArchStable, Operator: corev1.NodeSelectorOpIn, Values: []string{[]string{"amd64", "arm64"}[i%2]}},
			{Key: corev1.LabelOSStable, Operator: corev1.NodeSelectorOpIn, Values: []string{"linux"}},
		},
	}
	for k := range 20 {
		t.Requirements = append(t.Requirements, corev1.NodeSelectorRequirement{
			Key: fmt.Sprintf("vendor.example/label-%d", k), Operator: corev1.NodeSelectorOpIn, Values: []string{fmt.Sprint(i % (k + 2))},
		})
	}
	for z := range zones {
		for _, capacityType := range []string{"on-demand", "spot", "reserved"} {
			t.Offerings = append(t.Offerings, v1alpha1.Offering{
				Zone: fmt.Sprintf("zone-%d", z), CapacityType: capacityType, Price: 0.05 * float64(cores),
			})
		}
	}
	return t
}
