package verify

import (
	"slices"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// windowOpen says whether every window of the policy for the pool and reason is open now.
func (c *cluster) windowOpen(pool, reason string) bool {
	for _, w := range c.policy.Windows {
		if len(w.NodePools) > 0 && !slices.Contains(w.NodePools, pool) || len(w.Reasons) > 0 && !slices.Contains(w.Reasons, reason) {
			continue
		}
		if !slices.ContainsFunc(w.Allow, c.allowed) {
			return false
		}
	}
	return true
}

func (c *cluster) allowed(a v1alpha1.Allow) bool {
	open, err := active(a.Schedule, a.TimeZone, a.Duration.Duration, c.now)
	return open && err == nil
}

// active says whether a hit of the cron schedule in the IANA time zone, UTC if
// empty, lies in (now − duration, now].
func active(schedule, zone string, duration time.Duration, now time.Time) (bool, error) {
	if zone == "" {
		zone = "UTC"
	}
	if _, err := time.LoadLocation(zone); err != nil {
		return false, err
	}
	s, err := cron.ParseStandard("CRON_TZ=" + zone + " " + schedule)
	if err != nil {
		return false, err
	}
	next := s.Next(now.UTC().Add(-duration))
	return !next.IsZero() && !next.After(now), nil
}
