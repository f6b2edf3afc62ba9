package planner_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/solver"
)

// market is what can be bought: machines of 4 and 8 cores, spot at half the price.
const market = `
apiVersion: mortise.dev/v1alpha1
kind: Snapshot
time: "2026-12-01T09:00:00Z"
instanceTypes:
- name: m4
  capacity: {cpu: "4", memory: 16Gi, pods: "110"}
  offerings: [{zone: z1, capacityType: on-demand, price: 0.4}, {zone: z1, capacityType: spot, price: 0.2}]
- name: m8
  capacity: {cpu: "8", memory: 32Gi, pods: "110"}
  offerings: [{zone: z1, capacityType: on-demand, price: 0.9}]
`

// pool lets everything go.
const pool = `---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: example.com, kind: Class, name: default}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
  disruption: {consolidateAfter: 0s, budgets: [{nodes: 100%}]}
`

// node is an m4 of the pool that can be consolidated.
func node(name string) string {
	return `---
apiVersion: v1
kind: Node
metadata:
  name: ` + name + `
  labels: {karpenter.sh/nodepool: default, node.kubernetes.io/instance-type: m4, topology.kubernetes.io/zone: z1, karpenter.sh/capacity-type: on-demand,
    karpenter.sh/registered: "true", karpenter.sh/initialized: "true", kubernetes.io/hostname: ` + name + `, kubernetes.io/arch: amd64, kubernetes.io/os: linux}
status:
  capacity: {cpu: "4", memory: 16Gi, pods: "110"}
  allocatable: {cpu: "4", memory: 16Gi, pods: "110"}
  conditions: [{type: Ready, status: "True"}]
---
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: claim-` + name + `, creationTimestamp: "2026-11-01T00:00:00Z", labels: {karpenter.sh/nodepool: default}}
spec: {nodeClassRef: {group: example.com, kind: Class, name: default}, requirements: []}
status: {nodeName: ` + name + `, conditions: [{type: Initialized, status: "True"}, {type: Consolidatable, status: "True"}]}
`
}

// pod of so many cores runs on the node, or waits if that is empty.
func pod(name, cpu, on, more string) string {
	return `---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: ` + name + `, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: rs, uid: u, controller: true}]` + more + `}
spec: {nodeName: "` + on + `", containers: [{name: c, resources: {requests: {cpu: "` + cpu + `"}}}]}
status: {phase: Pending}
`
}

func read(t *testing.T, docs ...string) *v1alpha1.Snapshot {
	t.Helper()
	text := market
	for _, doc := range docs {
		text += doc
	}
	s, _, err := snapshot.Decode("test", []byte(text), time.Time{})
	require.NoError(t, err)
	return s
}

// planOf plans with the built-in engine.
func planOf(t *testing.T, s *v1alpha1.Snapshot, o planner.Options) *v1alpha1.Plan {
	t.Helper()
	o.Engine = solver.EngineBuiltin
	plan, err := planner.Plan(t.Context(), s, o)
	require.NoError(t, err)
	return plan
}

func TestAPlanSaysHowGoodItIs(t *testing.T) {
	t.Parallel()
	plan := planOf(t, read(t, pool, pod("a", "3", "", "")), planner.Options{Warnings: []string{"b", "a", "b"}})
	require.Equal(t, v1alpha1.Optimal, plan.Outcome)
	require.True(t, plan.Placement.Proved)
	require.Equal(t, "m4", plan.Launches[0].InstanceType)
	require.InDelta(t, 0.4, plan.Cost.Objective.LowerBound, 1e-6)
	require.InDelta(t, 0.4, plan.Cost.LowerBoundPerHour, 1e-6)
	require.InDelta(t, 0, plan.Cost.Gap, 1e-5)
	require.Equal(t, solver.EngineBuiltin, plan.Solver.Engine)
	require.Equal(t, 1, plan.Solver.Groups)
	require.Positive(t, plan.Solver.Seconds)
	require.Equal(t, []string{"a", "b"}, plan.Warnings, "what there was to say before, once")
}

func TestWorkloadsAreExpandedIfThePolicyAsks(t *testing.T) {
	t.Parallel()
	s := read(t, pool, `---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: shop, name: api}
spec:
  replicas: 2
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: c, resources: {requests: {cpu: "1"}}}]}
`)
	require.Empty(t, planOf(t, s, planner.Options{}).Placements)
	yes := true
	s.Policy.ExpandWorkloads = &yes
	require.Len(t, planOf(t, s, planner.Options{}).Placements, 2)
}

func TestEveryKeptNodeHasAReason(t *testing.T) {
	t.Parallel()
	all := 100.0
	for _, test := range []struct {
		name    string
		objects []string
		policy  v1alpha1.Policy
		want    string
	}{
		{"no plan is cheaper without it", []string{node("n1"), pod("a", "3", "n1", "")}, v1alpha1.Policy{}, v1alpha1.KeptOptimal},
		{"its pods have no other place", []string{node("n1"), strings.Replace(pod("a", "3", "n1", ""), "spec: {", "spec: {nodeSelector: {kubernetes.io/hostname: n1}, ", 1)},
			v1alpha1.Policy{}, v1alpha1.KeptNoRoom},
		{"it would go if savings asked for nothing", []string{node("n1"), node("n2"), pod("a", "1", "n1", ""), pod("b", "2", "n2", "")},
			v1alpha1.Policy{Savings: &v1alpha1.Savings{Percent: all}}, v1alpha1.KeptMinSavings},
		{"a rule that the snapshot names comes first", []string{node("n1"), node("n2"), pod("a", "1", "n1", `, annotations: {karpenter.sh/do-not-disrupt: "true"}`), pod("b", "4", "n2", "")},
			v1alpha1.Policy{}, v1alpha1.KeptDoNotDisrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := read(t, append([]string{pool}, test.objects...)...)
			s.Policy = test.policy
			plan := planOf(t, s, planner.Options{})
			require.NotEmpty(t, plan.Kept)
			require.Equal(t, test.want, plan.Kept[0].Reason, plan.Kept)
			require.NotEmpty(t, plan.Kept[0].Message)
		})
	}
}

func TestPotentialNamesWhatRulesHoldBack(t *testing.T) {
	t.Parallel()
	protected := `, annotations: {karpenter.sh/do-not-disrupt: "true"}`
	s := read(t, pool, node("n1"), node("n2"), pod("a", "1", "n1", protected), pod("b", "1", "n2", protected))
	plan := planOf(t, s, planner.Options{Potential: true})
	require.Empty(t, plan.Removals)
	require.InDelta(t, 0.8, plan.Cost.AfterPerHour, 1e-9)
	require.InDelta(t, 0.4, plan.Potential.AfterPerHour, 1e-9)
	require.InDelta(t, 0.4, plan.Potential.HeldBackBy[v1alpha1.KeptDoNotDisrupt], 1e-9)
	require.Len(t, plan.Potential.HeldBackBy, 1)
	require.Nil(t, planOf(t, s, planner.Options{}).Potential, "unless it is asked for")
}

func TestPoolWeightsHaveAPremium(t *testing.T) {
	t.Parallel()
	s := read(t, pool, `---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: preferred}
spec:
  weight: 10
  template:
    spec:
      nodeClassRef: {group: example.com, kind: Class, name: default}
      requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m8]}]
`, pod("a", "3", "", ""))
	s.Policy.PoolOrder = v1alpha1.PoolOrderWeight
	plan := planOf(t, s, planner.Options{Potential: true})
	require.Equal(t, "preferred", plan.Launches[0].NodePool)
	require.Equal(t, "PoolWeight", plan.Cost.Premiums[0].Cause)
	require.InDelta(t, 0.5, plan.Cost.Premiums[0].PerHour, 1e-9)
}

func TestPlanFailsWhereItsPartsDo(t *testing.T) {
	t.Parallel()
	s := read(t, pool, pod("a", "1", "", ""))
	_, err := planner.Plan(t.Context(), s, planner.Options{Engine: "gurobi"})
	require.ErrorContains(t, err, `engine "gurobi": expected one of auto, highs, cpsat, builtin`)

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = planner.Plan(canceled, s, planner.Options{Engine: solver.EngineBuiltin})
	require.ErrorIs(t, err, context.Canceled)
}
