package verify

import (
	"cmp"
	"slices"

	"k8s.io/utils/ptr"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
)

// overlay is a NodeOverlay.
type overlay struct {
	*karpv1alpha1.NodeOverlay
	requirements []requirement
}

// addOverlays orders the overlays as they take effect: by weight, heaviest
// first, then by name, last first.
func (c *cluster) addOverlays(list []*karpv1alpha1.NodeOverlay) {
	for _, o := range list {
		c.overlays = append(c.overlays, &overlay{o, fromOverlay(o.Spec.Requirements)})
	}
	slices.SortStableFunc(c.overlays, func(a, b *overlay) int {
		return cmp.Or(
			cmp.Compare(ptr.Deref(b.Spec.Weight, 0), ptr.Deref(a.Spec.Weight, 0)),
			cmp.Compare(b.Name, a.Name))
	})
}

// covers says whether the overlay is about nodes with these labels, or one of
// the values that are still open.
func (x *overlay) covers(labels map[string]string, open map[string][]requirement) bool {
	for _, r := range x.requirements {
		if value, present := labels[r.key]; present {
			if !r.allows(value, true) {
				return false
			}
			continue
		}
		if rs, ok := open[r.key]; ok {
			values, listed := choices(append(slices.Clone(rs), r))
			if listed && len(values) == 0 {
				return false
			}
			continue
		}
		if !r.allows("", false) {
			return false
		}
	}
	return true
}

// overlayCapacity is what overlays add to the capacity of a type in a pool: for each resource the first overlay that covers any of the
// type's offerings decides.
func (c *cluster) overlayCapacity(p *pool, kind *instanceType) resources {
	key := lesson{pool: p, kind: kind}
	if known := c.extra[key]; known != nil {
		return known
	}
	out := resources{}
	c.extra[key] = out
	for _, x := range c.overlays {
		if len(x.Spec.Capacity) == 0 || !coversAny(x, p, kind) {
			continue
		}
		for name, n := range resourcesOf(x.Spec.Capacity) {
			if _, decided := out[name]; !decided {
				out[name] = n
			}
		}
	}
	return out
}

// coversAny says whether the overlay covers any offering of the type in its pool.
func coversAny(x *overlay, p *pool, kind *instanceType) bool {
	for i := range kind.Offerings {
		o := &offer{pool: p, kind: kind, offering: &kind.Offerings[i]}
		o.settleLabels()
		if x.covers(o.labels, o.open) {
			return true
		}
	}
	return false
}
