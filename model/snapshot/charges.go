package snapshot

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// charges are what the policy adds to the price of a node.
type charges struct {
	nodeFee, spotRisk, startup model.Money
	fees, penalties, startups  []charge
}

// charge is an amount for the nodes that a selector matches.
type charge struct {
	selector labels.Selector
	amount   model.Money
}

func newCharges(p *v1alpha1.Policy) (charges, error) {
	hours := p.Horizon.Hours()
	out := charges{
		nodeFee:  model.Dollars(*p.NodeFee),
		spotRisk: model.Dollars(*p.SpotRisk),
		startup:  spread(*p.StartupCost, hours),
	}
	for i, f := range p.NodeFees {
		selector, err := policySelector(f.Selector, "nodeFees", i)
		if err != nil {
			return charges{}, err
		}
		out.fees = append(out.fees, charge{selector, model.Dollars(f.Fee)})
	}
	for i, f := range p.OfferingPenalties {
		selector, err := policySelector(f.Selector, "offeringPenalties", i)
		if err != nil {
			return charges{}, err
		}
		out.penalties = append(out.penalties, charge{selector, model.Dollars(f.PerHour)})
	}
	for i, f := range p.StartupCosts {
		selector, err := policySelector(f.Selector, "startupCosts", i)
		if err != nil {
			return charges{}, err
		}
		out.startups = append(out.startups, charge{selector, spread(f.Cost, hours)})
	}
	return out, nil
}

// policySelector reads a selector of the policy; an absent one matches every node.
func policySelector(s *metav1.LabelSelector, field string, index int) (labels.Selector, error) {
	if s == nil {
		return labels.Everything(), nil
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return nil, fmt.Errorf("policy.%s[%d].selector: %w", field, index, err)
	}
	return selector, nil
}

// spread is a one-off cost in USD, spread over so many hours.
func spread(usd, hours float64) model.Money {
	if hours <= 0 {
		return model.Dollars(usd)
	}
	return model.Dollars(usd / hours)
}

// fee of a node with these labels, per hour. Fees add up.
func (c *charges) fee(l labels.Set) model.Money {
	return c.nodeFee + sum(c.fees, l)
}

// penalty of a node with these labels, per hour. Penalties add up.
func (c *charges) penalty(l labels.Set, spot bool) model.Money {
	p := sum(c.penalties, l)
	if spot {
		p += c.spotRisk
	}
	return p
}

// launch is the one-off cost of launching a node with these labels, spread over
// the horizon. The last selector that matches decides.
func (c *charges) launch(l labels.Set) model.Money {
	cost := c.startup
	for _, s := range c.startups {
		if s.selector.Matches(l) {
			cost = s.amount
		}
	}
	return cost
}

func sum(list []charge, l labels.Set) model.Money {
	var total model.Money
	for _, f := range list {
		if f.selector.Matches(l) {
			total += f.amount
		}
	}
	return total
}
