package verify

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// newHost starts the name of a node that is still to be bought. No node can
// have such a name, so no pod can ask for it.
const newHost = "launch/"

// newMachine is the machine that a launch of the offering will become; the
// offering may be nil.
func newMachine(l *v1alpha1.Launch, p *pool, o *offer) *machine {
	m := &machine{name: l.ID, launch: l, pool: p, offer: o}
	labels := map[string]string{}
	if o != nil {
		m.price, m.priced = o.price, true
		m.capacity = o.capacity
		labels = maps.Clone(o.labels)
		maps.Copy(labels, o.chosen(l.Labels))
	}
	labels[corev1.LabelHostname] = newHost + l.ID
	m.view = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: newHost + l.ID, Labels: labels}}
	if p != nil {
		m.taints = p.Spec.Template.Spec.Taints
	}
	return m
}

// substitute is what the launch would become with another offering.
func (c *cluster) substitute(l *v1alpha1.Launch, o *offer) *machine {
	if len(o.chosen(l.Labels)) > 0 {
		return newMachine(l, o.pool, o)
	}
	if o.blank == nil {
		o.blank = newMachine(&v1alpha1.Launch{}, o.pool, o)
	}
	return o.blank
}

// unfit says why the launch, were it of another offering, could not hold these
// pods, which are known to get along with each other; empty if it could.
func (c *cluster) unfit(l *v1alpha1.Launch, o *offer, pods []*pod) string {
	if o.refused != "" {
		return o.refused
	}
	m := c.substitute(l, o)
	if name, _, lacks := c.lacking(c.free(m), pods); lacks {
		return "it has too little " + string(name)
	}
	ports := c.daemonPorts(m)
	for _, p := range pods {
		if !p.selects(m.view) {
			return "the node selector or affinity of pod " + p.key + " does not match"
		}
		if _, bad := untolerated(m.taints, p.Spec.Tolerations); bad {
			return "pod " + p.key + " does not tolerate its taints"
		}
		if _, bad := clash(hostPorts(&p.Spec), ports); bad {
			return "a daemon takes a host port of pod " + p.key
		}
	}
	return ""
}
