package snapshot

import (
	"fmt"
	"net"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// hostPorts are the ports that a pod takes on its node: those of its containers
// and sidecars; with the host's network, all container ports.
func hostPorts(spec *corev1.PodSpec) []hostPort {
	var out []hostPort
	take := func(c *corev1.Container) {
		for _, p := range c.Ports {
			port := p.HostPort
			if port == 0 && spec.HostNetwork {
				port = p.ContainerPort
			}
			if port <= 0 {
				continue
			}
			out = append(out, hostPort{ip: hostIP(p.HostIP), port: port, protocol: protocol(p.Protocol)})
		}
	}
	for i := range spec.Containers {
		take(&spec.Containers[i])
	}
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			take(c)
		}
	}
	return out
}

func protocol(p corev1.Protocol) corev1.Protocol {
	if p == "" {
		return corev1.ProtocolTCP
	}
	return p
}

// hostIP writes an address in its shortest form; empty for all addresses of the node.
func hostIP(text string) string {
	ip := net.ParseIP(text)
	switch {
	case text == "" || ip != nil && ip.IsUnspecified():
		return ""
	case ip == nil:
		return text
	}
	return ip.String()
}

// clashes says whether both ports cannot be taken on one node.
func (p hostPort) clashes(o hostPort) bool {
	return p.port == o.port && p.protocol == o.protocol && (p.ip == o.ip || p.ip == "" || o.ip == "")
}

func (p hostPort) String() string {
	if p.ip == "" {
		return fmt.Sprintf("%d/%s", p.port, p.protocol)
	}
	return fmt.Sprintf("%s:%d/%s", p.ip, p.port, p.protocol)
}

// clash is the first port of a that is taken by one of b; nil if none is.
func clash(a, b []hostPort) *hostPort {
	for i := range a {
		if slices.ContainsFunc(b, a[i].clashes) {
			return &a[i]
		}
	}
	return nil
}
