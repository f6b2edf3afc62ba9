package snapshot

// Annotations by which Cluster Autoscaler is told to leave a pod or a node where it is.
const (
	safeToEvict       = "cluster-autoscaler.kubernetes.io/safe-to-evict"
	scaleDownDisabled = "cluster-autoscaler.kubernetes.io/scale-down-disabled"
)

// warnOfForeignProtections names what Cluster Autoscaler would leave alone, and a plan does not.
func (c *Compiled) warnOfForeignProtections() {
	const advice = ", which protects nothing in a plan: karpenter.sh/do-not-disrupt does"
	pods, nodes := tally{}, tally{}
	for _, m := range c.nodes {
		if m.pool == nil {
			continue
		}
		if m.nodeAnnotation(scaleDownDisabled) == "true" {
			nodes.add("have annotation "+scaleDownDisabled+advice, m.name)
		}
		for _, p := range m.pods {
			if p.Annotations[safeToEvict] == "false" {
				pods.add("have annotation "+safeToEvict+": \"false\""+advice, podKey(p))
			}
		}
	}
	pods.report(c, "pod")
	nodes.report(c, "node")
}
