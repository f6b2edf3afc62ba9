package snapshot

import "github.com/mortise-io/mortise/api/fields"

// checkSchedule says if a cron schedule is none.
func checkSchedule(path, schedule string) *fields.Fault {
	if _, err := parseSchedule(schedule); err != nil {
		return fields.Faultf(path, "expected a cron schedule of five fields, or a macro such as @daily, got %q", schedule)
	}
	return nil
}

// checkZone says if a time zone is not an IANA one. Empty means UTC.
func checkZone(path, zone string) *fields.Fault {
	if _, err := parseZone(zone); err != nil {
		return fields.Faultf(path, "expected an IANA time zone such as Europe/Berlin, got %q", zone)
	}
	return nil
}
