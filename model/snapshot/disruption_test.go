package snapshot

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// noon of a Tuesday in winter.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) metav1.Time { return metav1.NewTime(noon.Add(-d)) }

// standing is a cluster of the machines and their pods at noon, under the default policy.
func standing(machines ...*machine) *Compiled {
	c := &Compiled{cluster: &cluster{now: noon}, policy: v1alpha1.Policy{}.Default(), nodes: machines}
	for i, m := range machines {
		m.index = model.NodeIndex(i)
		c.cluster.pods = append(c.cluster.pods, m.pods...)
		if m.pool != nil && (len(c.pools) == 0 || c.pools[len(c.pools)-1] != m.pool) {
			c.pools = append(c.pools, m.pool)
		}
	}
	return c
}

// newTestPool lets everything go.
func newTestPool(edits ...func(*karpv1.NodePool)) *pool {
	o := &karpv1.NodePool{}
	o.Name = "default"
	o.Spec.Disruption.ConsolidateAfter.Duration = ptr.To(time.Duration(0))
	o.Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: "100%"}}
	for _, edit := range edits {
		edit(o)
	}
	return &pool{object: o}
}

// newTestMachine is a node with its claim that may go, created a week ago, in
// a pool of its own.
func newTestMachine(name string, edits ...func(*machine)) *machine {
	m := &machine{name: name, pool: newTestPool(), initialized: true, priced: true, price: 2 * model.Dollar}
	m.node = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: ago(7 * 24 * time.Hour)}}
	m.node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	m.claim = &karpv1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Name: "claim-" + name, CreationTimestamp: ago(7 * 24 * time.Hour)}}
	claimSays(karpv1.ConditionTypeConsolidatable)(m)
	for _, edit := range edits {
		edit(m)
	}
	return m
}

func claimSays(condition string) func(*machine) {
	return func(m *machine) {
		m.claim.StatusConditions().SetTrue(condition)
		for i := range m.claim.Status.Conditions {
			m.claim.Status.Conditions[i].LastTransitionTime = ago(time.Hour)
		}
	}
}

func withPods(pods ...*corev1.Pod) func(*machine) {
	return func(m *machine) { m.pods = append(m.pods, pods...) }
}

func withPool(edit func(*karpv1.NodePool)) func(*machine) {
	return func(m *machine) { edit(m.pool.object) }
}

func annotated(key, value string) func(*machine) {
	return func(m *machine) { metav1.SetMetaDataAnnotation(&m.node.ObjectMeta, key, value) }
}

func withoutClaim(m *machine) { m.claim = nil }

// newTestPod has run for a day and belongs to a ReplicaSet.
func newTestPod(name string, edits ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{"app": name}}}
	p.Status.Phase = corev1.PodRunning
	p.Status.StartTime = ptr.To(ago(24 * time.Hour))
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	ownedByA("apps/v1", "ReplicaSet")(p)
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func ownedByA(apiVersion, kind string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: "owner", Controller: ptr.To(true)}}
	}
}

func bareTestPod(p *corev1.Pod) { p.OwnerReferences = nil }

func podAnnotated(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { metav1.SetMetaDataAnnotation(&p.ObjectMeta, key, value) }
}

func protectedBy(value string) func(*corev1.Pod) {
	return podAnnotated(karpv1.DoNotDisruptAnnotationKey, value)
}

func startedAgo(d time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.StartTime = ptr.To(ago(d)) }
}

// ending: the pod was asked to go 30 s ago, and has a minute for it.
func ending(p *corev1.Pod) {
	p.DeletionTimestamp = ptr.To(ago(-30 * time.Second))
	p.DeletionGracePeriodSeconds = ptr.To(int64(60))
}

func finished(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }

// burdened is a machine that every rule keeps, and its cluster.
func burdened() (*Compiled, *machine) {
	m := newTestMachine("n1",
		annotated(v1alpha1.AnnotationHold, "true"),
		claimSays(karpv1.ConditionTypeDrifted),
		withPool(func(p *karpv1.NodePool) { p.Spec.Disruption.ConsolidateAfter.Duration = nil }),
		withPods(
			newTestPod("alone", bareTestPod),
			newTestPod("job", ownedByA("batch/v1", "Job")),
			newTestPod("db"),
			newTestPod("guarded", protectedBy("true"), startedAgo(time.Minute)),
		))
	m.priced = false
	c := standing(m)
	c.cluster.pdbs = append(c.cluster.pdbs, newTestPDB("db", 0))
	c.nominated = []nomination{{pod: newTestPod("soon"), on: m}}
	c.policy.Drift = v1alpha1.DriftReport
	c.policy.ProtectJobs = ptr.To(true)
	c.policy.Consolidate = ptr.To(false)
	c.policy.QuietPeriod.Duration = time.Hour
	c.policy.Windows = []v1alpha1.Window{{}}
	return c, m
}

func TestAMachineIsKeptForTheFirstReasonThatApplies(t *testing.T) {
	want := v1alpha1.KeptReasons[2:14] // from Hold to Window
	relax := map[string]bool{}
	for _, reason := range want {
		c, m := burdened()
		c.disrupt(relax)
		require.Equal(t, reason, m.voluntary)
		require.NotEmpty(t, m.voluntaryMessage)
		relax[reason] = true // the next reason shows once this one is dropped
	}
	c, m := burdened()
	c.disrupt(relax)
	require.Empty(t, m.voluntary, "every rule is dropped")
}

func TestDriftIsHeldByItsOwnReasons(t *testing.T) {
	want := []string{
		v1alpha1.KeptHold, v1alpha1.KeptDriftReported, v1alpha1.KeptUnmovablePod, v1alpha1.KeptDoNotDisrupt,
		v1alpha1.KeptProtectedJob, v1alpha1.KeptPodDisruptionBudget, v1alpha1.KeptNominated, v1alpha1.KeptWindow,
	}
	relax := map[string]bool{}
	for _, reason := range want {
		c, m := burdened()
		c.disrupt(relax)
		require.Equal(t, reason, m.drift)
		relax[reason] = true
	}
	c, m := burdened()
	c.disrupt(relax)
	require.True(t, m.drifted)
	require.Empty(t, m.drift, "consolidation, price and quiet period do not hold a drifted node")
	require.Equal(t, v1alpha1.KeptConsolidationOff, m.voluntary)
}

func TestWhatKeepsAMachine(t *testing.T) {
	tests := []struct {
		name   string
		m      *machine
		policy func(*v1alpha1.Policy)
		want   string
		says   string
	}{
		{name: "nothing", m: newTestMachine("n1", withPods(newTestPod("a")))},
		{name: "an empty node goes too", m: newTestMachine("n1")},
		{name: "a node of nobody", m: newTestMachine("n1", func(m *machine) { m.pool = nil }), want: v1alpha1.KeptNotManaged, says: "node n1"},
		{name: "a node on its way", m: newTestMachine("n1", func(m *machine) { m.initialized = false }), want: v1alpha1.KeptNotInitialized},
		{name: "a claim without a node", m: newTestMachine("n1", func(m *machine) { m.node = nil }), want: v1alpha1.KeptNotInitialized, says: "NodeClaim claim-n1"},
		{name: "a hold on the node", m: newTestMachine("n1", annotated(v1alpha1.AnnotationHold, "true")), want: v1alpha1.KeptHold, says: "node n1"},
		{name: "a hold that is over", m: newTestMachine("n1", annotated(v1alpha1.AnnotationHold, "false"))},
		{
			name: "a hold on the claim",
			m: newTestMachine("n1", func(m *machine) {
				metav1.SetMetaDataAnnotation(&m.claim.ObjectMeta, v1alpha1.AnnotationHold, "true")
			}),
			want: v1alpha1.KeptHold,
		},
		{
			name: "a hold on the pool",
			m: newTestMachine("n1", withPool(func(p *karpv1.NodePool) {
				metav1.SetMetaDataAnnotation(&p.ObjectMeta, v1alpha1.AnnotationHold, "true")
			})),
			want: v1alpha1.KeptHold, says: "NodePool default",
		},
		{
			name: "the policy does not consolidate",
			m:    newTestMachine("n1"), policy: func(p *v1alpha1.Policy) { p.Consolidate = ptr.To(false) },
			want: v1alpha1.KeptConsolidationOff,
		},
		{
			name: "drift that is only reported holds the savings too",
			m:    newTestMachine("n1", claimSays(karpv1.ConditionTypeDrifted)), policy: func(p *v1alpha1.Policy) { p.Drift = v1alpha1.DriftReport },
			want: v1alpha1.KeptDriftReported,
		},
		{
			name: "no price",
			m:    newTestMachine("n1", func(m *machine) { m.priced = false }),
			want: v1alpha1.KeptUnknownPrice, says: "price",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := standing(tt.m)
			if tt.policy != nil {
				tt.policy(&c.policy)
			}
			c.disrupt(nil)
			require.Equal(t, tt.want, tt.m.voluntary)
			require.Contains(t, tt.m.voluntaryMessage, tt.says)
			require.Equal(t, tt.want == "", tt.m.voluntaryMessage == "")
		})
	}
}

func TestNobodyRelaxesThatAMachineIsNotOursOrNotThere(t *testing.T) {
	foreign := newTestMachine("n1", func(m *machine) { m.pool = nil })
	joining := newTestMachine("n2", func(m *machine) { m.initialized = false })
	c := standing(foreign, joining)
	c.disrupt(map[string]bool{v1alpha1.KeptNotManaged: true, v1alpha1.KeptNotInitialized: true})
	require.Equal(t, v1alpha1.KeptNotManaged, foreign.voluntary)
	require.Equal(t, v1alpha1.KeptNotInitialized, joining.voluntary)
}

func TestDisruptWarns(t *testing.T) {
	tests := []struct {
		name  string
		build func() *Compiled
		want  string
	}{
		{
			"of protections that cannot be read, by value",
			func() *Compiled {
				return standing(newTestMachine("n1", withPods(
					newTestPod("a", protectedBy("soon")), newTestPod("b", protectedBy("soon")), newTestPod("c", protectedBy("-1h")),
					newTestPod("d", protectedBy("soon")), newTestPod("e", protectedBy("soon")), newTestPod("f", protectedBy("false")),
				)))
			},
			`annotation karpenter.sh/do-not-disrupt "-1h" is neither true nor a positive duration such as 30m, and does not protect pod default/c
annotation karpenter.sh/do-not-disrupt "soon" is neither true nor a positive duration such as 30m, and does not protect pods default/a, default/b and 2 more`,
		},
		{
			"of nodes without a price",
			func() *Compiled {
				c := standing(newTestMachine("n1"), newTestMachine("n2"))
				for _, m := range c.nodes {
					m.priced, m.zone, m.capacityType, m.labels = false, "z1", "spot", map[string]string{corev1.LabelInstanceTypeStable: "old"}
				}
				c.nodes[1].pool = nil
				return c
			},
			`no price is known for node n2, in no node pool: its cost is not counted
no price is known for type "old", zone "z1", "spot": node n1 is counted at no cost, and not removed to save money`,
		},
		{
			"of what Cluster Autoscaler would leave alone, on our nodes",
			func() *Compiled {
				protected := podAnnotated(safeToEvict, "false")
				mine := newTestMachine("n1", annotated(scaleDownDisabled, "true"), withPods(newTestPod("a", protected), newTestPod("b", podAnnotated(safeToEvict, "true"))))
				return standing(mine, newTestMachine("n2", unmanaged, withPods(newTestPod("c", protected))))
			},
			`1 pod has annotation cluster-autoscaler.kubernetes.io/safe-to-evict: "false", which protects nothing in a plan: karpenter.sh/do-not-disrupt does (default/a)
1 node has annotation cluster-autoscaler.kubernetes.io/scale-down-disabled, which protects nothing in a plan: karpenter.sh/do-not-disrupt does (n1)`,
		},
		{
			"of deletion costs that cannot be read",
			func() *Compiled {
				return standing(newTestMachine("n1", withPods(newTestPod("a", podAnnotated(corev1.PodDeletionCost, "much")))))
			},
			`annotation controller.kubernetes.io/pod-deletion-cost "much" is no whole number, and is ignored on pod default/a`,
		},
		{
			"of deadlines that cannot be read",
			func() *Compiled {
				return standing(newTestMachine("n1", annotated(v1alpha1.AnnotationInterruption, "now")))
			},
			`node n1: annotation mortise.dev/interruption "now" is no RFC 3339 time: the interruption counts all the same`,
		},
		{
			"of malformed budgets",
			func() *Compiled {
				return standing(newTestMachine("n1", withPool(func(p *karpv1.NodePool) {
					p.Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: "1"}, {Nodes: "ten"}}
				})))
			},
			`NodePool default: budgets[1]: nodes "ten": expected a number or a percentage up to 100%: no node of the pool is removed until it is mended`,
		},
		{
			"of windows that cannot be read",
			func() *Compiled {
				c := standing()
				c.policy.Windows = []v1alpha1.Window{{Allow: []v1alpha1.Allow{{Schedule: "@daily", TimeZone: "Mars/Olympus", Duration: metav1.Duration{Duration: time.Hour}}}}}
				return c
			},
			`policy: windows[0]: allow[0]: time zone "Mars/Olympus": expected an IANA one such as Europe/Berlin: the window stays closed`,
		},
		{
			"of budgets of pods that never allow an eviction",
			func() *Compiled {
				c := standing(newTestMachine("n1", withPods(newTestPod("db"))))
				b := newTestPDB("db", 0)
				b.Spec.MaxUnavailable, b.Spec.MinAvailable = nil, ptr.To(intstr.FromInt32(1))
				b.Status.ExpectedPods = 1
				c.cluster.pdbs = append(c.cluster.pdbs, b, newTestPDB("nobody", 0))
				return c
			},
			`PodDisruptionBudget default/db never allows an eviction (it wants 1 of 1 pods healthy): the nodes of its pods are kept`,
		},
		{"of nothing where all is well", func() *Compiled { return standing(newTestMachine("n1", withPods(newTestPod("a")))) }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.build()
			c.disrupt(nil)
			require.Equal(t, tt.want, strings.Join(c.Warnings, "\n"))
		})
	}
}
