package snapshot

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model"
)

// unpriced: what is not known to cost money is not known to save any.
func (r *restraints) unpriced(m *machine, _ model.Removal) string {
	if m.priced {
		return ""
	}
	return fmt.Sprintf("the price of %s (%s) is not known", m, m.sold())
}

// sold says what the machine was bought as.
func (m *machine) sold() string {
	return fmt.Sprintf("type %q, zone %q, %q", m.labels[corev1.LabelInstanceTypeStable], m.zone, m.capacityType)
}

// warnOfPrices names the nodes that are in no sum of prices.
func (c *Compiled) warnOfPrices() {
	unknown := map[string][]string{}
	var strangers []string
	for _, m := range c.nodes {
		switch {
		case m.priced:
		case m.pool == nil:
			strangers = append(strangers, m.name)
		default:
			unknown[m.sold()] = append(unknown[m.sold()], m.name)
		}
	}
	if len(strangers) > 0 {
		c.warn("no price is known for %s, in no node pool: its cost is not counted", some("node", strangers))
	}
	for _, offering := range sortedKeys(unknown) {
		c.warn("no price is known for %s: %s is counted at no cost, and not removed to save money", offering, some("node", unknown[offering]))
	}
}
