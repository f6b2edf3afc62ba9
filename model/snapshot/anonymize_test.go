package snapshot

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

// shop is a cluster that uses names in every way that a plan knows.
const shop = `
apiVersion: mortise.dev/v1alpha1
kind: Snapshot
time: "2026-12-01T09:00:00Z"
instanceTypes:
- name: small
  requirements:
  - {key: kubernetes.io/arch, operator: In, values: [amd64]}
  - {key: acme.com/disk, operator: In, values: [fast]}
  capacity: {cpu: "4", memory: 16Gi, pods: "110"}
  nodeClasses: [acme-class]
  offerings:
  - {zone: z1, capacityType: on-demand, price: 0.2}
  - {zone: z1, capacityType: reserved, price: 0, reservation: {id: cr-acme, count: 1}}
policy:
  nodeFees: [{selector: {matchLabels: {acme.com/team: payments}}, fee: 0.1}]
  windows: [{nodePools: [acme-pool], reasons: [Drifted], allow: [{schedule: "0 2 * * *", timeZone: Europe/Paris, duration: 2h}]}]
  schedulerNames: [default-scheduler, acme-scheduler]
  limits: {cpu: "100", nodes: "10"}
objects:
- apiVersion: karpenter.sh/v1
  kind: NodePool
  metadata: {name: acme-pool, annotations: {mortise.dev/price-limit: "5.0", owner: jane}}
  spec:
    template:
      metadata: {labels: {acme.com/team: payments}}
      spec:
        nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: acme-class}
        taints: [{key: acme.com/dedicated, value: payments, effect: NoSchedule}]
        requirements:
        - {key: acme.com/size, operator: Gt, values: ["3"]}
        - {key: karpenter.k8s.aws/instance-family, operator: In, values: [m6i]}
- apiVersion: v1
  kind: Node
  metadata:
    name: ip-10-0-3-7.ec2.internal
    labels:
      kubernetes.io/hostname: ip-10-0-3-7.ec2.internal
      karpenter.sh/nodepool: acme-pool
      karpenter.k8s.aws/ec2nodeclass: acme-class
      node.kubernetes.io/instance-type: small
      topology.kubernetes.io/zone: z1
      acme.com/size: "4"
  spec: {providerID: "aws:///z1/i-0acme", taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
- apiVersion: v1
  kind: Pod
  metadata:
    namespace: payments
    name: db-1
    labels: {app.kubernetes.io/name: db, app: db, statefulset.kubernetes.io/pod-name: db-1}
    annotations: {karpenter.sh/do-not-disrupt: "true", note: call jane}
    ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u-1, controller: true}]
  spec:
    nodeName: ip-10-0-3-7.ec2.internal
    priorityClassName: system-cluster-critical
    nodeSelector: {acme.com/size: "4"}
    tolerations: [{key: acme.com/dedicated, operator: Equal, value: payments}]
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [ip-10-0-3-7.ec2.internal]}]
            matchFields: [{key: metadata.name, operator: In, values: [ip-10-0-3-7.ec2.internal]}]
      podAntiAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
        - {topologyKey: kubernetes.io/hostname, namespaces: [payments], labelSelector: {matchExpressions: [{key: app, operator: In, values: [db]}]}}
    containers:
    - {name: db, image: acme/db, resources: {requests: {cpu: "1", nvidia.com/gpu: "1"}}, ports: [{containerPort: 80, hostPort: 80, hostIP: 0.0.0.0}]}
    volumes:
    - {name: data, persistentVolumeClaim: {claimName: data-db-1}}
    - {name: config, configMap: {name: acme-config}}
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: {namespace: payments, name: data-db-1}
  spec: {storageClassName: acme-fast}
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {namespace: payments, name: db}
  spec:
    replicas: 3
    selector: {matchLabels: {app: db}}
    template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db}]}}
    volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: acme-fast}}]
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {namespace: payments, name: db}
  spec: {minAvailable: 50%, selector: {matchLabels: {app: db}}}
`

func anonymizedShop(t *testing.T) *v1alpha1.Snapshot {
	t.Helper()
	s, warnings, err := Decode("shop", []byte(shop), time.Time{})
	require.NoError(t, err)
	require.Empty(t, warnings)
	return Anonymize(s)
}

func objectOf[T any](t *testing.T, s *v1alpha1.Snapshot) T {
	t.Helper()
	for i := range s.Objects {
		if o, ok := s.Objects[i].Object.(T); ok {
			return o
		}
	}
	t.Fatalf("no %T in the snapshot", *new(T))
	panic("unreachable")
}

func TestAnonymizeKeepsNamesConsistent(t *testing.T) {
	t.Parallel()
	s := anonymizedShop(t)
	node, pod, pool, claim := objectOf[*corev1.Node](t, s), objectOf[*corev1.Pod](t, s), objectOf[*karpv1.NodePool](t, s), objectOf[*corev1.PersistentVolumeClaim](t, s)

	for what, pair := range map[string][2]string{
		"the node of a pod":          {pod.Spec.NodeName, node.Name},
		"a hostname":                 {node.Labels[corev1.LabelHostname], node.Name},
		"a hostname asked for":       {nodeTerm(pod).MatchExpressions[0].Values[0], node.Name},
		"a node asked for":           {nodeTerm(pod).MatchFields[0].Values[0], node.Name},
		"the pool of a node":         {node.Labels[karpv1.NodePoolLabelKey], pool.Name},
		"the pool of a window":       {s.Policy.Windows[0].NodePools[0], pool.Name},
		"the node class of a node":   {node.Labels["karpenter.k8s.aws/ec2nodeclass"], pool.Spec.Template.Spec.NodeClassRef.Name},
		"the node class of a type":   {s.InstanceTypes[0].NodeClasses[0], pool.Spec.Template.Spec.NodeClassRef.Name},
		"the claim of a volume":      {pod.Spec.Volumes[0].PersistentVolumeClaim.ClaimName, claim.Name},
		"a pod's claim":              {claim.Name, pod.Spec.Volumes[0].Name + "-" + pod.Name},
		"a StatefulSet's pod":        {pod.Name, pod.OwnerReferences[0].Name + "-1"},
		"a pod's own label":          {pod.Labels["statefulset.kubernetes.io/pod-name"], pod.Name},
		"a namespace of an affinity": {hostTerm(pod).Namespaces[0], pod.Namespace},
		"a taint that is tolerated":  {pod.Spec.Tolerations[0].Key + pod.Spec.Tolerations[0].Value, pool.Spec.Template.Spec.Taints[0].Key + pool.Spec.Template.Spec.Taints[0].Value},
	} {
		require.Equal(t, pair[1], pair[0], what)
		require.NotEmpty(t, pair[0], what)
	}
	for key, value := range s.Policy.NodeFees[0].Selector.MatchLabels {
		require.Equal(t, value, pool.Spec.Template.Labels[key], "a label that is selected")
	}
	term := hostTerm(pod).LabelSelector.MatchExpressions[0]
	require.Equal(t, pod.Labels[term.Key], term.Values[0], "a label that is asked for")
}

func nodeTerm(p *corev1.Pod) corev1.NodeSelectorTerm {
	return p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0]
}

func hostTerm(p *corev1.Pod) corev1.PodAffinityTerm {
	return p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0]
}

func TestAnonymizeKeepsWhatMattersToAPlan(t *testing.T) {
	t.Parallel()
	s := anonymizedShop(t)
	for _, kept := range []string{
		"small", "m6i", `"z1"`, "on-demand", "reserved", "kubernetes.io/arch", "amd64", "Drifted", "0 2 * * *", "Europe/Paris", `"nodes"`,
		"default-scheduler", "system-cluster-critical", "nvidia.com/gpu", "0.0.0.0", "50%", `"5.0"`, "metadata.name", "EC2NodeClass",
		"node.kubernetes.io/unschedulable", `"karpenter.sh/do-not-disrupt":"true"`, "app.kubernetes.io/name",
	} {
		require.Contains(t, text(t, s), kept)
	}
	node, pool := objectOf[*corev1.Node](t, s), objectOf[*karpv1.NodePool](t, s)
	compared := pool.Spec.Template.Spec.Requirements[0]
	require.Equal(t, []string{"3"}, compared.Values, "a number that is compared")
	require.Equal(t, "4", node.Labels[compared.Key], "a number that it is compared with")
	for _, gone := range []string{"acme", "payments", "jane", "call", "10-0-3-7", "ec2.internal", "0acme", "cr-"} {
		require.NotContains(t, text(t, s), gone)
	}
}

func TestAnAnonymizedSnapshotIsReadAsItIs(t *testing.T) {
	t.Parallel()
	s := anonymizedShop(t)
	file, err := json.Marshal(s)
	require.NoError(t, err)
	read, warnings, err := Decode("file", file, time.Time{})
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Equal(t, Hash(s), Hash(read))
}

// TestWorkloadsExpandAlikeWithoutNames asks for the pods that are missing: they
// get the free ordinals, and claims that are named after them.
func TestWorkloadsExpandAlikeWithoutNames(t *testing.T) {
	t.Parallel()
	plain, _, err := Decode("shop", []byte(shop), time.Time{})
	require.NoError(t, err)
	s, _ := Expand(Anonymize(plain))
	db, pod := objectOf[*appsv1.StatefulSet](t, s).Name, objectOf[*corev1.Pod](t, s)
	data := pod.Spec.Volumes[0].Name
	var got []string
	for i := range s.Objects {
		switch o := s.Objects[i].Object.(type) {
		case *corev1.Pod, *corev1.PersistentVolumeClaim:
			got = append(got, o.(object).GetName())
		}
	}
	require.ElementsMatch(t, []string{
		db + "-0", db + "-1", db + "-2", data + "-" + db + "-0", data + "-" + db + "-1", data + "-" + db + "-2",
	}, got)
}

func TestTheImpliedPoolKeepsItsName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		objects string
		keeps   bool
	}{
		"no pool":                        {"[]", true},
		"the implied pool":               {`[{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: default, annotations: {mortise.dev/implied: "true"}}}]`, true},
		"a pool that a user called that": {"[{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: default}}]", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _, err := Decode(name, []byte(`{apiVersion: mortise.dev/v1alpha1, kind: Snapshot, time: "2026-12-01T09:00:00Z",
policy: {manage: [{selector: {matchLabels: {karpenter.sh/nodepool: default}}, nodePool: default}]}, objects: `+c.objects+"}"), time.Time{})
			require.NoError(t, err)
			anonymous := Anonymize(s)
			manage := anonymous.Policy.Manage[0]
			require.Equal(t, c.keeps, manage.NodePool == "default")
			require.Equal(t, manage.NodePool, manage.Selector.MatchLabels[karpv1.NodePoolLabelKey])
			for i := range anonymous.Objects {
				require.Equal(t, manage.NodePool, anonymous.Objects[i].Object.(*karpv1.NodePool).Name)
			}
		})
	}
}

// TestCatalogsSpeakOfFactsOnly: else a pool could no longer ask for what a
// built-in catalog says of its types.
func TestCatalogsSpeakOfFactsOnly(t *testing.T) {
	t.Parallel()
	for _, name := range catalog.Names() {
		c, err := catalog.Open(name)
		require.NoError(t, err)
		for i := range c.InstanceTypes {
			for _, r := range c.InstanceTypes[i].Requirements {
				require.True(t, isFact(r.Key), "catalog %s: %s", name, r.Key)
			}
		}
	}
}
