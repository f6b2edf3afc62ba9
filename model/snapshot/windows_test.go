package snapshot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func allow(schedule, zone string, duration time.Duration) v1alpha1.Allow {
	return v1alpha1.Allow{Schedule: schedule, TimeZone: zone, Duration: metav1.Duration{Duration: duration}}
}

func TestARecurrenceIsReadByTheWallClock(t *testing.T) {
	tests := []struct {
		name, schedule, zone string
		duration             time.Duration
		at                   string
		want                 bool
	}{
		{"at the hit", "0 2 * * *", "", time.Hour, "2026-12-01T02:00:00Z", true},
		{"a second before", "0 2 * * *", "", time.Hour, "2026-12-01T01:59:59Z", false},
		{"a second before the end", "0 2 * * *", "", time.Hour, "2026-12-01T02:59:59Z", true},
		{"at the end", "0 2 * * *", "", time.Hour, "2026-12-01T03:00:00Z", false},
		{"past midnight", "0 23 * * *", "", 3 * time.Hour, "2026-12-02T01:30:00Z", true},
		{"in the night's first hour of the month", "0 23 * * 1", "", 3 * time.Hour, "2026-12-01T01:30:00Z", true},

		{"two o'clock in Berlin is one in winter", "0 2 * * *", "Europe/Berlin", time.Hour, "2026-12-01T01:00:00Z", true},
		{"and midnight in summer", "0 2 * * *", "Europe/Berlin", time.Hour, "2026-07-01T00:00:00Z", true},
		{"and not one in summer", "0 2 * * *", "Europe/Berlin", time.Hour, "2026-07-01T01:00:00Z", false},
		{"half an hour off in Kolkata", "0 2 * * *", "Asia/Kolkata", time.Hour, "2026-11-30T20:30:00Z", true},
		{"Monday in Tokyo is Sunday here", "0 1 * * mon", "Asia/Tokyo", time.Hour, "2026-11-29T16:10:00Z", true},

		// Clocks go forward on 2026-03-29 and back on 2026-10-25, at 01:00 UTC.
		{"open across the hour that is left out", "30 1 * * *", "Europe/Berlin", 2 * time.Hour, "2026-03-29T02:29:00Z", true},
		{"and two hours later closed", "30 1 * * *", "Europe/Berlin", 2 * time.Hour, "2026-03-29T02:31:00Z", false},
		{"a hit in the hour that is left out does not come", "30 2 * * *", "Europe/Berlin", time.Hour, "2026-03-29T01:15:00Z", false},
		{"the day after the clocks went back", "0 2 * * *", "Europe/Berlin", time.Hour, "2026-10-26T00:30:00Z", false},
		{"and an hour later", "0 2 * * *", "Europe/Berlin", time.Hour, "2026-10-26T01:30:00Z", true},
		{"open in the hour that comes twice", "30 1 * * 0", "Europe/Berlin", 3 * time.Hour, "2026-10-25T02:00:00Z", true},
		{"and closed in time", "30 1 * * 0", "Europe/Berlin", 3 * time.Hour, "2026-10-25T04:00:00Z", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := newRecurrence(tt.schedule, tt.zone, tt.duration)
			require.NoError(t, err)
			at, err := time.Parse(time.RFC3339, tt.at)
			require.NoError(t, err)
			require.Equal(t, tt.want, r.open(at))
		})
	}
}

func TestRecurrencesThatCannotBeRead(t *testing.T) {
	tests := []struct {
		name, schedule, zone string
		duration             time.Duration
		want                 string
	}{
		{"an hour that is none", "0 24 * * *", "", time.Hour, `schedule "0 24 * * *"`},
		{"too few fields", "0 2 * *", "", time.Hour, `schedule "0 2 * *"`},
		{"a zone of its own", "CRON_TZ=Asia/Tokyo 0 2 * * *", "", time.Hour, "expected five fields"},
		{"no fixed hour", "@every 1h", "", time.Hour, "expected five fields"},
		{"a zone that is none", "0 2 * * *", "Europe/Atlantis", time.Hour, `time zone "Europe/Atlantis"`},
		{"the zone of whoever plans", "0 2 * * *", "Local", time.Hour, `time zone "Local"`},
		{"no duration", "0 2 * * *", "", 0, "duration 0s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newRecurrence(tt.schedule, tt.zone, tt.duration)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestWindows(t *testing.T) {
	open, shut := allow("0 11 * * *", "", 2*time.Hour), allow("0 2 * * *", "", time.Hour) // it is noon
	tests := []struct {
		name    string
		windows []v1alpha1.Window
		empty   string // what keeps an empty node, a used one, a drifted one
		used    string
		drifted string
	}{
		{name: "none given"},
		{name: "open", windows: []v1alpha1.Window{{Allow: []v1alpha1.Allow{open}}}},
		{"shut", []v1alpha1.Window{{Allow: []v1alpha1.Allow{shut}}}, v1alpha1.KeptWindow, v1alpha1.KeptWindow, v1alpha1.KeptWindow},
		{name: "one of several times is open", windows: []v1alpha1.Window{{Allow: []v1alpha1.Allow{shut, open}}}},
		{"no time at all", []v1alpha1.Window{{}}, v1alpha1.KeptWindow, v1alpha1.KeptWindow, v1alpha1.KeptWindow},
		{"one of several windows is shut", []v1alpha1.Window{{Allow: []v1alpha1.Allow{open}}, {Allow: []v1alpha1.Allow{shut}}}, v1alpha1.KeptWindow, v1alpha1.KeptWindow, v1alpha1.KeptWindow},
		{name: "shut for a reason", windows: []v1alpha1.Window{{Reasons: []string{"Underutilized"}, Allow: []v1alpha1.Allow{shut}}}, used: v1alpha1.KeptWindow},
		{name: "shut for drift", windows: []v1alpha1.Window{{Reasons: []string{"Drifted"}, Allow: []v1alpha1.Allow{shut}}}, drifted: v1alpha1.KeptWindow},
		{"shut for this pool", []v1alpha1.Window{{NodePools: []string{"other", "default"}, Allow: []v1alpha1.Allow{shut}}}, v1alpha1.KeptWindow, v1alpha1.KeptWindow, v1alpha1.KeptWindow},
		{name: "shut for another pool", windows: []v1alpha1.Window{{NodePools: []string{"other"}, Allow: []v1alpha1.Allow{shut}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			empty := newTestMachine("n1")
			used := newTestMachine("n2", withPods(newTestPod("a")))
			drifted := newTestMachine("n3", claimSays(karpv1.ConditionTypeDrifted))
			c := standing(empty, used, drifted)
			c.policy.Windows = tt.windows
			c.disrupt(nil)
			require.Equal(t, tt.empty, empty.voluntary)
			require.Equal(t, tt.used, used.voluntary)
			require.Equal(t, tt.drifted, drifted.drift)
			require.Empty(t, c.Warnings)
		})
	}
}
