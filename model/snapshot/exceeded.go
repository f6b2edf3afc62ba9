package snapshot

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// whyNotLaunched says why none of the shapes, which are for sale and would
// carry the pod, is launched once more: each breaks a limit, or finds its
// reservation used up by the plan. Where one breaks nothing, the search was cut.
func (c *Compiled) whyNotLaunched(shapes []model.ShapeIndex, used *usage) exclusion {
	blocked := make([]int, len(c.Problem.Limits)) // how many shapes each limit blocks
	var full, narrow []model.ShapeIndex
	for _, i := range shapes {
		sh := &c.Problem.Shapes[i]
		exceeded := used.exceeded(sh)
		switch {
		case !used.reservable(sh):
			full = append(full, i)
			continue
		case len(exceeded) == 0 && !used.spreads(sh):
			narrow = append(narrow, i)
		case len(exceeded) == 0:
			return exclusion{v1alpha1.UnplacedTimeLimit, "the search ended before it found this pod a place"}
		}
		for _, l := range exceeded {
			blocked[l]++
		}
	}
	switch {
	case len(narrow) > 0:
		name := c.Problem.Shapes[narrow[0]].Name
		return exclusion{v1alpha1.UnplacedNoOfferingAvailable, name + " would do, and its share of the pool's spot nodes is as large as the policy's spotDiversity allows"}
	case len(full) == len(shapes):
		name := c.Problem.Reservations[c.Problem.Shapes[full[0]].Reservation].Name
		return exclusion{v1alpha1.UnplacedReservationFull, fmt.Sprintf("reservation %s: the plan takes all machines that are left of it", name)}
	default:
		l := mostBlocking(blocked)
		return exclusion{limitReason(&c.Problem.Limits[l]), c.limitMessage(l, shapes, used)}
	}
}

// mostBlocking is the first limit that blocks the most shapes.
func mostBlocking(blocked []int) int {
	most := 0
	for l, n := range blocked {
		if n > blocked[most] {
			most = l
		}
	}
	return most
}

func limitReason(l *model.Limit) string {
	switch {
	case l.Measure == model.Machines:
		return v1alpha1.UnplacedNodeLimit
	case l.Measure == model.Spending:
		return v1alpha1.UnplacedMoneyLimit
	case l.Pool == model.None:
		return v1alpha1.UnplacedClusterLimit
	default:
		return v1alpha1.UnplacedPoolLimit
	}
}

// limitMessage says how much of a limit is used once the plan is done, and the
// least that one more launch would take.
func (c *Compiled) limitMessage(index int, shapes []model.ShapeIndex, used *usage) string {
	l := &c.Problem.Limits[index]
	scope := "cluster"
	if l.Pool != model.None {
		scope = "pool " + c.Problem.Pools[l.Pool].Name
	}
	var least int64
	first := true
	for _, i := range shapes {
		sh := &c.Problem.Shapes[i]
		if n := l.Of(sh.Capacity, sh.Price); l.Covers(sh.Pool) && (first || n < least) {
			least, first = n, false
		}
	}
	switch l.Measure {
	case model.Machines:
		return fmt.Sprintf("%s: nodes limit %d, %d used", scope, l.Max, used.limits[index])
	case model.Spending:
		return fmt.Sprintf("%s: price limit %s USD per hour, %s used, the cheapest type that fits costs %s",
			scope, model.Money(l.Max), model.Money(used.limits[index]), model.Money(least))
	default:
		name := corev1.ResourceName(c.Problem.Resources[l.Measure])
		return fmt.Sprintf("%s: %s limit %s, %s used, the smallest type that fits needs %s",
			scope, name, amount(name, l.Max), amount(name, used.limits[index]), amount(name, least))
	}
}

// amount writes base units of a resource as a quantity.
func amount(name corev1.ResourceName, n int64) string {
	switch name {
	case corev1.ResourceCPU:
		return resource.NewMilliQuantity(n, resource.DecimalSI).String()
	case corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
		return resource.NewQuantity(n, resource.BinarySI).String()
	default:
		return resource.NewQuantity(n, resource.DecimalSI).String()
	}
}
