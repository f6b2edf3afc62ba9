package snapshot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// docs joins YAML documents.
func docs(all ...string) string { return strings.Join(all, "\n---\n") }

const webTemplate = `{metadata: {labels: {app: web}}, spec: {containers: [{name: main, resources: {requests: {cpu: 100m}}}]}}`

func deployment(name string, replicas int) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec: {replicas: %d, template: %s}", name, replicas, webTemplate)
}

// ownedPod is a pod with a controller; status is the rest of its document.
func ownedPod(name, kind, owner, rest string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: %s, ownerReferences: [{apiVersion: apps/v1, kind: %s, name: %s, uid: u, controller: true}]%s", name, kind, owner, rest)
}

const (
	running   = "}\nstatus: {phase: Running}"
	failed    = "}\nstatus: {phase: Failed}"
	succeeded = "}\nstatus: {phase: Succeeded}"
	deleting  = `, deletionTimestamp: "2026-12-01T09:00:00Z"}` + "\nstatus: {phase: Running}"
)

func TestExpandAddsWhatWorkloadsAreMissing(t *testing.T) {
	set := func(kind, rest string) string {
		return fmt.Sprintf("apiVersion: apps/v1\nkind: %s\nmetadata: {name: web%s", kind, rest)
	}
	job := func(spec, rest string) string {
		return fmt.Sprintf("apiVersion: batch/v1\nkind: Job\nmetadata: {name: web}\nspec: {%s, template: %s}\n%s", spec, webTemplate, rest)
	}
	const ofWeb = ", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u, controller: true}]"
	for _, c := range []struct {
		name  string
		input string
		want  []string
	}{
		{"a new Deployment", deployment("web", 3), []string{"web-1", "web-2", "web-3"}},
		{"a Deployment without a replica count has one", strings.Replace(deployment("web", 3), "replicas: 3, ", "", 1), []string{"web-1"}},
		{"a Deployment that is scaled to nothing", deployment("web", 0), nil},
		{"names that are taken are not used", docs(deployment("web", 2), "apiVersion: v1\nkind: Pod\nmetadata: {name: web-1}"), []string{"web-2", "web-3"}},
		{
			"pods of the Deployment's ReplicaSets count, old and new",
			docs(deployment("web", 4), set("ReplicaSet", "-a"+ofWeb+"}\nspec: {replicas: 2}"), set("ReplicaSet", "-b"+ofWeb+"}\nspec: {replicas: 2}"),
				ownedPod("a1", "ReplicaSet", "web-a", running), ownedPod("b1", "ReplicaSet", "web-b", running)),
			[]string{"web-1", "web-2"},
		},
		{
			"pods of a ReplicaSet that the snapshot lacks count by their hash",
			docs(deployment("web", 2), ownedPod("web-x7-1", "ReplicaSet", "web-x7", ", labels: {pod-template-hash: x7}"+running)),
			[]string{"web-1"},
		},
		{
			"pods that are done or being deleted do not count",
			docs(deployment("web", 2), ownedPod("a", "Deployment", "web", failed), ownedPod("b", "Deployment", "web", deleting)),
			[]string{"web-1", "web-2"},
		},
		{"more pods than replicas", docs(deployment("web", 1), ownedPod("a", "Deployment", "web", running), ownedPod("b", "Deployment", "web", running)), nil},
		{"a Deployment that is being deleted", strings.Replace(deployment("web", 3), "name: web", `name: web, deletionTimestamp: "2026-12-01T09:00:00Z"`, 1), nil},
		{"a ReplicaSet on its own", set("ReplicaSet", "}\nspec: {replicas: 2, template: "+webTemplate+"}"), []string{"web-1", "web-2"}},
		{
			"a ReplicaSet of something else that the snapshot lacks",
			set("ReplicaSet", strings.Replace(ofWeb, "Deployment", "Rollout", 1)+"}\nspec: {replicas: 1, template: "+webTemplate+"}"), []string{"web-1"},
		},
		{
			"a ReplicationController",
			docs("apiVersion: v1\nkind: ReplicationController\nmetadata: {name: web}\nspec: {replicas: 2, template: "+webTemplate+"}", ownedPod("a", "ReplicationController", "web", running)),
			[]string{"web-1"},
		},
		{"a StatefulSet", set("StatefulSet", "}\nspec: {replicas: 2, template: "+webTemplate+"}"), []string{"web-0", "web-1"}},
		{"a StatefulSet that starts elsewhere", set("StatefulSet", "}\nspec: {replicas: 2, ordinals: {start: 5}, template: "+webTemplate+"}"), []string{"web-5", "web-6"}},
		{
			"a StatefulSet's pods that run or come back keep their names, those that are done do not",
			docs(set("StatefulSet", "}\nspec: {replicas: 4, template: "+webTemplate+"}"),
				ownedPod("web-0", "StatefulSet", "web", running), ownedPod("web-1", "StatefulSet", "web", deleting), ownedPod("web-2", "StatefulSet", "web", failed)),
			[]string{"web-2", "web-3"},
		},
		{"a StatefulSet goes before a Deployment of the same name", docs(deployment("web", 1), set("StatefulSet", "}\nspec: {replicas: 2, template: "+webTemplate+"}")), []string{"web-0", "web-1", "web-2"}},
		{"a Job", job("parallelism: 1", ""), []string{"web-1"}},
		{"a Job that runs in parallel", job("parallelism: 3, completions: 5", ""), []string{"web-1", "web-2", "web-3"}},
		{"a Job that is nearly done", job("parallelism: 3, completions: 5", "status: {succeeded: 4}"), []string{"web-1"}},
		{"a Job's pods that run or have succeeded count", docs(job("parallelism: 4, completions: 5", ""), ownedPod("a", "Job", "web", running), ownedPod("b", "Job", "web", succeeded), ownedPod("c", "Job", "web", succeeded)), []string{"web-1", "web-2"}},
		{"a queue of work that has begun to end", job("parallelism: 3", "status: {succeeded: 1}"), nil},
		{"a suspended Job", job("suspend: true", ""), nil},
		{"a complete Job", job("parallelism: 1", `status: {conditions: [{type: Complete, status: "True"}]}`), nil},
		{
			"an indexed Job goes on with the lowest indices",
			docs(job("parallelism: 3, completions: 9, completionMode: Indexed", `status: {succeeded: 3, completedIndexes: "0,2-3"}`),
				ownedPod("a", "Job", "web", ", annotations: {batch.kubernetes.io/job-completion-index: \"4\"}"+running)),
			[]string{"web-1", "web-5"},
		},
		{"DaemonSets are no workloads of this kind", set("DaemonSet", "}\nspec: {template: "+webTemplate+"}"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := mustDecode(t, c.input)
			hash := Hash(before)
			after, warnings := Expand(before)
			require.Empty(t, warnings)
			require.Equal(t, c.want, pendingIn(after))
			require.Equal(t, hash, Hash(before), "the input is not changed")

			again, _ := Expand(after)
			require.Equal(t, c.want, pendingIn(again), "what has been expanded is complete")
		})
	}
}

// pendingIn names the pods that were added, sorted.
func pendingIn(s *v1alpha1.Snapshot) []string {
	var names []string
	for _, p := range podsIn(s) {
		if p.Status.Phase == corev1.PodPending {
			names = append(names, p.Name)
		}
	}
	return names
}

func podsIn(s *v1alpha1.Snapshot) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, o := range s.Objects {
		if p, ok := o.Object.(*corev1.Pod); ok {
			pods = append(pods, p)
		}
	}
	sortByKey(pods)
	return pods
}

func TestExpandedPodsAreAsControllersAndAdmissionMakeThem(t *testing.T) {
	s, warnings := Expand(mustDecode(t, docs(
		"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1000\npreemptionPolicy: Never",
		"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: usual}\nvalue: 10\nglobalDefault: true",
		strings.Replace(deployment("web", 1), "spec: {containers", "spec: {priorityClassName: high, tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists}], containers", 1),
		deployment("usual", 1),
		strings.Replace(deployment("system", 1), "spec: {containers", "spec: {priorityClassName: system-node-critical, containers", 1),
	)))
	require.Empty(t, warnings)
	web := one[*corev1.Pod](t, s, "web-1")
	require.Equal(t, "default", web.Namespace)
	require.Equal(t, "web", web.Labels["app"])
	owner := metav1.GetControllerOf(web)
	require.Equal(t, "ReplicaSet", owner.Kind)
	require.Equal(t, "web-"+web.Labels["pod-template-hash"], owner.Name)
	require.Equal(t, ptr.To[int32](1000), web.Spec.Priority)
	require.Equal(t, ptr.To(corev1.PreemptNever), web.Spec.PreemptionPolicy)
	require.Equal(t, "default-scheduler", web.Spec.SchedulerName)
	require.Len(t, web.Spec.Tolerations, 2, "its own, and that of unreachable nodes")
	require.Equal(t, corev1.PodPending, web.Status.Phase)
	require.Equal(t, corev1.PodScheduled, web.Status.Conditions[0].Type)
	require.Equal(t, corev1.ConditionFalse, web.Status.Conditions[0].Status)
	require.Equal(t, corev1.PodReasonUnschedulable, web.Status.Conditions[0].Reason)
	require.True(t, web.CreationTimestamp.Time.Equal(aTuesday))

	usual := one[*corev1.Pod](t, s, "usual-1")
	require.Equal(t, ptr.To[int32](10), usual.Spec.Priority)
	require.Equal(t, "usual", usual.Spec.PriorityClassName)
	require.Equal(t, ptr.To[int32](2_000_001_000), one[*corev1.Pod](t, s, "system-1").Spec.Priority)
}

func TestNewPodsOfADeploymentJoinItsNewestReplicaSet(t *testing.T) {
	set := func(hash string, revision int) string {
		return fmt.Sprintf("apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web-%s, uid: uid-%s, labels: {pod-template-hash: %s}, annotations: {deployment.kubernetes.io/revision: %q}, "+
			"ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u, controller: true}]}\nspec: {replicas: 0}", hash, hash, hash, fmt.Sprint(revision))
	}
	s, _ := Expand(mustDecode(t, docs(deployment("web", 1), set("a", 9), set("b", 10), set("c", 2))))
	pod := one[*corev1.Pod](t, s, "web-1")
	require.Equal(t, "b", pod.Labels["pod-template-hash"])
	require.Equal(t, "web-b", metav1.GetControllerOf(pod).Name)
	require.Equal(t, "uid-b", string(metav1.GetControllerOf(pod).UID))
}

func TestStatefulSetsBringTheirClaims(t *testing.T) {
	s, warnings := Expand(mustDecode(t, docs(
		"apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: shop}\nspec: {replicas: 2, serviceName: db, selector: {matchLabels: {app: db}}, template: "+webTemplate+
			", volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}}]}",
		"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data-db-0, namespace: shop}\nspec: {storageClassName: old}",
		`apiVersion: storage.k8s.io/v1`+"\nkind: StorageClass\nmetadata: {name: gp3, annotations: {storageclass.kubernetes.io/is-default-class: \"true\"}}\nprovisioner: ebs.csi.aws.com",
	)))
	require.Empty(t, warnings)
	pod := one[*corev1.Pod](t, s, "db-1")
	require.Equal(t, "db-1", pod.Labels["statefulset.kubernetes.io/pod-name"])
	require.Equal(t, "1", pod.Labels["apps.kubernetes.io/pod-index"])
	require.Equal(t, "db-1", pod.Spec.Hostname)
	require.Equal(t, "data", pod.Spec.Volumes[0].Name)
	require.Equal(t, "data-db-1", pod.Spec.Volumes[0].PersistentVolumeClaim.ClaimName)

	require.Equal(t, "old", *one[*corev1.PersistentVolumeClaim](t, s, "data-db-0").Spec.StorageClassName, "a claim that is there stays")
	claim := one[*corev1.PersistentVolumeClaim](t, s, "data-db-1")
	require.Equal(t, "shop", claim.Namespace)
	require.Equal(t, "gp3", *claim.Spec.StorageClassName)
	require.Equal(t, "10Gi", claim.Spec.Resources.Requests.Storage().String())
	require.Equal(t, map[string]string{"app": "db"}, claim.Labels)
	require.Equal(t, corev1.ClaimPending, claim.Status.Phase)
}

func TestPodsOfAJobAreLabelled(t *testing.T) {
	s, _ := Expand(mustDecode(t, "apiVersion: batch/v1\nkind: Job\nmetadata: {name: sum, uid: u1}\nspec: {completions: 1, completionMode: Indexed, template: "+webTemplate+"}"))
	pod := one[*corev1.Pod](t, s, "sum-0")
	require.Equal(t, map[string]string{
		"app": "web", "job-name": "sum", "controller-uid": "u1",
		"batch.kubernetes.io/job-name": "sum", "batch.kubernetes.io/controller-uid": "u1", "batch.kubernetes.io/job-completion-index": "0",
	}, pod.Labels)
	require.Equal(t, "0", pod.Annotations["batch.kubernetes.io/job-completion-index"])
}

func TestExpandWarns(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{
			"a priority class that is not there", strings.Replace(deployment("web", 2), "spec: {containers", "spec: {priorityClassName: high, containers", 1),
			"PriorityClass high is not in the snapshot: priority 0 is assumed for the pods of workloads that name it",
		},
		{
			"a Job of another controller", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec: {managedBy: kueue.x-k8s.io/multikueue, template: " + webTemplate + "}",
			"Job default/train is managed by kueue.x-k8s.io/multikueue: its pods are not expanded",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, warnings := Expand(mustDecode(t, c.input))
			require.Equal(t, []string{c.want}, warnings)
		})
	}
}

func TestAnAbsurdReplicaCountDoesNotFillTheMemory(t *testing.T) {
	s, warnings := Expand(mustDecode(t, docs(deployment("web", 2_000_000_000), deployment("zoo", 2_000_000_000))))
	require.Len(t, podsIn(s), mostExpandedPods)
	require.Equal(t, []string{"workloads are missing more than 150000 pods: the rest is left out"}, warnings)
}

func TestExpandDoesNotDependOnOrder(t *testing.T) {
	a, b := deployment("web", 3), docs(deployment("db", 2), "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec: {replicas: 2, template: "+webTemplate+"}")
	one := mustDecode(t, docs(a, b))
	two := mustDecode(t, docs(b, a))
	for i, j := 0, len(two.Objects)-1; i < j; i, j = i+1, j-1 {
		two.Objects[i], two.Objects[j] = two.Objects[j], two.Objects[i]
	}
	first, _ := Expand(one)
	second, _ := Expand(two)
	require.Equal(t, Hash(first), Hash(second))
	require.WithinDuration(t, aTuesday, podsIn(first)[0].CreationTimestamp.Time, time.Second)
}
