package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// newTestPDB selects the pods of an app, and was last seen to allow so many disruptions.
func newTestPDB(app string, allowed int32, edits ...func(*policyv1.PodDisruptionBudget)) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: app, Generation: 1}}
	b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
	b.Spec.MaxUnavailable = ptr.To(intstr.FromInt32(1))
	b.Status.ObservedGeneration = 1
	b.Status.DisruptionsAllowed = allowed
	for _, edit := range edits {
		edit(b)
	}
	return b
}

func alwaysAllow(b *policyv1.PodDisruptionBudget) {
	b.Spec.UnhealthyPodEvictionPolicy = ptr.To(policyv1.AlwaysAllow)
}

func everything(b *policyv1.PodDisruptionBudget) {
	b.Name, b.Spec.Selector = "all", &metav1.LabelSelector{}
}

func unready(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }

func TestABudgetThatAllowsNoEvictionKeepsTheNode(t *testing.T) {
	daemon := ownedByA("apps/v1", "DaemonSet")
	tolerant := func(p *corev1.Pod) { p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}} }
	tests := []struct {
		name string
		pod  *corev1.Pod
		pdbs []*policyv1.PodDisruptionBudget
		says string // empty: not kept
	}{
		{"no budget", newTestPod("db"), nil, ""},
		{"one that allows one", newTestPod("db"), []*policyv1.PodDisruptionBudget{newTestPDB("db", 1)}, ""},
		{
			"one that allows none", newTestPod("db"), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0)},
			"PodDisruptionBudget default/db allows 0 disruptions now, and pod default/db is here",
		},
		{"of other pods", newTestPod("web"), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0)}, ""},
		{
			"of another namespace", newTestPod("db"),
			[]*policyv1.PodDisruptionBudget{newTestPDB("db", 0, func(b *policyv1.PodDisruptionBudget) { b.Namespace = "other" })},
			"",
		},
		{
			"of all pods", newTestPod("db"), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0, everything)},
			"PodDisruptionBudget default/all allows 0 disruptions now, and pod default/db is here",
		},
		{
			"without a selector, of no pods", newTestPod("db"),
			[]*policyv1.PodDisruptionBudget{newTestPDB("db", 0, func(b *policyv1.PodDisruptionBudget) { b.Spec.Selector = nil })},
			"",
		},
		{
			"two that allow one each", newTestPod("db"),
			[]*policyv1.PodDisruptionBudget{newTestPDB("db", 1, everything), newTestPDB("db", 1)},
			"pod default/db has 2 PodDisruptionBudgets (default/all, default/db), and Kubernetes evicts no pod that has several",
		},
		{"a pod that is not ready counts", newTestPod("db", unready), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0)}, "PodDisruptionBudget default/db allows 0 disruptions now, and pod default/db is here"},
		{"unless its budget always lets it go", newTestPod("db", unready), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0, alwaysAllow)}, ""},
		{"which is no matter for a ready one", newTestPod("db"), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0, alwaysAllow)}, "PodDisruptionBudget default/db allows 0 disruptions now, and pod default/db is here"},
		{"a pod of a DaemonSet", newTestPod("db", daemon), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0)}, "PodDisruptionBudget default/db allows 0 disruptions now, and pod default/db is here"},
		{"a pod of a DaemonSet that stays to the end", newTestPod("db", daemon, tolerant), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0)}, ""},
		{"a static pod", newTestPod("db", ownedByA("v1", "Node")), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0)}, ""},
		{"a finished pod", newTestPod("db", finished), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0)}, ""},
		{"a pod that ends", newTestPod("db", ending), []*policyv1.PodDisruptionBudget{newTestPDB("db", 0)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newTestMachine("n1", withPods(tt.pod))
			c := standing(m)
			c.cluster.pdbs = tt.pdbs
			c.disrupt(nil)
			require.Equal(t, tt.says, m.voluntaryMessage)
			if tt.says != "" {
				require.Equal(t, v1alpha1.KeptPodDisruptionBudget, m.voluntary)
			}
		})
	}
}

func TestABudgetWithoutAStatusIsJudgedBySpecAndPods(t *testing.T) {
	number, share := intstr.FromInt32, intstr.FromString
	tests := []struct {
		name         string
		max, min     *intstr.IntOrString
		ready, other int // pods
		want         int
	}{
		{"one of three may be missing", ptr.To(number(1)), nil, 3, 0, 1},
		{"and is", ptr.To(number(1)), nil, 2, 1, 0},
		{"a third of four, rounded up", ptr.To(share("33%")), nil, 4, 0, 2},
		{"two must be there", nil, ptr.To(number(2)), 3, 0, 1},
		{"half of three, rounded up", nil, ptr.To(share("50%")), 3, 0, 1},
		{"all", nil, ptr.To(share("100%")), 3, 0, 0},
		{"more than there are", nil, ptr.To(number(5)), 3, 0, 0},
		{"what cannot be read", ptr.To(share("few")), nil, 3, 0, 0},
		{"no pods", ptr.To(number(1)), nil, 0, 0, 0},
		{"an empty spec asks for one", nil, nil, 3, 0, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newTestPDB("db", 0)
			b.Spec.MaxUnavailable, b.Spec.MinAvailable, b.Status = tt.max, tt.min, policyv1.PodDisruptionBudgetStatus{}
			c := standing()
			c.cluster.pdbs = append(c.cluster.pdbs, b)
			for range tt.ready {
				c.cluster.pods = append(c.cluster.pods, newTestPod("db"))
			}
			for range tt.other {
				c.cluster.pods = append(c.cluster.pods, newTestPod("db", unready))
			}
			c.cluster.pods = append(c.cluster.pods, newTestPod("db", finished), newTestPod("web"))
			c.disrupt(nil)
			require.Equal(t, tt.want, c.pdbs["default"][0].allowed())
		})
	}
}

func TestAStatusOfAnOlderSpecIsNotTrusted(t *testing.T) {
	c := standing()
	b := newTestPDB("db", 3, func(b *policyv1.PodDisruptionBudget) { b.Generation = 2 })
	c.cluster.pdbs, c.cluster.pods = append(c.cluster.pdbs, b), append(c.cluster.pods, newTestPod("db"))
	c.disrupt(nil)
	require.Equal(t, 1, c.pdbs["default"][0].allowed())

	b.Status.ObservedGeneration = 2
	require.Equal(t, 3, c.pdbs["default"][0].allowed())
}

func TestPDBsOfAPod(t *testing.T) {
	c := standing()
	all, db := newTestPDB("db", 1, everything), newTestPDB("db", 1)
	broken := newTestPDB("broken", 1, func(b *policyv1.PodDisruptionBudget) {
		b.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Like"}}}
	})
	c.cluster.pdbs = append(c.cluster.pdbs, all, broken, db, newTestPDB("web", 1))
	c.disrupt(nil)
	require.Len(t, c.pdbs.of(newTestPod("db")), 2)
	require.Same(t, all, c.pdbs.of(newTestPod("db"))[0].object)
	require.Same(t, db, c.pdbs.of(newTestPod("db"))[1].object)
	require.Len(t, c.Warnings, 1)
	require.Contains(t, c.Warnings[0], "PodDisruptionBudget default/broken")
}

func TestBudgetsThatNeverAllowAnEviction(t *testing.T) {
	number, share := intstr.FromInt32, intstr.FromString
	tests := []struct {
		name     string
		max, min *intstr.IntOrString
		want     string
	}{
		{"one may be missing", ptr.To(number(1)), nil, ""},
		{"none may", ptr.To(number(0)), nil, "maxUnavailable is 0"},
		{"no percent may", ptr.To(share("0%")), nil, "maxUnavailable is 0%"},
		{"all must be there", nil, ptr.To(share("100%")), "minAvailable is 100%"},
		{"so must two of two", nil, ptr.To(number(2)), "it wants 2 of 2 pods healthy"},
		{"one of two must be there", nil, ptr.To(number(1)), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newTestPDB("db", 0)
			b.Spec.MaxUnavailable, b.Spec.MinAvailable = tt.max, tt.min
			b.Status.ExpectedPods = 2
			require.Equal(t, tt.want, (&pdb{object: b}).never())
		})
	}
}
