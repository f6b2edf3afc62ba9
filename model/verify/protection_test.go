package verify_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/verify"
)

// pair is two half-empty nodes and a plan that empties the first: n1 into n2.
func pair(reason string) (*cluster, *plan) {
	c := newCluster()
	c.sell("s", "4", "16Gi", 0.2)
	c.offerPool("default")
	c.run("n1", "s", "default", newPod("a-1", "1", "1Gi"))
	c.run("n2", "s", "default", newPod("b-1", "1", "1Gi"))
	if reason == v1alpha1.RemovalDrifted {
		c.claims["claim-n1"].Status.Conditions = conditions(karpv1.ConditionTypeInitialized, karpv1.ConditionTypeDrifted)
	}
	p := newPlan()
	p.remove("n1", "default", reason, 0.2, 1, toNode("a-1", "n2"))
	p.keep(v1alpha1.KeptNoRoom, "n2")
	p.Steps = []v1alpha1.Step{{Step: 1, Remove: []string{"n1"}}}
	p.cost(0.4, 0.2, 0.01/24, 0, 0)
	return c, p
}

// TestProtections changes one thing in the pair, and asks which rule then
// forbids to remove n1 to save money, and which to remove it as drifted.
func TestProtections(t *testing.T) {
	t.Parallel()
	protect := func(value string) func(*cluster) {
		return func(c *cluster) {
			c.pods["a-1"].Annotations = map[string]string{karpv1.DoNotDisruptAnnotationKey: value}
		}
	}
	grace := func(change func(*cluster)) func(*cluster) {
		return func(c *cluster) {
			change(c)
			c.claims["claim-n1"].Spec.TerminationGracePeriod = &metav1.Duration{Duration: time.Hour}
		}
	}
	shut := func(c *cluster) { c.budget("a", 0) }
	job := func(c *cluster) {
		c.Policy.ProtectJobs = ptr.To(true)
		o := &c.pods["a-1"].OwnerReferences[0]
		o.APIVersion, o.Kind = "batch/v1", "Job"
	}
	bare := func(c *cluster) { c.pods["a-1"].OwnerReferences = nil }
	budgets := func(b ...karpv1.Budget) func(*cluster) {
		return func(c *cluster) { c.pools["default"].Spec.Disruption.Budgets = b }
	}
	window := func(w ...v1alpha1.Window) func(*cluster) {
		return func(c *cluster) { c.Policy.Windows = w }
	}
	open := v1alpha1.Allow{Schedule: "0 8 * * *", Duration: metav1.Duration{Duration: 2 * time.Hour}}
	closed := v1alpha1.Allow{Schedule: "0 8 * * *", Duration: metav1.Duration{Duration: time.Hour}}
	berlin := v1alpha1.Allow{Schedule: "30 9 * * *", TimeZone: "Europe/Berlin", Duration: metav1.Duration{Duration: time.Hour}}

	for _, tt := range []struct {
		name            string
		change          func(*cluster)
		saving, drifted string // the rule, or empty if the node may go
	}{
		{"nothing", func(*cluster) {}, "", ""},
		{"no pool manages it", func(c *cluster) { delete(c.nodes["n1"].Labels, karpv1.NodePoolLabelKey) }, verify.RuleNotManaged, verify.RuleNotManaged},
		{"the node is on hold", annotateNode(v1alpha1.AnnotationHold), verify.RuleHold, verify.RuleHold},
		{"the pool is on hold", func(c *cluster) {
			c.pools["default"].Annotations = map[string]string{v1alpha1.AnnotationHold: "true"}
		}, verify.RuleHold, verify.RuleHold},
		{"drift is only reported", func(c *cluster) { c.Policy.Drift = v1alpha1.DriftReport }, "", verify.RuleDriftReported},
		{"a bare pod", bare, verify.RuleUnmovablePod, verify.RuleUnmovablePod},
		{"a bare pod, grace period", grace(bare), verify.RuleUnmovablePod, ""},
		{"a bare pod that may be evicted", func(c *cluster) { bare(c); c.Policy.EvictBarePods = ptr.To(true) }, "", ""},
		{"the node is not to be disrupted", annotateNode(karpv1.DoNotDisruptAnnotationKey), verify.RuleDoNotDisrupt, verify.RuleDoNotDisrupt},
		{"a pod is not to be disrupted", protect("true"), verify.RuleDoNotDisrupt, verify.RuleDoNotDisrupt},
		{"a pod is not to be disrupted, grace period", grace(protect("true")), verify.RuleDoNotDisrupt, ""},
		{"a pod is not to be disrupted for two hours", protect("2h"), verify.RuleDoNotDisrupt, verify.RuleDoNotDisrupt},
		{"a pod was not to be disrupted for half an hour", protect("30m"), "", ""},
		{"a pod is not to be disrupted for a time nobody can read", protect("soon"), "", ""},
		{"a job is protected", job, verify.RuleProtectedJob, verify.RuleProtectedJob},
		{"a job is protected, grace period", grace(job), verify.RuleProtectedJob, ""},
		{"a pod budget is used up", shut, verify.RulePodDisruptionBudget, verify.RulePodDisruptionBudget},
		{"a pod budget is used up, grace period", grace(shut), verify.RulePodDisruptionBudget, ""},
		{"a pod has two budgets", func(c *cluster) {
			c.budget("a", 9)
			c.budget("a", 9).Name = "a2"
		}, verify.RulePodDisruptionBudget, verify.RulePodDisruptionBudget},
		{"a pod budget is used up by pods that are not ready", func(c *cluster) {
			c.budget("a", 0).Spec.UnhealthyPodEvictionPolicy = ptr.To(policyv1.AlwaysAllow)
			c.pods["a-1"].Status.Conditions = nil
		}, "", ""},
		{"a pod is nominated to the node", func(c *cluster) {
			p := newPod("p-1", "1", "1Gi")
			p.Status.NominatedNodeName = "n1"
			c.add(p)
		}, verify.RuleNominated, verify.RuleNominated},
		{"the policy does not consolidate", func(c *cluster) { c.Policy.Consolidate = ptr.To(false) }, verify.RuleConsolidationOff, ""},
		{"the pool never consolidates", func(c *cluster) {
			c.pools["default"].Spec.Disruption.ConsolidateAfter = karpv1.MustParseNillableDuration("Never")
		}, verify.RuleNotConsolidatable, ""},
		{"the pool consolidates empty nodes only", func(c *cluster) {
			c.pools["default"].Spec.Disruption.ConsolidationPolicy = karpv1.ConsolidationPolicyWhenEmpty
		}, verify.RuleNotConsolidatable, ""},
		{"the claim is not consolidatable", func(c *cluster) {
			x := c.claims["claim-n1"]
			x.Status.Conditions = x.Status.Conditions[:1]
			x.Status.Conditions = append(x.Status.Conditions, conditions(karpv1.ConditionTypeDrifted)...)
		}, verify.RuleNotConsolidatable, ""},
		{"the pool is of a fixed size", func(c *cluster) { c.pools["default"].Spec.Replicas = ptr.To[int64](2) }, verify.RuleNotConsolidatable, ""},
		{"a pod came lately", func(c *cluster) {
			c.Policy.QuietPeriod = &metav1.Duration{Duration: 10 * time.Minute}
			c.claims["claim-n1"].Status.LastPodEventTime = ago(9 * time.Minute)
		}, verify.RuleQuietPeriod, ""},
		{"a pod came some time ago", func(c *cluster) {
			c.Policy.QuietPeriod = &metav1.Duration{Duration: 10 * time.Minute}
			c.claims["claim-n1"].Status.LastPodEventTime = ago(10 * time.Minute)
		}, "", ""},
		{"a window is open", window(v1alpha1.Window{Allow: []v1alpha1.Allow{closed, open}}), "", ""},
		{"a window is closed", window(v1alpha1.Window{Allow: []v1alpha1.Allow{closed}}), verify.RuleWindow, verify.RuleWindow},
		{"one of two windows is closed", window(v1alpha1.Window{Allow: []v1alpha1.Allow{open}}, v1alpha1.Window{Allow: []v1alpha1.Allow{closed}}), verify.RuleWindow, verify.RuleWindow},
		{"a window of another pool is closed", window(v1alpha1.Window{NodePools: []string{"other"}, Allow: []v1alpha1.Allow{closed}}), "", ""},
		{"a window of drift is closed", window(v1alpha1.Window{Reasons: []string{"Drifted"}, Allow: []v1alpha1.Allow{closed}}), "", verify.RuleWindow},
		{"a window is open in Berlin", window(v1alpha1.Window{Allow: []v1alpha1.Allow{berlin}}), "", ""},
		{"a window that nobody can read", window(v1alpha1.Window{Allow: []v1alpha1.Allow{{Schedule: "often"}}}), verify.RuleWindow, verify.RuleWindow},
		{"a window in no zone", window(v1alpha1.Window{Allow: []v1alpha1.Allow{{Schedule: "* * * * *", TimeZone: "Mars", Duration: open.Duration}}}), verify.RuleWindow, verify.RuleWindow},
		{"a budget of none", budgets(karpv1.Budget{Nodes: "0"}), verify.RuleBudget, verify.RuleBudget},
		{"a budget of ten percent, rounded up", budgets(karpv1.Budget{Nodes: "10%"}), "", ""},
		{"a budget of none for drift", budgets(karpv1.Budget{Nodes: "0", Reasons: []karpv1.DisruptionReason{karpv1.DisruptionReasonDrifted}}), "", verify.RuleBudget},
		{"a budget of none within its schedule", budgets(scheduled("0", "0 8 * * *", 2*time.Hour)), verify.RuleBudget, verify.RuleBudget},
		{"a budget of none beyond its schedule", budgets(scheduled("0", "0 8 * * *", time.Hour)), "", ""},
		{"a budget of none from just now", budgets(scheduled("0", "0 9 * * *", time.Minute)), verify.RuleBudget, verify.RuleBudget},
		{"a budget that nobody can read", budgets(scheduled("5", "often", time.Hour)), verify.RuleBudget, verify.RuleBudget},
		{"a budget of half a node", budgets(karpv1.Budget{Nodes: "half"}), verify.RuleBudget, verify.RuleBudget},
		{"no budget", budgets([]karpv1.Budget{}...), "", ""},
		{"a budget that a node which is not ready has used", func(c *cluster) {
			budgets(karpv1.Budget{Nodes: "1"})(c)
			c.run("n3", "s", "default").Status.Conditions[0] = corev1.NodeCondition{
				Type: corev1.NodeReady, Status: corev1.ConditionUnknown, LastTransitionTime: ago(time.Minute),
			}
		}, verify.RuleBudget, verify.RuleBudget},
	} {
		for reason, want := range map[string]string{v1alpha1.RemovalUnderutilized: tt.saving, v1alpha1.RemovalDrifted: tt.drifted} {
			t.Run(reason+" though "+tt.name, func(t *testing.T) {
				t.Parallel()
				c, p := pair(reason)
				tt.change(c)
				if _, more := c.nodes["n3"]; more {
					p.keep(v1alpha1.KeptOptimal, "n3")
					p.cost(0.6, 0.4, 0.01/24, 0, 0)
				}
				if want == "" {
					require.Empty(t, verify.Plan(c.Snapshot, p.Plan))
				} else {
					require.Equal(t, []string{want}, rulesOf(c, p))
				}
			})
		}
	}
}

func annotateNode(key string) func(*cluster) {
	return func(c *cluster) { c.nodes["n1"].Annotations = map[string]string{key: "true"} }
}

func scheduled(nodes, schedule string, d time.Duration) karpv1.Budget {
	return karpv1.Budget{Nodes: nodes, Schedule: &schedule, Duration: &metav1.Duration{Duration: d}}
}

// TestForcedRemovals: nodes that go anyway go past everything that protects others.
func TestForcedRemovals(t *testing.T) {
	t.Parallel()
	for reason, change := range map[string]func(*cluster){
		v1alpha1.RemovalDeleted:     func(c *cluster) { c.claims["claim-n1"].DeletionTimestamp = ptr.To(ago(time.Minute)) },
		v1alpha1.RemovalExpired:     func(c *cluster) { c.claims["claim-n1"].Spec.ExpireAfter = karpv1.MustParseNillableDuration("24h") },
		v1alpha1.RemovalInterrupted: func(c *cluster) { annotateNode(v1alpha1.AnnotationInterruption)(c) },
		v1alpha1.RemovalUnhealthy: func(c *cluster) {
			c.nodes["n1"].Status.Conditions[0] = corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionFalse, LastTransitionTime: ago(30 * time.Minute)}
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			c, p := pair(reason)
			change(c)
			p.cost(0.4, 0.2, 0, 0, 0) // its evictions are not charged
			c.pools["default"].Annotations = map[string]string{v1alpha1.AnnotationHold: "true"}
			c.pools["default"].Spec.Disruption.Budgets = []karpv1.Budget{{Nodes: "0"}}
			c.pods["a-1"].Annotations = map[string]string{karpv1.DoNotDisruptAnnotationKey: "true"}
			c.budget("a", 0)
			c.Policy.Consolidate = ptr.To(false)
			require.Empty(t, verify.Plan(c.Snapshot, p.Plan))
		})
	}
}

func TestInterruptionTaints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		taint, capacityType string
		want                []string
	}{
		{"aws-node-termination-handler/spot-itn", "spot", nil},
		{"cloud.google.com/impending-node-termination", "on-demand", nil},
		{"remediator.kubernetes.azure.com/unschedulable", "spot", nil},
		{"remediator.kubernetes.azure.com/unschedulable", "on-demand", []string{verify.RuleRemovalReason}},
		{"example.com/rain", "spot", []string{verify.RuleRemovalReason}},
	} {
		c, p := pair(v1alpha1.RemovalInterrupted)
		c.nodes["n1"].Spec.Taints = []corev1.Taint{{Key: tt.taint, Effect: corev1.TaintEffectNoSchedule}}
		c.nodes["n1"].Labels[karpv1.CapacityTypeLabelKey] = tt.capacityType
		price := map[string]float64{"spot": 0.05, "on-demand": 0.2}[tt.capacityType]
		p.Removals[0].PricePerHour = price
		moves := 0.0
		if tt.want != nil {
			moves = 0.01 / 24
		}
		p.cost(price+0.2, 0.2, moves, 0, 0)
		require.Equal(t, tt.want, rulesOf(c, p), "%s on %s", tt.taint, tt.capacityType)
	}
}

func TestUnknownPriceKeepsANode(t *testing.T) {
	t.Parallel()
	c, p := pair(v1alpha1.RemovalUnderutilized)
	c.nodes["n1"].Labels[corev1.LabelTopologyZone] = "z9"
	p.cost(0.2, 0.2, 0.01/24, 0, 0)
	require.Equal(t, []string{verify.RuleUnknownPrice}, rulesOf(c, p))
}

func TestNodesOnTheirWayAreNotRemoved(t *testing.T) {
	t.Parallel()
	c, p := pair(v1alpha1.RemovalUnderutilized)
	delete(c.nodes["n1"].Labels, karpv1.NodeInitializedLabelKey)
	c.claims["claim-n1"].Status.Conditions = conditions(karpv1.ConditionTypeConsolidatable)
	require.Equal(t, []string{verify.RuleNotInitialized}, rulesOf(c, p))
}

// TestNestedBudgets: reasons are taken from the tightest budget up, each covering all removals so far.
func TestNestedBudgets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		drift, all string
		want       []string
	}{
		{"1", "2", nil},
		{"1", "1", []string{verify.RuleBudget}},
		{"0", "2", []string{verify.RuleBudget}},
	} {
		c, p := pair(v1alpha1.RemovalUnderutilized)
		c.run("n3", "s", "default")
		c.claims["claim-n3"].Status.Conditions = conditions(karpv1.ConditionTypeInitialized, karpv1.ConditionTypeDrifted)
		p.remove("n3", "default", v1alpha1.RemovalDrifted, 0.2, 1)
		p.Steps[0].Remove = []string{"n1", "n3"}
		p.cost(0.6, 0.2, 0.01/24, 0, 0)
		c.pools["default"].Spec.Disruption.Budgets = []karpv1.Budget{
			{Nodes: tt.drift, Reasons: []karpv1.DisruptionReason{karpv1.DisruptionReasonDrifted}}, {Nodes: tt.all},
		}
		require.Equal(t, tt.want, rulesOf(c, p), "%s of drift, %s in all", tt.drift, tt.all)
	}
}
