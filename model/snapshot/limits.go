package snapshot

import (
	"fmt"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// priceLimit reads an amount in USD per hour.
func priceLimit(text string) (model.Money, error) {
	q, err := resource.ParseQuantity(text)
	if err != nil || q.Sign() < 0 {
		return 0, fmt.Errorf("expected USD per hour, such as 1.50, got %q", text)
	}
	return money(q), nil
}

// money is a quantity of USD per hour.
func money(q resource.Quantity) model.Money {
	return model.Money(inScale(q, resource.Nano, math.MaxInt64))
}

// limitedResources are the resources that some limit counts.
func (c *Compiled) limitedResources() []string {
	var out []string
	for _, p := range c.pools {
		for name := range p.object.Spec.Limits {
			if name != v1alpha1.LimitNodes {
				out = append(out, string(name))
			}
		}
	}
	for name := range c.policy.Limits {
		if name != v1alpha1.LimitNodes && name != v1alpha1.LimitPerHour {
			out = append(out, name)
		}
	}
	return out
}

// modelLimits are the limits of the pools by index, then those of the policy.
func (c *Compiled) modelLimits() []model.Limit {
	var out []model.Limit
	for _, p := range c.pools {
		limits := p.object.Spec.Limits
		for _, name := range sortedKeys(limits) {
			out = append(out, c.limit(p.index, string(name), limits[name]))
		}
		if most, err := priceLimit(p.object.Annotations[v1alpha1.AnnotationPriceLimit]); err == nil {
			out = append(out, model.Limit{Pool: p.index, Measure: model.Spending, Max: int64(most)})
		}
	}
	for _, name := range sortedKeys(c.policy.Limits) {
		q := c.policy.Limits[name]
		if name == v1alpha1.LimitPerHour {
			out = append(out, model.Limit{Pool: model.None, Measure: model.Spending, Max: int64(money(q))})
		} else {
			out = append(out, c.limit(model.None, name, q))
		}
	}
	return out
}

func (c *Compiled) limit(pool model.PoolIndex, name string, q resource.Quantity) model.Limit {
	if name == v1alpha1.LimitNodes {
		return model.Limit{Pool: pool, Measure: model.Machines, Max: inScale(q, 0, math.MaxInt64)}
	}
	i, _ := slices.BinarySearch(c.Problem.Resources, name)
	return model.Limit{Pool: pool, Measure: model.Measure(i), Max: inScale(q, scaleOf(corev1.ResourceName(name)), math.MaxInt64)}
}
