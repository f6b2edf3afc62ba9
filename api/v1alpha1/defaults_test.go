package v1alpha1

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

func TestTheZeroPolicyIsAGoodOne(t *testing.T) {
	p := Policy{}.Default()
	require.Equal(t, "price", p.PoolOrder)
	require.Equal(t, "source", p.QuietScope)
	require.Equal(t, "act", p.Drift)
	require.Zero(t, *p.NodeFee)
	require.Zero(t, *p.Savings)
	require.InDelta(t, 0.01, *p.EvictionCost, 0)
	require.Zero(t, *p.StartupCost)
	require.Equal(t, 24*time.Hour, p.Horizon.Duration)
	require.True(t, *p.Consolidate)
	require.True(t, *p.MovePending)
	require.Equal(t, int32(1), *p.SpotFlexibility)
	require.Zero(t, *p.SpotRisk)
	require.InDelta(t, 1, *p.SpotDiversity, 0)
	require.Zero(t, p.QuietPeriod.Duration)
	require.False(t, *p.ProtectJobs)
	require.False(t, *p.EvictBarePods)
	require.Equal(t, 30*time.Minute, p.RepairAfter.Duration)
	require.InDelta(t, 0.001, *p.Gap, 0)
	require.Equal(t, 30*time.Second, p.TimeLimit.Duration)
	require.Zero(t, *p.Seed)
	require.False(t, *p.ExpandWorkloads)
	require.Equal(t, []string{"default-scheduler"}, p.SchedulerNames)
	require.Equal(t, Preferences{
		PodAffinityWeight:     ptr.To(0.000001),
		NodeAffinityWeight:    ptr.To(0.000001),
		SoftSpread:            ptr.To(0.0001),
		SoftTaint:             ptr.To(0.0001),
		DefaultTopologySpread: ptr.To(false),
	}, *p.Preferences)
}

func TestDefaultLeavesNothingOpenButTheMaximumPremium(t *testing.T) {
	p := reflect.ValueOf(Policy{}.Default())
	for i := range p.NumField() {
		name := p.Type().Field(i).Name
		if p.Field(i).Kind() == reflect.Pointer {
			require.Equal(t, name == "MaxPremium", p.Field(i).IsNil(), name)
		}
	}
}

func TestDefaultKeepsWhatIsSet(t *testing.T) {
	set := Policy{
		PoolOrder:      PoolOrderWeight,
		Gap:            ptr.To(0.0),
		EvictionCost:   ptr.To(0.0),
		Horizon:        &metav1.Duration{Duration: time.Hour},
		MovePending:    ptr.To(false),
		SchedulerNames: []string{"mine"},
		Preferences:    &Preferences{SoftTaint: ptr.To(0.0)},
	}
	p := set.Default()
	require.Equal(t, PoolOrderWeight, p.PoolOrder)
	require.Zero(t, *p.Gap)
	require.Zero(t, *p.EvictionCost)
	require.Equal(t, time.Hour, p.Horizon.Duration)
	require.False(t, *p.MovePending)
	require.Equal(t, []string{"mine"}, p.SchedulerNames)
	require.Zero(t, *p.Preferences.SoftTaint)
	require.InDelta(t, 0.0001, *p.Preferences.SoftSpread, 0)

	require.Nil(t, set.Preferences.SoftSpread, "the policy itself is not changed")
	require.Equal(t, p, p.Default(), "defaults are a fixed point")
}

func TestWithoutConsolidationPendingPodsMoveNothing(t *testing.T) {
	require.False(t, *Policy{Consolidate: ptr.To(false)}.Default().MovePending)
	require.False(t, *Policy{Consolidate: ptr.To(false), MovePending: ptr.To(true)}.Default().MovePending)
}
