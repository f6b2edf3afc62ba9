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
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// overlay is a NodeOverlay that takes part.
type overlay struct {
	name         string
	weight       int32
	requirements scheduling.Requirements
	price        string // a new price, or a signed change of it; empty if none
	capacity     corev1.ResourceList
}

// overlaid is what the overlays make of the catalog. A nil pool stands for
// nodes that belong to none.
type overlaid struct {
	prices     map[priceKey]*priceOverlay
	capacities map[capacityKey]*capacityOverlay
}

type priceKey struct {
	pool     *pool
	offering *v1alpha1.Offering
}

type capacityKey struct {
	pool         *pool
	instanceType *v1alpha1.InstanceType
}

// priceOverlay is the change of the first overlay that touched an offering.
type priceOverlay struct {
	change string
	last   int32 // weight of the last overlay that matched the offering
}

// capacityOverlay is what overlays add to an instance type.
type capacityOverlay struct {
	add        corev1.ResourceList
	last       int32               // weight of the last overlay that added something
	lastAdding corev1.ResourceList // what that one wanted to add
}

// applyOverlays goes through the overlays by weight, then name, both descending.
// The first to touch a price or a resource wins. One that touches what another of the
// same weight has touched is applied nowhere.
func (c *Compiled) applyOverlays() {
	c.overlaid = overlaid{map[priceKey]*priceOverlay{}, map[capacityKey]*capacityOverlay{}}
	overlays := c.readyOverlays()
	if len(overlays) == 0 {
		return
	}
	pools := append([]*pool{nil}, c.pools...)
	for _, o := range overlays {
		touched := c.touchedBy(o, pools)
		if c.overlaid.conflicts(o, touched) {
			c.warn("node overlay %s is not applied: it conflicts with another of weight %d", o.name, o.weight)
			continue
		}
		c.overlaid.apply(o, touched)
	}
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

// touched are the offerings that an overlay matches, and their types.
type touched struct {
	prices     []priceKey
	capacities []capacityKey
}

func (c *Compiled) touchedBy(o *overlay, pools []*pool) touched {
	var out touched
	for _, p := range pools {
		own := overlayLabels(p)
		for _, t := range c.types {
			before := len(out.prices)
			for i := range t.offerings {
				if covers(o.requirements, own, t.requirements, t.offerings[i].requirements) {
					out.prices = append(out.prices, priceKey{p, t.offerings[i].Offering})
				}
			}
			if len(out.prices) > before {
				out.capacities = append(out.capacities, capacityKey{p, t.InstanceType})
			}
		}
	}
	return out
}

// overlayLabels is what the pool adds to what an overlay can ask for.
func overlayLabels(p *pool) scheduling.Requirements {
	r := scheduling.NewRequirements()
	if p != nil {
		r.Add(scheduling.NewLabelRequirements(p.object.Spec.Template.Labels).Values()...)
		r.Add(scheduling.NewRequirement(karpv1.NodePoolLabelKey, corev1.NodeSelectorOpIn, p.object.Name))
	}
	return r
}

// covers says whether nodes that meet all of the sets can meet the wanted
// requirements. A label that no set knows is only met by its absence.
func covers(wanted scheduling.Requirements, sets ...scheduling.Requirements) bool {
	for key, want := range wanted {
		known := false
		for _, set := range sets {
			if have, ok := set[key]; ok {
				known = true
				if !overlap(have, want) {
					return false
				}
			}
		}
		if !known && !negative(want) {
			return false
		}
	}
	return true
}

// overlap says whether some value, or the absence of the label, meets both requirements.
func overlap(a, b *scheduling.Requirement) bool {
	return a.HasIntersection(b) || negative(a) && negative(b)
}

// negative says whether the absence of the label meets the requirement.
func negative(r *scheduling.Requirement) bool {
	operator := r.Operator()
	return operator == corev1.NodeSelectorOpNotIn || operator == corev1.NodeSelectorOpDoesNotExist
}

func (v *overlaid) conflicts(o *overlay, t touched) bool {
	if o.price != "" {
		for _, key := range t.prices {
			if was, ok := v.prices[key]; ok && was.last == o.weight {
				return true
			}
		}
	}
	for _, key := range t.capacities {
		was, ok := v.capacities[key]
		if !ok || was.last != o.weight {
			continue
		}
		for name := range o.capacity {
			if _, ok := was.lastAdding[name]; ok {
				return true
			}
		}
	}
	return false
}

func (v *overlaid) apply(o *overlay, t touched) {
	if o.price != "" {
		for _, key := range t.prices {
			if was, ok := v.prices[key]; ok {
				was.last = o.weight
			} else {
				v.prices[key] = &priceOverlay{o.price, o.weight}
			}
		}
	}
	if len(o.capacity) == 0 {
		return
	}
	for _, key := range t.capacities {
		was, ok := v.capacities[key]
		if !ok {
			was = &capacityOverlay{}
			v.capacities[key] = was
		}
		was.add = filled(was.add, o.capacity)
		was.last, was.lastAdding = o.weight, o.capacity
	}
}

// price of the offering for nodes of the pool.
func (v *overlaid) price(p *pool, o *v1alpha1.Offering) model.Money {
	usd := o.Price
	if overlay, ok := v.prices[priceKey{p, o}]; ok {
		usd, _ = adjusted(usd, overlay.change)
	}
	return model.Dollars(usd)
}

// capacity that overlays add to nodes of the pool and type.
func (v *overlaid) capacity(p *pool, t *v1alpha1.InstanceType) corev1.ResourceList {
	if overlay, ok := v.capacities[capacityKey{p, t}]; ok {
		return overlay.add
	}
	return nil
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
