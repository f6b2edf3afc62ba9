package main

import "math"

// spotFile is the published reference of AWS spot savings.
type spotFile struct {
	Advisor savings `json:"advisor"`
}

type savings struct {
	AsOf   string `json:"asOf"`
	Source origin `json:"source"`
	// Regions hold for each type the average saving over on-demand in percent,
	// and how often it is interrupted.
	Regions map[string]map[string][2]float64 `json:"regions"`
}

// estimate gives each type of s that is in the reference for its region the spot price
//
//	on-demand × (1 − saving/100), rounded to 6 digits.
func (a *savings) estimate(s *source) {
	region, ok := a.Regions[s.Region]
	if !ok {
		return
	}
	s.savings = a
	for i, t := range s.Types {
		saving, known := region[t.Name]
		if t.OnDemand == nil || !known {
			continue
		}
		price := math.Round(*t.OnDemand*(100-saving[0])/100*1e6) / 1e6
		s.Types[i].Spot = &price
	}
}
