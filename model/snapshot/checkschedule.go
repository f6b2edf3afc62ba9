package snapshot

import (
	"strings"
	"time"
	_ "time/tzdata" // the same time zones on every machine

	"github.com/robfig/cron/v3"

	"github.com/mortise-io/mortise/api/fields"
)

// checkSchedule says if a cron schedule is not one of five fields or a macro.
// Time zones have a field of their own, and @every depends on when it began.
func checkSchedule(path, schedule string) *fields.Fault {
	const expected = "expected a cron schedule of five fields, or a macro such as @daily, got %q"
	s := strings.TrimSpace(schedule)
	for _, prefix := range []string{"TZ=", "CRON_TZ=", "@every"} {
		if strings.HasPrefix(s, prefix) {
			return fields.Faultf(path, expected, schedule)
		}
	}
	if _, err := cron.ParseStandard(s); err != nil {
		return fields.Faultf(path, expected, schedule)
	}
	return nil
}

// checkZone says if a time zone is not an IANA one. Empty means UTC.
func checkZone(path, zone string) *fields.Fault {
	if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
		return fields.Faultf(path, "expected an IANA time zone such as Europe/Berlin, got %q", zone)
	}
	return nil
}
