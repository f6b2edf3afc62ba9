package verify

import (
	corev1 "k8s.io/api/core/v1"
)

// hostPort is a port that a pod takes on its node.
type hostPort struct {
	ip       string
	port     int32
	protocol corev1.Protocol
}

// hostPorts lists the host ports of a pod's containers and sidecars.
func hostPorts(spec *corev1.PodSpec) []hostPort {
	var out []hostPort
	add := func(container *corev1.Container) {
		for _, p := range container.Ports {
			port := p.HostPort
			if port == 0 && spec.HostNetwork {
				port = p.ContainerPort
			}
			if port <= 0 {
				continue
			}
			h := hostPort{ip: p.HostIP, port: port, protocol: p.Protocol}
			if h.protocol == "" {
				h.protocol = corev1.ProtocolTCP
			}
			out = append(out, h)
		}
	}
	for i := range spec.InitContainers {
		if r := spec.InitContainers[i].RestartPolicy; r != nil && *r == corev1.ContainerRestartPolicyAlways {
			add(&spec.InitContainers[i])
		}
	}
	for i := range spec.Containers {
		add(&spec.Containers[i])
	}
	return out
}

// anyAddress says whether the port is taken on every address of the node.
func (h hostPort) anyAddress() bool {
	return h.ip == "" || h.ip == "0.0.0.0" || h.ip == "::"
}

func (h hostPort) clashes(with hostPort) bool {
	return h.port == with.port && h.protocol == with.protocol &&
		(h.ip == with.ip || h.anyAddress() || with.anyAddress())
}

// clash is the first port of a that is taken in b.
func clash(a, b []hostPort) (hostPort, bool) {
	for _, x := range a {
		for _, y := range b {
			if x.clashes(y) {
				return x, true
			}
		}
	}
	return hostPort{}, false
}

// checkHostPorts asks that no pod arrives at a machine where a port it needs is taken.
func checkHostPorts(c *check) {
	for _, m := range c.receivers() {
		taken := c.daemonPorts(m)
		for _, p := range c.residents(m) {
			taken = append(taken, hostPorts(&p.Spec)...)
		}
		for _, a := range c.arrivals[m] {
			ports := hostPorts(&a.pod.Spec)
			if h, ok := clash(ports, taken); ok {
				c.report(RuleHostPort, a.pod.object(), "host port %d/%s is taken on %s", h.port, h.protocol, m.object())
			}
			taken = append(taken, ports...)
		}
	}
}
