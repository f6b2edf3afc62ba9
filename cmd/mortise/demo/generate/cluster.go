package main

// machine is a node of the example.
type machine struct {
	// Short is how the table of apps calls it.
	Short, Name, Pool, Type, Zone string
	// Days is its age.
	Days int
}

// machines are a fleet that has grown by hand and by Karpenter: older types, more room than is asked for.
var machines = []machine{
	{"g1", "ip-10-0-16-21", "general", "m5.2xlarge", "us-east-1a", 20},
	{"g2", "ip-10-0-48-77", "general", "m5.2xlarge", "us-east-1b", 20},
	{"g3", "ip-10-0-80-103", "general", "m5.2xlarge", "us-east-1c", 19},
	{"g4", "ip-10-0-20-9", "general", "m5.xlarge", "us-east-1a", 12},
	{"g5", "ip-10-0-52-140", "general", "m5.xlarge", "us-east-1b", 12},
	{"g6", "ip-10-0-84-33", "general", "m5.xlarge", "us-east-1c", 11},
	{"g7", "ip-10-0-24-64", "general", "c5.2xlarge", "us-east-1a", 6},
	{"g8", "ip-10-0-56-18", "general", "r5.xlarge", "us-east-1b", 6},
	{"g9", "ip-10-0-88-201", "general", "m5.large", "us-east-1c", 2},
	{"b1", "ip-10-0-28-52", "batch", "c5.2xlarge", "us-east-1a", 1},
	{"s1", "ip-10-0-32-11", "", "m6i.large", "us-east-1a", 60},
	{"s2", "ip-10-0-64-12", "", "m6i.large", "us-east-1b", 60},
}

// app is a workload of the example.
type app struct {
	Namespace, Name, Kind string
	CPU, Memory           string // of each pod
	// On lists its running pods by their machines; waiting pods are on "-".
	On []string
	// Spec is what else its pods' specs say, Annotations what their metadata says.
	Spec, Annotations string
}

const (
	deployment  = "ReplicaSet"
	statefulSet = "StatefulSet"
	job         = "Job"
	daemonSet   = "DaemonSet"
)

// critical lets a pod run on the nodes of the cluster's own services.
const critical = "tolerations: [{key: CriticalAddonsOnly, operator: Exists}]"

var apps = []app{
	{Namespace: "shop", Name: "web", Kind: deployment, CPU: "500m", Memory: "512Mi", On: on("g1 g1 g2 g3 g4 g6")},
	{Namespace: "shop", Name: "cart", Kind: deployment, CPU: "500m", Memory: "1Gi", On: on("g1 g2 g3 g5")},
	{Namespace: "shop", Name: "checkout", Kind: deployment, CPU: "750m", Memory: "1Gi", On: on("g1 g2 g6")},
	{Namespace: "shop", Name: "products", Kind: deployment, CPU: "500m", Memory: "1Gi", On: on("g2 g3 g4 g7")},
	{Namespace: "shop", Name: "search", Kind: deployment, CPU: "1500m", Memory: "4Gi", On: on("g1 g3 g7 - - -")},
	{Namespace: "shop", Name: "recommendations", Kind: deployment, CPU: "1", Memory: "3Gi", On: on("g2 g7")},
	{
		Namespace: "shop", Name: "redis", Kind: statefulSet, CPU: "500m", Memory: "3Gi", On: on("g3 g5 g8"),
		Spec: "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" +
			"{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: redis}}}]}}",
	},
	{Namespace: "payments", Name: "api", Kind: deployment, CPU: "500m", Memory: "768Mi", On: on("g4 g6 g9")},
	{Namespace: "payments", Name: "ledger", Kind: deployment, CPU: "1", Memory: "4Gi", On: on("g8 g8")},
	{
		Namespace: "payments", Name: "migration", Kind: job, CPU: "500m", Memory: "1Gi", On: on("g5"),
		Annotations: `karpenter.sh/do-not-disrupt: "true"`,
	},
	{Namespace: "observability", Name: "prometheus", Kind: statefulSet, CPU: "1", Memory: "6Gi", On: on("g8")},
	{Namespace: "observability", Name: "grafana", Kind: deployment, CPU: "250m", Memory: "512Mi", On: on("g9")},
	{Namespace: "observability", Name: "loki", Kind: statefulSet, CPU: "500m", Memory: "2Gi", On: on("g4 g7")},
	{Namespace: "observability", Name: "otel-collector", Kind: deployment, CPU: "250m", Memory: "512Mi", On: on("g1 g5 g6")},
	{
		Namespace: "reports", Name: "nightly", Kind: job, CPU: "3", Memory: "5Gi", On: on("b1"),
		Spec: "nodeSelector: {workload: batch}\n  tolerations: [{key: workload, value: batch, effect: NoSchedule}]",
	},
	// Nothing that the node pools allow has a GPU.
	{
		Namespace: "reports", Name: "embeddings", Kind: job, CPU: "4", Memory: `16Gi, nvidia.com/gpu: "1"`, On: on("-"),
	},
	{Namespace: "kube-system", Name: "coredns", Kind: deployment, CPU: "100m", Memory: "70Mi", On: on("s1 s2"), Spec: critical},
	{Namespace: "kube-system", Name: "karpenter", Kind: deployment, CPU: "1", Memory: "1Gi", On: on("s1 s2"), Spec: critical},
	{Namespace: "kube-system", Name: "metrics-server", Kind: deployment, CPU: "100m", Memory: "200Mi", On: on("s1 s2"), Spec: critical},
	{Namespace: "kube-system", Name: "aws-node", Kind: daemonSet, CPU: "50m", Memory: "64Mi", On: on("g1 g2 g3 g4 g5 g6 g7 g8 g9 b1 s1 s2")},
}
