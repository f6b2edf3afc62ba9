package benchmarks

import (
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

// Ranges are what runs may come to.
type Ranges struct {
	Solve map[string]SolveRanges `json:"solve"`
	VBP   struct {
		// Proven is the least share of packings, in percent, that the solver proves optimal.
		Proven Range `json:"provenPercent"`
	} `json:"vbp"`
}

// SolveRanges are the upper limits of an instance's figures.
type SolveRanges struct {
	Gap          *Range `json:"gapPercent"`
	CPUSeconds   *Range `json:"cpuSeconds"`
	FirstSeconds *Range `json:"firstSeconds,omitempty"` // until within 1 %
	PeakMiB      *Range `json:"peakMiB,omitempty"`
}

// Range is one limit.
type Range struct {
	// Limit is what no run may pass, Target what is asked of the solver; zero if
	// nothing is. They differ where the solver is not there yet, or is better.
	Limit  float64 `json:"limit"`
	Target float64 `json:"target,omitempty"`
	// Run is where the limit comes from: commit, date and figure.
	Run string `json:"run"`
}

// ReadRanges reads benchmarks/ranges.yaml. root is the folder of the module.
func ReadRanges(root string) (*Ranges, error) {
	path := root + "/benchmarks/ranges.yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &Ranges{}
	if err := yaml.UnmarshalStrict(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// figure is one that has a range.
type figure struct {
	name  string
	value float64
	r     *Range
}

func (s *SolveRanges) figures(m *Record) []figure {
	first := m.FirstSeconds
	if first == 0 && m.Gap() > 0.01 {
		first = m.CPUSeconds // not before the end, at the earliest
	}
	return []figure{
		{"gap %", 100 * m.Gap(), s.Gap}, {"CPU s", m.CPUSeconds, s.CPUSeconds},
		{"s to 1 %", first, s.FirstSeconds}, {"MiB", float64(m.PeakMiB), s.PeakMiB},
	}
}

// Missed lists the targets that the run does not meet, with its figures.
func (s *SolveRanges) Missed(m *Record) []string {
	var out []string
	for _, f := range s.figures(m) {
		if f.r != nil && f.r.Target > 0 && f.value > f.r.Target {
			out = append(out, fmt.Sprintf("%s: %.4g of %g", f.name, f.value, f.r.Target))
		}
	}
	return out
}

// Passed lists the limits that the run passes, with its figures.
func (s *SolveRanges) Passed(m *Record) []string {
	var out []string
	for _, f := range s.figures(m) {
		if f.r != nil && f.value > f.r.Limit {
			out = append(out, fmt.Sprintf("%s: %.4g of %g", f.name, f.value, f.r.Limit))
		}
	}
	return out
}
