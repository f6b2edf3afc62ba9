package text

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// member is a node, a claim without a node, or a launch.
type member struct {
	name, pool, instanceType string
	allocatable              load
	before, after            load // what its pods request
	launched, removed        bool
}

// fleet is every machine before and after a plan.
type fleet struct {
	members []*member
	byName  map[string]*member // by node, claim or launch
	// domain ends the names of all nodes, and is left out where they are listed; it may be empty.
	domain string
}

// short is a name without the domain that all nodes share.
func (f *fleet) short(name string) string {
	return strings.TrimSuffix(name, f.domain)
}

func fleetOf(s *v1alpha1.Snapshot, plan *v1alpha1.Plan, ps pods) *fleet {
	f := &fleet{byName: map[string]*member{}}
	f.addNodes(s)
	f.domain = f.commonDomain()
	f.addClaims(s)
	for _, key := range slices.Sorted(maps.Keys(ps)) { // sums of floats differ by their order
		if m := f.byName["node/"+ps[key].Spec.NodeName]; m != nil && !terminal(ps[key]) {
			m.before.add(ps.requests(key))
		}
	}
	f.apply(plan, ps)
	slices.SortFunc(f.members, func(a, b *member) int {
		return cmp.Or(lastIfEmpty(a.pool, b.pool), cmp.Compare(b2i(a.launched), b2i(b.launched)), cmp.Compare(a.name, b.name))
	})
	return f
}

func (f *fleet) add(key string, m *member) {
	f.members = append(f.members, m)
	f.byName[key] = m
}

func (f *fleet) addNodes(s *v1alpha1.Snapshot) {
	for i := range s.Objects {
		n, ok := s.Objects[i].Object.(*corev1.Node)
		if !ok {
			continue
		}
		f.add("node/"+n.Name, &member{
			name:         n.Name,
			pool:         n.Labels[karpv1.NodePoolLabelKey],
			instanceType: n.Labels[corev1.LabelInstanceTypeStable],
			allocatable:  loadOf(n.Status.Allocatable),
		})
	}
}

// commonDomain is what follows the first dot of every node's name, dot included.
func (f *fleet) commonDomain() string {
	domain := ""
	for i, m := range f.members {
		_, rest, dotted := strings.Cut(m.name, ".")
		if !dotted || i > 0 && "."+rest != domain {
			return ""
		}
		domain = "." + rest
	}
	return domain
}

// addClaims adds the claims that have no node yet.
func (f *fleet) addClaims(s *v1alpha1.Snapshot) {
	for i := range s.Objects {
		c, ok := s.Objects[i].Object.(*karpv1.NodeClaim)
		if !ok || f.byName["node/"+c.Status.NodeName] != nil {
			continue
		}
		f.add("claim/"+c.Name, &member{
			name:         c.Name,
			pool:         c.Labels[karpv1.NodePoolLabelKey],
			instanceType: c.Labels[corev1.LabelInstanceTypeStable],
			allocatable:  loadOf(c.Status.Allocatable),
		})
	}
}

// apply computes what is after the plan.
func (f *fleet) apply(plan *v1alpha1.Plan, ps pods) {
	for _, m := range f.members {
		m.after = m.before
	}
	for i := range plan.Launches {
		l := &plan.Launches[i]
		f.add("launch/"+l.ID, &member{
			name: l.ID, pool: l.NodePool, instanceType: l.InstanceType, launched: true,
			allocatable: loadOf(l.Allocatable), after: loadOf(l.Requests),
		})
	}
	for i := range plan.Removals {
		r := &plan.Removals[i]
		if m := f.removed(r); m != nil {
			m.removed, m.after = true, load{}
			m.pool = cmp.Or(m.pool, r.NodePool)
		}
		f.place(r.Moves, ps)
	}
	f.place(plan.Placements, ps)
	for i := range plan.Kept {
		k := &plan.Kept[i]
		if m := f.byName["node/"+k.Node]; m != nil {
			m.pool = cmp.Or(m.pool, k.NodePool)
		}
	}
}

// removed is the machine that a removal takes away; nil if the snapshot does not have it.
func (f *fleet) removed(r *v1alpha1.Removal) *member {
	if m := f.byName["node/"+r.Node]; m != nil {
		return m
	}
	return f.byName["claim/"+r.NodeClaim]
}

// place adds pods to the nodes that they go to; a launch's requests already hold its pods.
func (f *fleet) place(ds []v1alpha1.Destination, ps pods) {
	for _, d := range ds {
		m := f.byName["node/"+d.Node]
		if d.NodeClaim != "" {
			m = f.byName["claim/"+d.NodeClaim]
		}
		if m != nil {
			m.after.add(ps.requests(d.Pod))
		}
	}
}

func lastIfEmpty(a, b string) int {
	return cmp.Or(cmp.Compare(b2i(a == ""), b2i(b == "")), cmp.Compare(a, b))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
