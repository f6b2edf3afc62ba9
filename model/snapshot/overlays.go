package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

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
