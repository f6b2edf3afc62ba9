package snapshot

import (
	"cmp"
	"math"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// checkPolicy says what the first field is that no policy can have, and what
// was expected. The path is where the policy stands.
func checkPolicy(p *v1alpha1.Policy, path string) *fault {
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

func checkOption(p *v1alpha1.Policy, path string) *fault {
	option := func(name, got string, words ...string) *fault {
		if got == "" {
			return nil
		}
		return checkWord(path+"."+name, got, words...)
	}
	return cmp.Or(
		option("poolOrder", p.PoolOrder, v1alpha1.PoolOrderPrice, v1alpha1.PoolOrderWeight),
		option("quietScope", p.QuietScope, v1alpha1.QuietScopeSource, v1alpha1.QuietScopeSourceAndDestination),
		option("drift", p.Drift, v1alpha1.DriftAct, v1alpha1.DriftReport),
	)
}

func checkAmounts(p *v1alpha1.Policy, path string) *fault {
	savings := v1alpha1.Savings{}
	if p.Savings != nil {
		savings = *p.Savings
	}
	return cmp.Or(
		checkNumber(path+".nodeFee", p.NodeFee, dollars),
		checkNumber(path+".savings.percent", &savings.Percent, percentage),
		checkNumber(path+".savings.perHour", &savings.PerHour, dollars),
		checkNumber(path+".evictionCost", p.EvictionCost, dollars),
		checkNumber(path+".startupCost", p.StartupCost, dollars),
		checkDuration(path+".horizon", p.Horizon, time.Minute),
		checkCount(path+".spotFlexibility", p.SpotFlexibility, 1),
		checkNumber(path+".spotRisk", p.SpotRisk, dollars),
		checkNumber(path+".spotDiversity", p.SpotDiversity, fraction),
		checkDuration(path+".quietPeriod", p.QuietPeriod, 0),
		checkDuration(path+".repairAfter", p.RepairAfter, 0),
		checkNumber(path+".maxPremium", p.MaxPremium, notNegative),
		checkNumber(path+".gap", p.Gap, belowOne),
		checkDuration(path+".timeLimit", p.TimeLimit, time.Nanosecond),
	)
}

func checkSelectedAmounts(p *v1alpha1.Policy, path string) *fault {
	check := func(path, name string, amount float64, selector *metav1.LabelSelector) *fault {
		return cmp.Or(checkNumber(path+"."+name, &amount, dollars), checkSelector(path+".selector", selector))
	}
	for i, fee := range p.NodeFees {
		if f := check(atIndex(path+".nodeFees", i), "fee", fee.Fee, fee.Selector); f != nil {
			return f
		}
	}
	for i, cost := range p.StartupCosts {
		if f := check(atIndex(path+".startupCosts", i), "cost", cost.Cost, cost.Selector); f != nil {
			return f
		}
	}
	for i, penalty := range p.OfferingPenalties {
		if f := check(atIndex(path+".offeringPenalties", i), "perHour", penalty.PerHour, penalty.Selector); f != nil {
			return f
		}
	}
	return nil
}

func checkWindows(p *v1alpha1.Policy, path string) *fault {
	for i, w := range p.Windows {
		here := atIndex(path, i)
		for k, reason := range w.Reasons {
			if f := checkWord(atIndex(here+".reasons", k), reason, v1alpha1.RemovalEmpty, v1alpha1.RemovalUnderutilized, v1alpha1.RemovalDrifted); f != nil {
				return f
			}
		}
		if len(w.Allow) == 0 {
			return faultf(here+".allow", "missing, expected at least one time at which the window is open")
		}
		for k := range w.Allow {
			if f := checkAllow(&w.Allow[k], atIndex(here+".allow", k)); f != nil {
				return f
			}
		}
	}
	return nil
}

func checkAllow(a *v1alpha1.Allow, path string) *fault {
	return cmp.Or(
		checkSchedule(path+".schedule", a.Schedule),
		checkZone(path+".timeZone", a.TimeZone),
		checkDuration(path+".duration", &a.Duration, time.Nanosecond),
	)
}

func checkPreferences(p *v1alpha1.Preferences, path string) *fault {
	if p == nil {
		return nil
	}
	return cmp.Or(
		checkNumber(path+".podAffinityWeight", p.PodAffinityWeight, notNegative),
		checkNumber(path+".nodeAffinityWeight", p.NodeAffinityWeight, notNegative),
		checkNumber(path+".softSpread", p.SoftSpread, notNegative),
		checkNumber(path+".softTaint", p.SoftTaint, notNegative),
	)
}

func checkBalance(balances []v1alpha1.Balance, path string) *fault {
	for i, b := range balances {
		here := atIndex(path, i)
		if len(validation.IsQualifiedName(b.TopologyKey)) > 0 {
			return faultf(here+".topologyKey", "expected a label key, got %q", b.TopologyKey)
		}
		if f := checkNumber(here+".value", &b.Value, notNegative); f != nil {
			return f
		}
		sum := 0.0
		for _, zone := range sortedKeys(b.Shares) {
			share := b.Shares[zone]
			if f := checkNumber(here+".shares."+zone, &share, notNegative); f != nil {
				return f
			}
			sum += share
		}
		if len(b.Shares) > 0 && sum == 0 {
			return faultf(here+".shares", "expected at least one share above 0")
		}
	}
	return nil
}

func checkLimits(p *v1alpha1.Policy, path string) *fault {
	for _, name := range sortedKeys(p.Limits) {
		if q := p.Limits[name]; q.Sign() < 0 {
			return faultf(atKey(path, name), "expected a quantity that is not negative, got %s", q.String())
		}
	}
	return nil
}

func checkManage(adoptions []v1alpha1.Manage, path string) *fault {
	for i, m := range adoptions {
		here := atIndex(path, i)
		if m.Selector == nil {
			return faultf(here+".selector", "missing, expected a label selector")
		}
		if m.NodePool == "" {
			return faultf(here+".nodePool", "missing, expected the name of a NodePool")
		}
		if f := checkSelector(here+".selector", m.Selector); f != nil {
			return f
		}
	}
	return nil
}

func checkSchedulers(names []string, path string) *fault {
	if i := slices.Index(names, ""); i >= 0 {
		return faultf(atIndex(path, i), "empty, expected the name of a scheduler")
	}
	return nil
}

// numberRange says which numbers a field can have.
type numberRange struct {
	holds    func(float64) bool
	expected string
}

// mostUSD is more than any machine costs an hour.
const mostUSD = 1_000_000

var (
	notNegative = numberRange{func(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }, "a number that is not negative"}
	dollars     = numberRange{func(x float64) bool { return x >= 0 && x <= mostUSD }, "USD from 0 to 1000000"}
	percentage  = numberRange{func(x float64) bool { return x >= 0 && x <= 100 }, "a percentage from 0 to 100"}
	fraction    = numberRange{func(x float64) bool { return x > 0 && x <= 1 }, "a share above 0 and at most 1"}
	belowOne    = numberRange{func(x float64) bool { return x >= 0 && x < 1 }, "a gap of at least 0 and below 1"}
)

func checkNumber(path string, x *float64, r numberRange) *fault {
	if x == nil || r.holds(*x) {
		return nil
	}
	return faultf(path, "expected %s, got %v", r.expected, *x)
}

func checkCount(path string, n *int32, least int32) *fault {
	if n == nil || *n >= least {
		return nil
	}
	return faultf(path, "expected at least %d, got %d", least, *n)
}

func checkDuration(path string, d *metav1.Duration, least time.Duration) *fault {
	switch {
	case d == nil || d.Duration >= least:
		return nil
	case least == 0:
		return faultf(path, "expected a duration that is not negative, got %s", d.Duration)
	case least > time.Nanosecond:
		return faultf(path, "expected a duration of at least %s, got %s", least, d.Duration)
	}
	return faultf(path, "expected a duration above 0, got %s", d.Duration)
}

func checkSelector(path string, s *metav1.LabelSelector) *fault {
	if _, err := metav1.LabelSelectorAsSelector(s); err != nil {
		return faultf(path, "expected a label selector: %v", err)
	}
	return nil
}
