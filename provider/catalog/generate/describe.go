package main

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mortise-io/mortise/provider/catalog"
)

// old is the year before which a price list needs a warning.
const old = 2024

// describe says what a catalog holds, where it is from, and what its reader must know.
func describe(s *source) (catalog.Info, error) {
	info := catalog.Info{
		Name:      s.Provider,
		Provider:  s.Provider,
		Region:    s.Region,
		Zones:     s.Zones,
		Currency:  s.Currency,
		Estimated: s.savings != nil,
		Synthetic: s.Synthetic,
		Sources:   origins(s),
	}
	if s.Region != "" {
		info.Name += "-" + s.Region
	}
	if s.PriceAsOf != "" {
		asOf, err := date(s.PriceAsOf)
		if err != nil {
			return info, fmt.Errorf("%s: priceAsOf: %w", info.Name, err)
		}
		info.PricesAsOf = metav1.NewTime(asOf)
	}
	info.InstanceTypes = len(s.Types)
	for _, t := range s.Types {
		if t.OnDemand != nil {
			info.Offerings += len(s.Zones)
		}
		if t.Spot != nil {
			info.Offerings += len(s.Zones)
			info.Spot = true
		}
	}
	info.Notes = notes(s, info)
	return info, nil
}

func notes(s *source, info catalog.Info) []string {
	if s.Synthetic {
		return []string{"instance types and prices are synthetic: made up by Karpenter's kwok provider, not for sale anywhere"}
	}
	var out []string
	if asOf := info.PricesAsOf; asOf.Year() < old {
		out = append(out, fmt.Sprintf("prices are of %s, and no instance type is newer than that", asOf.Format("January 2006")))
	}
	switch {
	case info.Estimated:
		out = append(out, fmt.Sprintf("spot prices are estimates: on-demand less the average saving published in %s, the same in every zone; types without a published saving have no spot price", month(s.savings.AsOf)))
	case !info.Spot:
		out = append(out, "no spot prices: nothing can be planned on spot")
	}
	if s.Provider == "gcp" {
		out = append(out, "vCPU and memory follow from the names of the machine types")
	}
	return append(out, fmt.Sprintf("zones are assumed: every instance type in each of %s", strings.Join(s.Zones, ", ")))
}

func origins(s *source) []string {
	var out []string
	add := func(what string, o *origin) {
		if o != nil && o.Repo != "" {
			out = append(out, fmt.Sprintf("%s: github.com/%s %s at %.12s of %.10s, %s", what, o.Repo, o.Path, o.Commit, o.CommitDate, o.License))
		}
	}
	add("prices", &s.Prices)
	if s.savings != nil {
		add("spot savings", &s.savings.Source)
	}
	add("types", &s.Specs)
	add("allocatable", &s.Allocatable)
	add("allocatable", s.Specs.Allocatable)
	return out
}

// month of a timestamp that starts with a date, as a word and a year.
func month(timestamp string) string {
	day, _, _ := strings.Cut(timestamp, " ")
	t, err := date(day)
	if err != nil {
		return timestamp
	}
	return t.Format("January 2006")
}

func date(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("expected a date, got %q", s)
}
