package snapshot

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // zones are the same on every machine that plans

	"github.com/robfig/cron/v3"
)

// recurrence is a stretch of time that comes again and again: it opens at
// every hit of a cron schedule, and stays open for a length of time.
type recurrence struct {
	cron   cron.Schedule
	zone   *time.Location
	length time.Duration
}

// newRecurrence reads a five-field cron schedule or an @-macro, to be read by
// the wall clock of an IANA zone; no zone means UTC.
func newRecurrence(schedule, zone string, length time.Duration) (recurrence, error) {
	location, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return recurrence{}, fmt.Errorf("time zone %q: unknown", zone)
	}
	if strings.Contains(schedule, "TZ=") || strings.HasPrefix(strings.TrimSpace(schedule), "@every") {
		return recurrence{}, fmt.Errorf("schedule %q: want five fields, or a macro such as @daily", schedule)
	}
	parsed, err := cron.ParseStandard(schedule)
	if err != nil {
		return recurrence{}, fmt.Errorf("schedule %q: %w", schedule, err)
	}
	if length <= 0 {
		return recurrence{}, fmt.Errorf("schedule %q: duration %s is not positive", schedule, length)
	}
	return recurrence{cron: parsed, zone: location, length: length}, nil
}

// open says whether the schedule hits in (at − length, at].
func (r recurrence) open(at time.Time) bool {
	hit := r.cron.Next(at.Add(-r.length).In(r.zone))
	return !hit.IsZero() && !hit.After(at)
}
