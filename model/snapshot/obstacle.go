package snapshot

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// obstacles are the rules that a candidate can break, in the order in which a
// pod meets them: the further down, the closer it came to a place.
var obstacles = []string{
	v1alpha1.UnplacedInvalidPod,
	v1alpha1.UnplacedVolumeMissing,
	v1alpha1.UnplacedNodeAffinity,
	v1alpha1.UnplacedTaints,
	v1alpha1.UnplacedVolumeZone,
	v1alpha1.UnplacedVolumeLimit,
	v1alpha1.UnplacedDeviceClaim,
	v1alpha1.UnplacedMinValues,
	v1alpha1.UnplacedTopologySpread,
	v1alpha1.UnplacedPodAffinity,
	v1alpha1.UnplacedNoInstanceTypeFits,
	v1alpha1.UnplacedHostPort,
	v1alpha1.UnplacedPodAntiAffinity,
	v1alpha1.UnplacedNoOfferingAvailable,
	v1alpha1.UnplacedReservationFull,
}

// progress is how far a pod came that met the obstacle; less than any for none.
func progress(reason string) int { return slices.Index(obstacles, reason) }

// furthest looks for the candidate that takes a pod furthest: a shape for sale,
// one that is sold out, or a node that stays. It keeps the rule that candidate breaks.
type furthest struct {
	c    *Compiled
	pod  *corev1.Pod
	best exclusion
	// small are the shapes that the pod would be allowed on, were they larger.
	small []*shape
	// asked are the resources that the pod asks for. What has nothing of one is
	// no candidate, even if no other rule keeps the pod off it: a machine
	// without a GPU will not get one. Shapes of that kind are barren.
	asked  []corev1.ResourceName
	barren []*shape
}

// isBarren says whether there is nothing at all of a resource that the pod asks for.
func (f *furthest) isBarren(allocatable corev1.ResourceList) bool {
	return f.missing(allocatable) != ""
}

// missing is the first resource that the pod asks for and that there is nothing of.
func (f *furthest) missing(allocatable corev1.ResourceList) corev1.ResourceName {
	for _, name := range f.asked {
		if q := allocatable[name]; q.Sign() <= 0 {
			return name
		}
	}
	return ""
}

// bestObstacle is the first rule broken by the best candidate for pods of the
// group, none of which fits a shape that is for sale.
func (d *deal) bestObstacle(g model.GroupIndex) exclusion {
	group := &d.c.Problem.Groups[g]
	pod := d.c.groups[g].pods[0].pod
	need := d.c.requests(pod)
	f := &furthest{c: d.c, pod: pod, asked: askedFor(need)}
	for i := range group.Shapes.All() {
		f.tooSmall(&d.c.shapes[i])
	}
	f.note(d.barred(g, f.asked))
	for i := range d.c.soldOut {
		f.trySoldOut(&d.c.soldOut[i], need)
	}
	launch := f.best
	for _, m := range d.c.nodes {
		if !d.goes(m) && !f.isBarren(m.allocatable) {
			f.tryNode(m, group.Nodes.Has(m.index))
		}
	}
	return f.conclude(launch)
}

// barred is the best of the rules that keep the group off shapes for sale that
// have what it asks for. It does not depend on how much that is, so groups
// share the answer.
func (d *deal) barred(g model.GroupIndex, asked []corev1.ResourceName) exclusion {
	pod := d.c.groups[g].pods[0].pod
	t := d.c.traitsOf(pod)
	key := shapeQuestion{rule: t.rule, tolerant: t.tolerant, ports: fmt.Sprint(t.ports), asked: fmt.Sprint(asked)}
	if known, ok := d.bars[key]; ok {
		return known
	}
	f := &furthest{c: d.c, pod: pod, asked: asked}
	for i := range d.c.shapes {
		if d.c.Problem.Groups[g].Shapes.Has(model.ShapeIndex(i)) || f.isBarren(d.c.shapes[i].allocatable) {
			continue
		}
		if e := d.c.shapeExcludes(pod, &d.c.shapes[i]); e != nil {
			f.note(*e)
		}
	}
	d.bars[key] = f.best
	return f.best
}

func (f *furthest) note(e exclusion) {
	if progress(e.reason) > progress(f.best.reason) {
		f.best = e
	}
}

func (f *furthest) tooSmall(sh *shape) {
	if f.isBarren(sh.allocatable) {
		f.barren = append(f.barren, sh)
		return
	}
	f.small = append(f.small, sh)
	f.note(exclusion{reason: v1alpha1.UnplacedNoInstanceTypeFits})
}

// trySoldOut notes what the pod meets at a shape that is not for sale. Once a
// shape is too small at best, only those that are large enough matter.
func (f *furthest) trySoldOut(sh *shape, need corev1.ResourceList) {
	if f.isBarren(sh.allocatable) {
		return
	}
	fits := sh.holds(need)
	if !fits && progress(f.best.reason) >= progress(v1alpha1.UnplacedNoInstanceTypeFits) {
		return
	}
	switch e := f.c.shapeExcludes(f.pod, sh); {
	case e == nil:
		f.note(notForSale(sh))
	case fits || progress(e.reason) < progress(v1alpha1.UnplacedNoInstanceTypeFits):
		f.note(*e)
	default:
		f.tooSmall(sh)
	}
}

func (f *furthest) tryNode(m *machine, allowed bool) {
	if allowed {
		f.note(exclusion{v1alpha1.UnplacedNoInstanceTypeFits, "no node that would take it has room left"})
	} else if e := f.c.machineExcludes(f.pod, m, nil); e != nil {
		f.note(exclusion{e.reason, "node " + m.name + ": " + e.message})
	}
}

// conclude words the best exclusion; launch is the best among shapes alone.
func (f *furthest) conclude(launch exclusion) exclusion {
	switch f.best.reason {
	case "":
		if len(f.barren) > 0 {
			return exclusion{v1alpha1.UnplacedNoInstanceTypeFits, tooLarge(f.c.requests(f.pod), f.barren)}
		}
		return exclusion{v1alpha1.UnplacedNoInstanceTypeFits, f.c.nothingToLaunch()}
	case v1alpha1.UnplacedNoInstanceTypeFits:
		return exclusion{f.best.reason, f.whatIsTooSmall(launch)}
	case v1alpha1.UnplacedNodeAffinity:
		return exclusion{f.best.reason, fmt.Sprintf("no instance type or node%s has the labels that it asks for: %s", f.endowed(), askedLabels(&f.pod.Spec))}
	default:
		return f.best
	}
}

// endowed names the resource without which a shape would be no candidate.
func (f *furthest) endowed() string {
	if len(f.barren) == 0 {
		return ""
	}
	return " with " + string(f.missing(f.barren[0].allocatable))
}

func (f *furthest) whatIsTooSmall(launch exclusion) string {
	switch {
	case len(f.small) > 0:
		return tooLarge(f.c.requests(f.pod), f.small)
	case launch.reason != "":
		return f.best.message + ", and nothing can be launched for it: " + launch.message
	default:
		return f.best.message
	}
}

// nothingToLaunch says why there is no shape at all.
func (c *Compiled) nothingToLaunch() string {
	if len(c.pools) == 0 {
		return "there is no node pool to launch from"
	}
	text := "no instance type meets the requirements of the node pools"
	for _, p := range c.pools {
		if p.closed != "" {
			text += fmt.Sprintf("; nothing is launched from node pool %s: %s", p.object.Name, p.closed)
		}
	}
	return text
}

// notForSale says why a shape that would do cannot be launched now.
func notForSale(sh *shape) exclusion {
	o := sh.offering
	name := fmt.Sprintf("%s in %s (%s)", sh.instanceType.Name, o.Zone, o.CapacityType)
	if o.Reservation != nil && o.Reservation.Count <= 0 && (o.Available == nil || *o.Available) {
		return exclusion{v1alpha1.UnplacedReservationFull, fmt.Sprintf("%s would do, and reservation %s has no machine left", name, o.Reservation.ID)}
	}
	return exclusion{v1alpha1.UnplacedNoOfferingAvailable, name + " would do, and is not available now"}
}
