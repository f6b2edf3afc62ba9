package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func container(pairs ...string) corev1.Container {
	return corev1.Container{Resources: corev1.ResourceRequirements{Requests: amountsOf(pairs...)}}
}

func sidecar(pairs ...string) corev1.Container {
	c := container(pairs...)
	c.RestartPolicy = ptr.To(corev1.ContainerRestartPolicyAlways)
	return c
}

func limited(pairs ...string) corev1.Container {
	return corev1.Container{Resources: corev1.ResourceRequirements{Limits: amountsOf(pairs...)}}
}

func limitRange(name string, item corev1.LimitRangeItem) *corev1.LimitRange {
	lr := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	lr.Spec.Limits = []corev1.LimitRangeItem{item}
	return lr
}

func TestRequests(t *testing.T) {
	t.Parallel()
	kata := &nodev1.RuntimeClass{
		ObjectMeta: metav1.ObjectMeta{Name: "kata"}, Handler: "kata",
		Overhead: &nodev1.Overhead{PodFixed: amountsOf("cpu", "250m")},
	}
	for _, test := range []struct {
		name   string
		spec   corev1.PodSpec
		others []any
		want   corev1.ResourceList
	}{
		{"a pod takes a slot", corev1.PodSpec{Containers: []corev1.Container{container()}}, nil, amountsOf("pods", "1")},
		{
			"containers add up",
			corev1.PodSpec{Containers: []corev1.Container{container("cpu", "1", "memory", "1Gi"), container("cpu", "500m")}}, nil,
			amountsOf("cpu", "1500m", "memory", "1Gi", "pods", "1"),
		},
		{
			"an init container counts if it needs more",
			corev1.PodSpec{InitContainers: []corev1.Container{container("cpu", "2", "memory", "1Mi")}, Containers: []corev1.Container{container("cpu", "1", "memory", "2Mi")}}, nil,
			amountsOf("cpu", "2", "memory", "2Mi", "pods", "1"),
		},
		{
			"a sidecar runs along, and beside later init containers",
			corev1.PodSpec{InitContainers: []corev1.Container{sidecar("cpu", "1"), container("cpu", "3")}, Containers: []corev1.Container{container("cpu", "1")}}, nil,
			amountsOf("cpu", "4", "pods", "1"),
		},
		{
			"overhead is added",
			corev1.PodSpec{Overhead: amountsOf("cpu", "100m"), Containers: []corev1.Container{container("cpu", "1")}}, nil,
			amountsOf("cpu", "1100m", "pods", "1"),
		},
		{
			"the runtime class has it where the pod does not",
			corev1.PodSpec{RuntimeClassName: ptr.To("kata"), Containers: []corev1.Container{container("cpu", "1")}}, []any{kata},
			amountsOf("cpu", "1250m", "pods", "1"),
		},
		{
			"and not where the pod does",
			corev1.PodSpec{RuntimeClassName: ptr.To("kata"), Overhead: amountsOf("cpu", "100m"), Containers: []corev1.Container{container("cpu", "1")}}, []any{kata},
			amountsOf("cpu", "1100m", "pods", "1"),
		},
		{
			"the pod's own request stands for its containers'",
			corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: amountsOf("cpu", "3")}, Containers: []corev1.Container{container("cpu", "1", "memory", "1Gi")}}, nil,
			amountsOf("cpu", "3", "memory", "1Gi", "pods", "1"),
		},
		{
			"extended resources, huge pages and disk count",
			corev1.PodSpec{Containers: []corev1.Container{container("vendor.example/gpu", "2", "hugepages-2Mi", "4Mi", "ephemeral-storage", "1Gi")}}, nil,
			amountsOf("vendor.example/gpu", "2", "hugepages-2Mi", "4Mi", "ephemeral-storage", "1Gi", "pods", "1"),
		},
		{
			"a limit stands in for a request",
			corev1.PodSpec{Containers: []corev1.Container{limited("cpu", "2")}}, nil,
			amountsOf("cpu", "2", "pods", "1"),
		},
		{
			"a limit range's default request fills in",
			corev1.PodSpec{Containers: []corev1.Container{container("memory", "1Gi"), container("cpu", "1")}},
			[]any{limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: amountsOf("cpu", "100m")})},
			amountsOf("cpu", "1100m", "memory", "1Gi", "pods", "1"),
		},
		{
			"its default limit does where there is no default request",
			corev1.PodSpec{Containers: []corev1.Container{container()}},
			[]any{limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: amountsOf("cpu", "300m")})},
			amountsOf("cpu", "300m", "pods", "1"),
		},
		{
			"a limit comes before a limit range",
			corev1.PodSpec{Containers: []corev1.Container{limited("cpu", "2")}},
			[]any{limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: amountsOf("cpu", "100m")})},
			amountsOf("cpu", "2", "pods", "1"),
		},
		{
			"a limit range for pods gives containers nothing",
			corev1.PodSpec{Containers: []corev1.Container{container()}},
			[]any{limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypePod, DefaultRequest: amountsOf("cpu", "100m")})},
			amountsOf("pods", "1"),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := waits("p", 0)
			p.Spec = test.spec
			c := compileOf(t, append(test.others, p, sold("m", 4))...)
			got := c.requests(c.cluster.pods[0])
			require.Len(t, got, len(test.want))
			for name, want := range test.want {
				q := got[name]
				require.Zero(t, q.Cmp(want), "%s: got %s, want %s", name, q.String(), want.String())
			}
		})
	}
}

func TestResizedPodsCountWithTheLargerAmount(t *testing.T) {
	t.Parallel()
	p := waits("p", 1000)
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "main", Resources: &corev1.ResourceRequirements{Requests: amountsOf("cpu", "2")}, AllocatedResources: amountsOf("cpu", "2"),
	}}
	q := podRequests(p)[corev1.ResourceCPU]
	require.Equal(t, "2", q.String())
}

func TestResourcesOfTheProblem(t *testing.T) {
	t.Parallel()
	c := compileOf(t, sold("m", 4), nodePool("default"), waits("p", 1500, func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Requests["vendor.example/none"] = amountsOf("n", "0")["n"]
	}), v1alpha1.Policy{Limits: amountsByName("memory", "64Gi")})
	require.Equal(t, []string{"cpu", "memory", "pods"}, c.Problem.Resources, "what is asked for or limited, by name")
	require.EqualValues(t, []int64{1500, 0, 1}, c.Problem.Groups[0].Request, "millicores, bytes, pieces")
	require.EqualValues(t, []int64{4000, 16 << 30, 110}, c.Problem.Shapes[0].Capacity)
}

func TestAllocatableIsCapacityWithoutOverheadAndHugePages(t *testing.T) {
	t.Parallel()
	it := sold("m", 4, func(it *v1alpha1.InstanceType) {
		it.Capacity["hugepages-2Mi"] = amountsOf("h", "2Gi")["h"]
		it.Overhead = amountsOf("cpu", "100m", "memory", "1Gi", "pods", "200")
	})
	c := compileOf(t, it, waits("p", 1, func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests["memory"] = amountsOf("m", "1")["m"] }))
	require.EqualValues(t, []int64{3900, 13 << 30, 0}, c.Problem.Shapes[0].Allocatable)
}
