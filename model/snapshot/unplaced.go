package snapshot

import (
	"cmp"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// planUnplaced lists the pods that are left waiting, one line for all that wait
// for the same reason with the same message.
func (d *deal) planUnplaced() []v1alpha1.Unplaced {
	pods := map[exclusion][]string{}
	for _, p := range d.c.invalid {
		why := exclusion{p.reason, p.message}
		pods[why] = append(pods[why], podKey(p.pod))
	}
	used := usageOf(&d.c.Problem, d.s)
	for g, waiting := range d.waiting {
		if len(waiting) > 0 {
			why := d.whyWaiting(model.GroupIndex(g), used)
			pods[why] = append(pods[why], podKeys(waiting)...)
		}
	}
	out := []v1alpha1.Unplaced{}
	for why, names := range pods {
		slices.Sort(names)
		out = append(out, v1alpha1.Unplaced{Pods: names, Reason: why.reason, Message: why.message})
	}
	slices.SortFunc(out, func(a, b v1alpha1.Unplaced) int {
		return cmp.Or(cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message))
	})
	return out
}

// whyWaiting is why pods of the group wait: what keeps another launch for them
// from being made, or else the rule that its best candidate breaks.
func (d *deal) whyWaiting(g model.GroupIndex, used *usage) exclusion {
	if fitting := d.c.fitting(g); len(fitting) > 0 {
		return d.c.whyNotLaunched(fitting, used)
	}
	return d.bestObstacle(g)
}

// fitting lists the shapes for sale that could carry a pod of the group.
func (c *Compiled) fitting(g model.GroupIndex) []model.ShapeIndex {
	var out []model.ShapeIndex
	group := &c.Problem.Groups[g]
	for i := range group.Shapes.All() {
		if within(group.Request, c.Problem.Shapes[i].Allocatable) {
			out = append(out, i)
		}
	}
	return out
}
