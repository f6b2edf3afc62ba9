package snapshot

import (
	"fmt"
	"slices"
	"strings"

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

func progress(reason string) int { return slices.Index(obstacles, reason) }

// bestObstacle is the first rule broken by the candidate that takes a pod of
// the group furthest: a shape for sale, one that is sold out, or a node that stays.
func (c *Compiled) bestObstacle(g model.GroupIndex, s *model.Solution) exclusion {
	f := &furthest{c: c, pod: c.groups[g].pods[0].pod}
	f.need = c.requests(f.pod)
	group := &c.Problem.Groups[g]
	for i := range c.shapes {
		if group.Shapes.Has(model.ShapeIndex(i)) {
			f.tooSmall(&c.shapes[i])
		} else {
			f.try(&c.shapes[i], true)
		}
	}
	for i := range c.soldOut {
		f.try(&c.soldOut[i], false)
	}
	launch := f.best
	for _, m := range c.byName() {
		if !s.Nodes[m.index].Gone() {
			f.tryNode(m, group.Nodes.Has(m.index))
		}
	}
	return f.conclude(launch)
}

// furthest keeps the exclusion of the candidate that came furthest.
type furthest struct {
	c    *Compiled
	pod  *corev1.Pod
	need corev1.ResourceList
	best exclusion
	// small are the shapes that the pod would be allowed on, were they larger.
	small []*shape
}

func (f *furthest) note(e exclusion) {
	if f.best.reason == "" || progress(e.reason) > progress(f.best.reason) {
		f.best = e
	}
}

func (f *furthest) tooSmall(sh *shape) {
	f.small = append(f.small, sh)
	f.note(exclusion{reason: v1alpha1.UnplacedNoInstanceTypeFits})
}

// try notes what excludes the pod from a launch of the shape. A shape that is
// too small is not looked at once that is the best there is.
func (f *furthest) try(sh *shape, forSale bool) {
	fits := sh.holds(f.need)
	if !fits && progress(f.best.reason) >= progress(v1alpha1.UnplacedNoInstanceTypeFits) {
		return
	}
	switch e := f.c.shapeExcludes(f.pod, sh); {
	case e != nil && e.reason == v1alpha1.UnplacedNoInstanceTypeFits, e == nil && !fits:
		f.tooSmall(sh)
	case e != nil:
		f.note(*e)
	default:
		f.note(notForSale(sh, forSale))
	}
}

func (f *furthest) tryNode(m *machine, allowed bool) {
	if allowed {
		f.note(exclusion{v1alpha1.UnplacedNoInstanceTypeFits, "no node that would take it has room left"})
	} else if e := f.c.machineExcludes(f.pod, m, nil); e != nil {
		f.note(*e)
	}
}

// conclude words the best exclusion; launch is the best among shapes alone.
func (f *furthest) conclude(launch exclusion) exclusion {
	switch {
	case len(f.c.pools) == 0 && f.best.reason == "":
		return exclusion{v1alpha1.UnplacedNoInstanceTypeFits, "there is no node pool to launch from"}
	case f.best.reason == "":
		return exclusion{v1alpha1.UnplacedNoInstanceTypeFits, "no instance type meets the requirements of the node pools"}
	case f.best.reason == v1alpha1.UnplacedNoInstanceTypeFits && len(f.small) > 0:
		return exclusion{f.best.reason, tooLarge(f.need, f.small)}
	case f.best.reason == v1alpha1.UnplacedNoInstanceTypeFits && launch.message != "":
		return exclusion{f.best.reason, f.best.message + ", and none can be launched for it: " + launch.message}
	default:
		return f.best
	}
}

// holds says whether the shape has room for what is needed beside its daemons.
func (sh *shape) holds(need corev1.ResourceList) bool {
	for name, q := range need {
		if q.Sign() <= 0 {
			continue
		}
		room := sh.allocatable[name].DeepCopy()
		room.Sub(sh.daemons[name])
		if q.Cmp(room) > 0 {
			return false
		}
	}
	return true
}

// notForSale says why a shape that would do is not bought.
func notForSale(sh *shape, forSale bool) exclusion {
	o := sh.offering
	name := fmt.Sprintf("%s in %s (%s)", sh.instanceType.Name, o.Zone, o.CapacityType)
	switch {
	case forSale:
		return exclusion{v1alpha1.UnplacedNoOfferingAvailable, name + " would do, and costs more than the policy's maxPremium allows"}
	case o.Reservation != nil && o.Reservation.Count <= 0 && (o.Available == nil || *o.Available):
		return exclusion{v1alpha1.UnplacedReservationFull, fmt.Sprintf("%s would do, and reservation %s has no machine left", name, o.Reservation.ID)}
	default:
		return exclusion{v1alpha1.UnplacedNoOfferingAvailable, name + " would do, and is not available now"}
	}
}

// tooLarge says what is asked for, and the most that shapes have of it.
func tooLarge(need corev1.ResourceList, shapes []*shape) string {
	var asked, most, daemons []string
	for _, name := range askedFor(need) {
		top := shapes[0].allocatable[name]
		low, high := shapes[0].daemons[name], shapes[0].daemons[name]
		for _, sh := range shapes[1:] {
			if q := sh.allocatable[name]; q.Cmp(top) > 0 {
				top = q
			}
			if q := sh.daemons[name]; q.Cmp(low) < 0 {
				low = q
			} else if q.Cmp(high) > 0 {
				high = q
			}
		}
		wanted := need[name]
		asked = append(asked, fmt.Sprintf("%s %s", name, wanted.String()))
		most = append(most, fmt.Sprintf("%s %s", name, top.String()))
		if high.Sign() > 0 {
			daemons = append(daemons, fmt.Sprintf("%s %s", name, between(low.String(), high.String())))
		}
	}
	text := fmt.Sprintf("requests %s; the largest allocatable is %s", strings.Join(asked, ", "), strings.Join(most, ", "))
	if len(daemons) > 0 {
		text += ", of which daemons take " + strings.Join(daemons, ", ")
	}
	return text
}

func between(low, high string) string {
	if low == high {
		return low
	}
	return low + " to " + high
}

// askedFor lists the resources that a pod asks for, by name. The slot that
// every pod takes is left out unless there is nothing else.
func askedFor(need corev1.ResourceList) []corev1.ResourceName {
	var names []corev1.ResourceName
	for name, q := range need {
		if q.Sign() > 0 && name != corev1.ResourcePods {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return []corev1.ResourceName{corev1.ResourcePods}
	}
	slices.Sort(names)
	return names
}
