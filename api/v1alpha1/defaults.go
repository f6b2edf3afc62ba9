package v1alpha1

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// DefaultWorkLimit is about ten seconds of one core.
const DefaultWorkLimit = 20_000_000_000

// Default returns p with every absent field at its default: no pointer of the
// result is nil but MaxPremium, which has none.
func (p Policy) Default() Policy {
	setDefault(&p.PoolOrder, PoolOrderPrice)
	setDefault(&p.QuietScope, QuietScopeSource)
	setDefault(&p.Drift, DriftAct)

	fill(&p.NodeFee, 0)
	fill(&p.Savings, Savings{})
	fill(&p.EvictionCost, 0.01)
	fill(&p.StartupCost, 0)
	fill(&p.Horizon, metav1.Duration{Duration: 24 * time.Hour})
	fill(&p.Consolidate, true)
	fill(&p.MovePending, *p.Consolidate)
	if !*p.Consolidate {
		p.MovePending = ptr.To(false)
	}
	fill(&p.SpotFlexibility, 1)
	fill(&p.SpotRisk, 0)
	fill(&p.SpotDiversity, 1)
	fill(&p.QuietPeriod, metav1.Duration{})
	fill(&p.ProtectJobs, false)
	fill(&p.EvictBarePods, false)
	fill(&p.RepairAfter, metav1.Duration{Duration: 30 * time.Minute})
	fill(&p.Gap, 0.001)
	fill(&p.WorkLimit, DefaultWorkLimit)
	fill(&p.TimeLimit, metav1.Duration{Duration: 30 * time.Second})
	fill(&p.Seed, 0)
	fill(&p.ExpandWorkloads, false)
	if len(p.SchedulerNames) == 0 {
		p.SchedulerNames = []string{DefaultScheduler}
	}

	fill(&p.Preferences, Preferences{})
	prefs := *p.Preferences
	fill(&prefs.PodAffinityWeight, 0.000001)
	fill(&prefs.NodeAffinityWeight, 0.000001)
	fill(&prefs.SoftSpread, 0.0001)
	fill(&prefs.SoftTaint, 0.0001)
	fill(&prefs.DefaultTopologySpread, false)
	p.Preferences = &prefs
	return p
}

func setDefault(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

func fill[T any](field **T, value T) {
	if *field == nil {
		*field = ptr.To(value)
	}
}
