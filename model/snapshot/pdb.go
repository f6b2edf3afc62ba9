package snapshot

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"

	"github.com/mortise-io/mortise/model"
)

// pdbs are the snapshot's PodDisruptionBudgets by namespace, each list by name.
type pdbs map[string][]*pdb

// pdb is a PodDisruptionBudget with its selector compiled.
type pdb struct {
	object   *policyv1.PodDisruptionBudget
	selector labels.Selector
	// pods that it selects, finished ones left out.
	pods []*corev1.Pod
}

// newPDBs compiles the cluster's budgets. It returns the errors of those whose
// selector is malformed, and leaves them out: the API server takes no such budget.
func newPDBs(c *cluster) (pdbs, []error) {
	out, errs := pdbs{}, []error(nil)
	for _, object := range c.pdbs {
		selector, err := metav1.LabelSelectorAsSelector(object.Spec.Selector)
		if err != nil {
			errs = append(errs, fmt.Errorf("PodDisruptionBudget %s/%s: %w", object.Namespace, object.Name, err))
			continue
		}
		out[object.Namespace] = append(out[object.Namespace], &pdb{object: object, selector: selector})
	}
	for _, p := range c.pods {
		if podutils.IsTerminal(p) {
			continue
		}
		for _, b := range out.of(p) {
			b.pods = append(b.pods, p)
		}
	}
	return out, errs
}

// of lists the budgets that select the pod, by name.
func (all pdbs) of(p *corev1.Pod) []*pdb {
	var out []*pdb
	for _, b := range all[p.Namespace] {
		if b.selector.Matches(labels.Set(p.Labels)) {
			out = append(out, b)
		}
	}
	return out
}

func (b *pdb) String() string {
	return "PodDisruptionBudget " + b.object.Namespace + "/" + b.object.Name
}

// allowed is the status's figure, or the least that spec and pods say where
// there is no status, or one of an older spec.
func (b *pdb) allowed() int {
	if b.judged() {
		return int(b.object.Status.DisruptionsAllowed)
	}
	healthy := 0
	for _, p := range b.pods {
		if p.DeletionTimestamp == nil && podReady(p) == corev1.ConditionTrue {
			healthy++
		}
	}
	return max(0, healthy-b.desired(len(b.pods)))
}

// judged says whether the disruption controller has seen the budget as it is.
func (b *pdb) judged() bool {
	s := &b.object.Status
	written := s.ObservedGeneration > 0 || s.ExpectedPods > 0 || s.DesiredHealthy > 0 || s.CurrentHealthy > 0 || s.DisruptionsAllowed > 0
	return written && s.ObservedGeneration >= b.object.Generation
}

// desired is how many of so many pods the spec wants healthy. Percentages round up.
func (b *pdb) desired(expected int) int {
	switch spec := &b.object.Spec; {
	case spec.MaxUnavailable != nil:
		return max(0, expected-scaled(spec.MaxUnavailable, expected, 0))
	case spec.MinAvailable != nil:
		return scaled(spec.MinAvailable, expected, expected)
	default:
		return min(1, expected) // what an empty spec means
	}
}

func scaled(value *intstr.IntOrString, of, ifMalformed int) int {
	n, err := intstr.GetScaledValueFromIntOrPercent(value, of, true)
	if err != nil {
		return ifMalformed
	}
	return n
}

// podReady is the status of the pod's Ready condition; empty if it has none.
func podReady(p *corev1.Pod) corev1.ConditionStatus {
	for i := range p.Status.Conditions {
		if p.Status.Conditions[i].Type == corev1.PodReady {
			return p.Status.Conditions[i].Status
		}
	}
	return ""
}

// never says why the budget never allows an eviction, however healthy its pods
// are, or nothing if it may.
func (b *pdb) never() string {
	spec, status := &b.object.Spec, &b.object.Status
	expected := int(status.ExpectedPods)
	if !b.judged() {
		expected = len(b.pods)
	}
	switch {
	case spec.MaxUnavailable != nil && (spec.MaxUnavailable.String() == "0" || spec.MaxUnavailable.String() == "0%"):
		return "maxUnavailable is " + spec.MaxUnavailable.String()
	case spec.MinAvailable != nil && spec.MinAvailable.String() == "100%":
		return "minAvailable is 100%"
	case expected > 0 && b.desired(expected) >= expected:
		return fmt.Sprintf("it wants %d of %d pods healthy", b.desired(expected), expected)
	}
	return ""
}

// warnOfPDBs names the budgets that keep nodes for good.
func (c *Compiled) warnOfPDBs() {
	for _, namespace := range sortedKeys(c.pdbs) {
		for _, b := range c.pdbs[namespace] {
			if why := b.never(); why != "" && len(b.pods) > 0 {
				c.warn("%s never allows an eviction (%s): the nodes of its pods are kept", b, why)
			}
		}
	}
}

// shut: a pod's budget allows no eviction now, or the pod has several, with
// which Kubernetes evicts it never. As elsewhere in Karpenter each pod is asked
// alone: two pods of a budget that allows one both pass, and go in turn.
func (r *restraints) shut(m *machine, _ model.Removal) string {
	for _, p := range m.pods {
		if !evicted(p) {
			continue
		}
		budgets := r.c.pdbs.of(p)
		if len(budgets) > 1 {
			return fmt.Sprintf("pod %s has %d PodDisruptionBudgets (%s), and Kubernetes evicts no pod that has several",
				podKey(p), len(budgets), names(budgets))
		}
		if len(budgets) == 1 && !budgets[0].excuses(p) && budgets[0].allowed() == 0 {
			return fmt.Sprintf("%s allows 0 disruptions now, and pod %s is here", budgets[0], podKey(p))
		}
	}
	return ""
}

// evicted says whether the pod goes through the eviction API when its node
// goes. DaemonSet pods that tolerate a node being disrupted are left to end with it.
func evicted(p *corev1.Pod) bool {
	return podutils.IsActive(p) && !mirror(p) &&
		(!podutils.IsOwnedByDaemonSet(p) || !podutils.ToleratesDisruptedNoScheduleTaint(p))
}

// excuses says whether the budget lets the pod go because it is not healthy anyway.
func (b *pdb) excuses(p *corev1.Pod) bool {
	policy := b.object.Spec.UnhealthyPodEvictionPolicy
	return policy != nil && *policy == policyv1.AlwaysAllow && podReady(p) == corev1.ConditionFalse
}

func names(budgets []*pdb) string {
	var out []string
	for _, b := range budgets {
		out = append(out, b.object.Namespace+"/"+b.object.Name)
	}
	return strings.Join(out, ", ")
}
