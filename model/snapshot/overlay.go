package snapshot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	"github.com/mortise-io/mortise/api/fields"
)

// overlay is a NodeOverlay that takes part.
type overlay struct {
	name         string
	weight       int32
	requirements scheduling.Requirements
	price        string // a new price, or a signed change of it; empty if none
	capacity     corev1.ResourceList
}

// readyOverlays reads the overlays that take part, in the order of their application.
func (c *Compiled) readyOverlays() []*overlay {
	var out []*overlay
	for _, object := range c.cluster.overlays {
		if object.DeletionTimestamp != nil || !overlayReady(object) {
			c.warn("node overlay %s is not applied: it is not ready", object.Name)
			continue
		}
		o, err := newOverlay(object)
		if err != nil {
			c.warn("node overlay %s is not applied: %v", object.Name, err)
			continue
		}
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b *overlay) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.name, a.name))
	})
	return out
}

func overlayReady(o *karpv1alpha1.NodeOverlay) bool {
	for _, condition := range o.Status.Conditions {
		if condition.Type == "Ready" {
			return condition.Status == "True"
		}
	}
	return true
}

func newOverlay(object *karpv1alpha1.NodeOverlay) (*overlay, error) {
	spec := &object.Spec
	o := &overlay{name: object.Name, weight: ptr.Deref(spec.Weight, 0), requirements: scheduling.NewRequirements(), capacity: spec.Capacity}
	for i, r := range spec.Requirements {
		if f := fields.Requirement(fields.Index("spec.requirements", i), r.AsNodeSelectorRequirement()); f != nil {
			return nil, f
		}
		o.requirements.Add(scheduling.NewRequirement(r.Key, r.Operator, r.Values...))
	}
	if spec.Price != nil && spec.PriceAdjustment != nil {
		return nil, fmt.Errorf("spec: only one of price and priceAdjustment may be set")
	}
	o.price = cmp.Or(ptr.Deref(spec.Price, ""), ptr.Deref(spec.PriceAdjustment, ""))
	if _, err := adjusted(1, o.price); err != nil {
		return nil, fmt.Errorf("spec: price or priceAdjustment: %w", err)
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourcePods} {
		if _, ok := o.capacity[name]; ok {
			return nil, fmt.Errorf("spec.capacity: %s cannot be added", name)
		}
	}
	return o, nil
}

// adjusted applies a change to a price: "0.5" replaces it, "+0.1" and "-0.1" add
// to it, "+10%" and "-10%" scale it. A price is never negative.
func adjusted(usd float64, change string) (float64, error) {
	if change == "" {
		return usd, nil
	}
	number, percent := strings.CutSuffix(change, "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return usd, fmt.Errorf("cannot read %q", change)
	}
	switch {
	case percent:
		usd *= 1 + v/100
	case strings.HasPrefix(change, "+"), strings.HasPrefix(change, "-"):
		usd += v
	default:
		usd = v
	}
	if usd > fields.MostUSD || math.IsNaN(usd) {
		return usd, fmt.Errorf("expected %s", fields.Dollars.Expected)
	}
	return max(0, usd), nil
}
