package snapshot

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// podFault names the first field of the pod that cannot be read or can never be
// met by any node, or is empty.
func podFault(p *corev1.Pod) string {
	for _, find := range []func(*corev1.Pod) string{
		nodeSelectorFault, nodeAffinityFault, tolerationFault, podAffinityFault, requestFault,
	} {
		if fault := find(p); fault != "" {
			return fault
		}
	}
	return ""
}

func nodeSelectorFault(p *corev1.Pod) string {
	for _, key := range sortedKeys(p.Spec.NodeSelector) {
		path := fmt.Sprintf("spec.nodeSelector[%s]", key)
		if errs := validation.IsQualifiedName(key); len(errs) > 0 {
			return path + ": " + errs[0]
		}
		if errs := validation.IsValidLabelValue(p.Spec.NodeSelector[key]); len(errs) > 0 {
			return path + ": " + errs[0]
		}
	}
	return ""
}

func nodeAffinityFault(p *corev1.Pod) string {
	required := requiredNodeAffinity(&p.Spec)
	if required == nil {
		return ""
	}
	path := field.NewPath("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	if len(required.NodeSelectorTerms) == 0 {
		return path.Child("nodeSelectorTerms").String() + ": must have at least one"
	}
	if _, err := nodeaffinity.NewNodeSelector(required, field.WithPath(path)); err != nil {
		return strings.Trim(err.Error(), "[]")
	}
	return ""
}

func tolerationFault(p *corev1.Pod) string {
	for i, t := range p.Spec.Tolerations {
		path := fmt.Sprintf("spec.tolerations[%d]", i)
		switch t.Operator {
		case "", corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt, corev1.TolerationOpGt:
		default:
			return fmt.Sprintf("%s.operator: unknown operator %q", path, t.Operator)
		}
		if t.Key == "" && t.Operator != corev1.TolerationOpExists {
			return path + ".key: may be empty only with operator Exists"
		}
		switch t.Effect {
		case "", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
		default:
			return fmt.Sprintf("%s.effect: unknown effect %q", path, t.Effect)
		}
	}
	return ""
}

func podAffinityFault(p *corev1.Pod) string {
	if p.Spec.Affinity == nil {
		return ""
	}
	if a := p.Spec.Affinity.PodAffinity; a != nil {
		if fault := termFault("spec.affinity.podAffinity", a.RequiredDuringSchedulingIgnoredDuringExecution); fault != "" {
			return fault
		}
	}
	return termFault("spec.affinity.podAntiAffinity", requiredAntiAffinity(p))
}

func termFault(path string, terms []corev1.PodAffinityTerm) string {
	for i, t := range terms {
		path := fmt.Sprintf("%s.requiredDuringSchedulingIgnoredDuringExecution[%d]", path, i)
		if t.TopologyKey == "" {
			return path + ".topologyKey: must not be empty"
		}
		if _, err := metav1.LabelSelectorAsSelector(t.LabelSelector); err != nil {
			return path + ".labelSelector: " + err.Error()
		}
		if _, err := metav1.LabelSelectorAsSelector(t.NamespaceSelector); err != nil {
			return path + ".namespaceSelector: " + err.Error()
		}
	}
	return ""
}

func requestFault(p *corev1.Pod) string {
	if p.Spec.Resources != nil {
		if name := negativeRequest(p.Spec.Resources.Requests); name != "" {
			return fmt.Sprintf("spec.resources.requests[%s]: must not be negative", name)
		}
	}
	return cmp.Or(containersFault("spec.containers", p.Spec.Containers), containersFault("spec.initContainers", p.Spec.InitContainers))
}

func containersFault(path string, containers []corev1.Container) string {
	for i := range containers {
		if name := negativeRequest(containers[i].Resources.Requests); name != "" {
			return fmt.Sprintf("%s[%d].resources.requests[%s]: must not be negative", path, i, name)
		}
	}
	return ""
}

// negativeRequest is the first resource of which less than nothing is asked, or empty.
func negativeRequest(list corev1.ResourceList) corev1.ResourceName {
	for _, name := range sortedKeys(list) {
		if q := list[name]; q.Sign() < 0 {
			return name
		}
	}
	return ""
}
