package snapshot

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model"
)

func taking(ports ...corev1.ContainerPort) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Containers[0].Ports = ports }
}

func hostPort80(ip string, protocol corev1.Protocol) corev1.ContainerPort {
	return corev1.ContainerPort{ContainerPort: 8080, HostPort: 80, HostIP: ip, Protocol: protocol}
}

func TestHostPortsClash(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		a, b corev1.ContainerPort
		want bool
	}{
		{"the same port clashes", hostPort80("", ""), hostPort80("", "TCP"), true},
		{"another port does not", hostPort80("", ""), corev1.ContainerPort{HostPort: 81}, false},
		{"another protocol does not", hostPort80("", "UDP"), hostPort80("", "TCP"), false},
		{"no host port takes none", corev1.ContainerPort{ContainerPort: 80}, corev1.ContainerPort{ContainerPort: 80}, false},
		{"all addresses are one of them", hostPort80("0.0.0.0", ""), hostPort80("10.0.0.1", ""), true},
		{"so are all addresses of version 6", hostPort80("::", ""), hostPort80("10.0.0.1", ""), true},
		{"different addresses do not clash", hostPort80("127.0.0.1", ""), hostPort80("10.0.0.1", ""), false},
		{"equal addresses do, however written", hostPort80("2001:db8::1", ""), hostPort80("2001:0db8:0::1", ""), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := compileOf(t, nodePool("default"), sold("m", 4), runs("n1"), waits("there", 1, on("n1"), taking(test.b)),
				waits("a", 2, taking(test.a)), waits("b", 3, taking(test.b)))
			a, b := groupFor(c, "a"), groupFor(c, "b")
			require.Equal(t, !test.want, len(nodesFor(c, "a")) == 1, "with a running pod")
			require.Equal(t, test.want, slices.Contains(c.Problem.Groups[a].Conflicts, model.GroupIndex(b)), "with each other")
			require.Equal(t, test.want, slices.Contains(c.Problem.Groups[b].Conflicts, model.GroupIndex(a)), "in both directions")
			require.Equal(t, test.a.HostPort > 0, c.Problem.Groups[a].MaxPerMachine == 1, "with itself")
		})
	}
}

func TestHostPortsOfDaemons(t *testing.T) {
	t.Parallel()
	d := daemonSet("agent", "100m", func(d *appsv1.DaemonSet) {
		d.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{hostPort80("", "")}
	})
	c := compileOf(t, nodePool("default"), sold("m", 4), runs("n1"), d, waits("a", 1, taking(hostPort80("", ""))), waits("b", 1))
	require.Empty(t, shapesFor(c, "a"), "the daemon takes the port of every new node")
	require.Empty(t, nodesFor(c, "a"), "and will of a running one")
	require.Len(t, shapesFor(c, "b"), 1)
}

func TestWhichContainersTakeHostPorts(t *testing.T) {
	t.Parallel()
	port := func(p int32) []corev1.ContainerPort { return []corev1.ContainerPort{{HostPort: p}} }
	side, first := sidecar(), container()
	side.Ports, first.Ports = port(1), port(2)
	spec := corev1.PodSpec{InitContainers: []corev1.Container{side, first}, Containers: []corev1.Container{{Ports: port(3)}}}
	require.Equal(t, []hostPort{{"", 3, "TCP"}, {"", 1, "TCP"}}, hostPorts(&spec), "not those of init containers that end")

	onHost := corev1.PodSpec{HostNetwork: true, Containers: []corev1.Container{{Ports: []corev1.ContainerPort{{ContainerPort: 9}}}}}
	require.Equal(t, []hostPort{{"", 9, "TCP"}}, hostPorts(&onHost), "on the host's network all container ports are")
}
