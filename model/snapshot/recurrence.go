package snapshot

import (
	"errors"
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

// newRecurrence reads a cron schedule that goes by the wall clock of a zone.
func newRecurrence(schedule, zone string, length time.Duration) (recurrence, error) {
	location, err := parseZone(zone)
	if err != nil {
		return recurrence{}, fmt.Errorf("time zone %q: %w", zone, err)
	}
	parsed, err := parseSchedule(schedule)
	if err != nil {
		return recurrence{}, fmt.Errorf("schedule %q: %w", schedule, err)
	}
	if length <= 0 {
		return recurrence{}, fmt.Errorf("schedule %q: duration %s is not positive", schedule, length)
	}
	return recurrence{cron: parsed, zone: location, length: length}, nil
}

// parseSchedule reads a cron schedule of five fields, or a macro such as
// @daily. Zones have a field of their own, and @every depends on when it began.
func parseSchedule(schedule string) (cron.Schedule, error) {
	s := strings.TrimSpace(schedule)
	if strings.Contains(s, "TZ=") || strings.HasPrefix(s, "@every") {
		return nil, errors.New("expected five fields, or a macro such as @daily")
	}
	return cron.ParseStandard(s)
}

// parseZone finds an IANA time zone; no name means UTC. That of whoever plans is none.
func parseZone(zone string) (*time.Location, error) {
	location, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return nil, errors.New("expected an IANA one such as Europe/Berlin")
	}
	return location, nil
}

// open says whether the schedule hits in (at − length, at].
func (r recurrence) open(at time.Time) bool {
	hit := r.cron.Next(at.Add(-r.length).In(r.zone))
	return !hit.IsZero() && !hit.After(at)
}
