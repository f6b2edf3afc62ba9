package snapshot

import (
	"cmp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

// checkSnapshot says what the first field of a Snapshot document is that none can have.
func checkSnapshot(s *v1alpha1.Snapshot) *fields.Fault {
	return cmp.Or(fields.InstanceTypes("$.instanceTypes", s.InstanceTypes), checkPolicy(&s.Policy, "$.policy"))
}

// checkPolicy says what the first field is that no policy can have, and what
// was expected. The path is where the policy stands.
func checkPolicy(p *v1alpha1.Policy, path string) *fields.Fault {
	return cmp.Or(
		checkOption(p, path),
		checkAmounts(p, path),
		checkSelectedAmounts(p, path),
		checkWindows(p, path+".windows"),
		checkPreferences(p.Preferences, path+".preferences"),
		checkBalance(p.Balance, path+".balance"),
		checkLimits(p, path+".limits"),
		checkManage(p.Manage, path+".manage"),
		checkSchedulers(p.SchedulerNames, path+".schedulerNames"),
	)
}

func checkOption(p *v1alpha1.Policy, path string) *fields.Fault {
	option := func(name, got string, words ...string) *fields.Fault {
		if got == "" {
			return nil
		}
		return fields.Word(path+"."+name, got, words...)
	}
	return cmp.Or(
		option("poolOrder", p.PoolOrder, v1alpha1.PoolOrderPrice, v1alpha1.PoolOrderWeight),
		option("quietScope", p.QuietScope, v1alpha1.QuietScopeSource, v1alpha1.QuietScopeSourceAndDestination),
		option("drift", p.Drift, v1alpha1.DriftAct, v1alpha1.DriftReport),
	)
}

func checkAmounts(p *v1alpha1.Policy, path string) *fields.Fault {
	savings := v1alpha1.Savings{}
	if p.Savings != nil {
		savings = *p.Savings
	}
	return cmp.Or(
		fields.Number(path+".nodeFee", p.NodeFee, fields.Dollars),
		fields.Number(path+".savings.percent", &savings.Percent, percentage),
		fields.Number(path+".savings.perHour", &savings.PerHour, fields.Dollars),
		fields.Number(path+".evictionCost", p.EvictionCost, fields.Dollars),
		fields.Number(path+".startupCost", p.StartupCost, fields.Dollars),
		checkDuration(path+".horizon", p.Horizon, time.Minute),
		checkCount(path+".spotFlexibility", p.SpotFlexibility, 1),
		fields.Number(path+".spotRisk", p.SpotRisk, fields.Dollars),
		fields.Number(path+".spotDiversity", p.SpotDiversity, fraction),
		checkDuration(path+".quietPeriod", p.QuietPeriod, 0),
		checkDuration(path+".repairAfter", p.RepairAfter, 0),
		fields.Number(path+".maxPremium", p.MaxPremium, fields.NotNegative),
		fields.Number(path+".gap", p.Gap, belowOne),
		checkDuration(path+".timeLimit", p.TimeLimit, time.Nanosecond),
	)
}

func checkSelectedAmounts(p *v1alpha1.Policy, path string) *fields.Fault {
	check := func(path, name string, amount float64, selector *metav1.LabelSelector) *fields.Fault {
		return cmp.Or(fields.Number(path+"."+name, &amount, fields.Dollars), checkSelector(path+".selector", selector))
	}
	for i, fee := range p.NodeFees {
		if f := check(fields.Index(path+".nodeFees", i), "fee", fee.Fee, fee.Selector); f != nil {
			return f
		}
	}
	for i, cost := range p.StartupCosts {
		if f := check(fields.Index(path+".startupCosts", i), "cost", cost.Cost, cost.Selector); f != nil {
			return f
		}
	}
	for i, penalty := range p.OfferingPenalties {
		if f := check(fields.Index(path+".offeringPenalties", i), "perHour", penalty.PerHour, penalty.Selector); f != nil {
			return f
		}
	}
	return nil
}

func checkWindows(p *v1alpha1.Policy, path string) *fields.Fault {
	for i, w := range p.Windows {
		here := fields.Index(path, i)
		for k, reason := range w.Reasons {
			if f := fields.Word(fields.Index(here+".reasons", k), reason, v1alpha1.RemovalEmpty, v1alpha1.RemovalUnderutilized, v1alpha1.RemovalDrifted); f != nil {
				return f
			}
		}
		if len(w.Allow) == 0 {
			return fields.Faultf(here+".allow", "missing, expected at least one time at which the window is open")
		}
		for k := range w.Allow {
			if f := checkAllow(&w.Allow[k], fields.Index(here+".allow", k)); f != nil {
				return f
			}
		}
	}
	return nil
}

func checkAllow(a *v1alpha1.Allow, path string) *fields.Fault {
	return cmp.Or(
		checkSchedule(path+".schedule", a.Schedule),
		checkZone(path+".timeZone", a.TimeZone),
		checkDuration(path+".duration", &a.Duration, time.Nanosecond),
	)
}

func checkPreferences(p *v1alpha1.Preferences, path string) *fields.Fault {
	if p == nil {
		return nil
	}
	return cmp.Or(
		fields.Number(path+".podAffinityWeight", p.PodAffinityWeight, fields.NotNegative),
		fields.Number(path+".nodeAffinityWeight", p.NodeAffinityWeight, fields.NotNegative),
		fields.Number(path+".softSpread", p.SoftSpread, fields.NotNegative),
		fields.Number(path+".softTaint", p.SoftTaint, fields.NotNegative),
	)
}

func checkBalance(balances []v1alpha1.Balance, path string) *fields.Fault {
	for i, b := range balances {
		here := fields.Index(path, i)
		if len(validation.IsQualifiedName(b.TopologyKey)) > 0 {
			return fields.Faultf(here+".topologyKey", "expected a label key, got %q", b.TopologyKey)
		}
		if f := fields.Number(here+".value", &b.Value, fields.NotNegative); f != nil {
			return f
		}
		sum := 0.0
		for _, zone := range sortedKeys(b.Shares) {
			share := b.Shares[zone]
			if f := fields.Number(here+".shares."+zone, &share, fields.NotNegative); f != nil {
				return f
			}
			sum += share
		}
		if len(b.Shares) > 0 && sum == 0 {
			return fields.Faultf(here+".shares", "expected at least one share above 0")
		}
	}
	return nil
}

func checkLimits(p *v1alpha1.Policy, path string) *fields.Fault {
	for _, name := range sortedKeys(p.Limits) {
		if q := p.Limits[name]; q.Sign() < 0 {
			return fields.Faultf(fields.Key(path, name), "expected a quantity that is not negative, got %s", q.String())
		}
	}
	return nil
}

func checkManage(adoptions []v1alpha1.Manage, path string) *fields.Fault {
	for i, m := range adoptions {
		here := fields.Index(path, i)
		if m.Selector == nil {
			return fields.Faultf(here+".selector", "missing, expected a label selector")
		}
		if m.NodePool == "" {
			return fields.Faultf(here+".nodePool", "missing, expected the name of a NodePool")
		}
		if f := checkSelector(here+".selector", m.Selector); f != nil {
			return f
		}
	}
	return nil
}

func checkSchedulers(names []string, path string) *fields.Fault {
	if i := slices.Index(names, ""); i >= 0 {
		return fields.Faultf(fields.Index(path, i), "empty, expected the name of a scheduler")
	}
	return nil
}

var (
	percentage = fields.Range{Holds: func(x float64) bool { return x >= 0 && x <= 100 }, Expected: "a percentage from 0 to 100"}
	fraction   = fields.Range{Holds: func(x float64) bool { return x > 0 && x <= 1 }, Expected: "a share above 0 and at most 1"}
	belowOne   = fields.Range{Holds: func(x float64) bool { return x >= 0 && x < 1 }, Expected: "a gap of at least 0 and below 1"}
)

func checkCount(path string, n *int32, least int32) *fields.Fault {
	if n == nil || *n >= least {
		return nil
	}
	return fields.Faultf(path, "expected at least %d, got %d", least, *n)
}

func checkDuration(path string, d *metav1.Duration, least time.Duration) *fields.Fault {
	switch {
	case d == nil || d.Duration >= least:
		return nil
	case least == 0:
		return fields.Faultf(path, "expected a duration that is not negative, got %s", d.Duration)
	case least > time.Nanosecond:
		return fields.Faultf(path, "expected a duration of at least %s, got %s", least, d.Duration)
	}
	return fields.Faultf(path, "expected a duration above 0, got %s", d.Duration)
}

func checkSelector(path string, s *metav1.LabelSelector) *fields.Fault {
	if _, err := metav1.LabelSelectorAsSelector(s); err != nil {
		return fields.Faultf(path, "expected a label selector: %v", err)
	}
	return nil
}
