package benchmarks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

// Packing is a problem of vector bin packing: items into as few equal bins as possible.
type Packing struct {
	ID       string             `json:"id"` // benchmark/class_items_dimensions_number
	N        int                `json:"n"`
	Capacity model.Quantities   `json:"capacity"`
	Items    []model.Quantities `json:"items"`
	// Known is the least number of bins, as published; zero where nobody knows.
	Known int `json:"opt"`
	// Best is the published heuristics' best.
	Best int `json:"best"`
}

// packingFiles are by benchmark.
var packingFiles = []string{"vbp/new.jsonl", "vbp/panigrahy.jsonl", "vbp/triplet.jsonl"}

// Packings are the published problems of at most so many items, in the files'
// order. The error is ErrNoData without a folder of data files.
func Packings(items int) ([]Packing, error) {
	var out []Packing
	for _, name := range packingFiles {
		path, err := dataFile(name)
		if err != nil {
			return nil, err
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(file))
		lines.Buffer(nil, len(file)+1)
		for lines.Scan() {
			var p Packing
			if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if p.N <= items {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// Problem has one shape, the bin, at a dollar, and one group for each distinct item.
func (k *Packing) Problem() *model.Problem {
	p := &model.Problem{Pools: []model.Pool{{Name: "bins", Budget: [model.NumBudgets]int{model.Unlimited, model.Unlimited, model.Unlimited}}}}
	for d := range k.Capacity {
		p.Resources = append(p.Resources, fmt.Sprintf("dimension-%d", d))
	}
	p.Shapes = []model.Shape{{Name: "bin", Allocatable: k.Capacity, Capacity: k.Capacity, Price: model.Dollar, Reservation: model.None}}
	p.Rules.SpotFlexibility = 1
	items := slices.Clone(k.Items)
	slices.SortFunc(items, func(a, b model.Quantities) int { return slices.Compare(b, a) })
	for i, item := range items {
		if i > 0 && slices.Equal(item, items[i-1]) {
			p.Groups[len(p.Groups)-1].Demand++
			continue
		}
		g := model.PodGroup{Name: fmt.Sprintf("item-%03d", len(p.Groups)), Request: item, Demand: 1, Origin: model.Origin{Pool: model.None}}
		g.Shapes.Add(0)
		p.Groups = append(p.Groups, g)
	}
	return p
}

// PackingRecord is what one packing has come to.
type PackingRecord struct {
	ID    string `json:"id"`
	Bins  int    `json:"bins"`
	Known int    `json:"known,omitempty"`
	Best  int    `json:"best"`
	// Bound is the solver's, in bins; LowerBound is that rounded up to whole ones.
	Bound      float64 `json:"bound"`
	LowerBound int     `json:"lowerBound"`
	// Optimal is the solver's own claim.
	Optimal bool              `json:"optimal"`
	Stop    solver.StopReason `json:"stop"`
	// Faults are rules that are broken, and claims that contradict what is published: none.
	Faults     []string `json:"faults,omitempty"`
	CPUSeconds float64  `json:"cpuSeconds"`
}

// RunPacking solves the packing with at most so much work; zero means the solver's default.
func RunPacking(ctx context.Context, k *Packing, work uint64) (PackingRecord, error) {
	p := k.Problem()
	meter := meter{used: cpuSeconds()}
	r, err := solver.Solve(ctx, p, solver.Options{WorkLimit: work, TimeLimit: safetyStop})
	if err != nil {
		return PackingRecord{}, fmt.Errorf("%s: %w", k.ID, err)
	}
	out := PackingRecord{
		ID: k.ID, Bins: len(r.Solution.Launches), Known: k.Known, Best: k.Best, Bound: r.LowerBound.USD(),
		LowerBound: int((r.LowerBound + model.Dollar - 1) / model.Dollar), Optimal: r.Optimal(), Stop: r.Stop, CPUSeconds: meter.cpu(),
	}
	for _, fault := range model.Check(p, &r.Solution) {
		out.Faults = append(out.Faults, fault.String())
	}
	out.doubt(&r)
	return out, nil
}

// doubt looks for what contradicts the publication or the result itself.
func (m *PackingRecord) doubt(r *solver.Result) {
	fail := func(format string, args ...any) { m.Faults = append(m.Faults, fmt.Sprintf(format, args...)) }
	for g, n := range r.Solution.Unplaced {
		if n > 0 {
			fail("%d items of group %d are in no bin", n, g)
		}
	}
	if r.LowerBound > r.Score.Cost {
		fail("bound %s above cost %s", r.LowerBound, r.Score.Cost)
	}
	if m.Known > 0 && m.LowerBound > m.Known {
		fail("bound %d above the published optimum %d", m.LowerBound, m.Known)
	}
	if m.Known > 0 && m.Bins < m.Known {
		fail("%d bins, fewer than the published optimum %d", m.Bins, m.Known)
	}
	if m.Optimal && m.Best > 0 && m.Bins > m.Best {
		fail("%d bins claimed to be optimal, %d are published", m.Bins, m.Best)
	}
}

// PackingRun is one run over all packings.
type PackingRun struct {
	Stamp
	Items    int             `json:"items"`   // at most, of each
	Every    int             `json:"every"`   // one in so many packings
	Seconds  float64         `json:"seconds"` // of work for each, about those of a core
	Packings []PackingRecord `json:"packings"`
}

// Work is the limit for each packing, in the solver's units.
func (r *PackingRun) Work() uint64 { return uint64(r.Seconds * 1e9) }
