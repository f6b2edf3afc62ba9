package benchmarks

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/model/verify"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/provider/catalog"
	"github.com/mortise-io/mortise/solver"
)

// Record is what one run has found, and what it took.
type Record struct {
	Name string `json:"name"`
	Stamp
	Figures
	// FirstSeconds of CPU until the best solution so far cost at most 1 % more
	// than the last one's lower bound; zero if that was not before the end.
	FirstSeconds float64 `json:"firstSeconds,omitempty"`
	CPUSeconds   float64 `json:"cpuSeconds"`
	WallSeconds  float64 `json:"wallSeconds"`
	// PeakMiB is the process's greatest memory in use while it solved, HeldMiB
	// what it used before: the snapshot, its catalog and the problem.
	PeakMiB int64 `json:"peakMiB"`
	HeldMiB int64 `json:"heldMiB"`
}

// Figures are the same in every run of the same solver on the same platform.
type Figures struct {
	Pods     int `json:"pods"` // that need a place whatever is decided
	Groups   int `json:"groups"`
	Shapes   int `json:"shapes"`
	Nodes    int `json:"nodes"`
	Unplaced int `json:"unplaced"`
	Launches int `json:"launches"`
	Removals int `json:"removals"`
	// Before is what the nodes cost per hour, Cost the objective, Bound its lower bound.
	Before     model.Money       `json:"before"`
	Cost       model.Money       `json:"cost"`
	Bound      model.Money       `json:"bound"`
	Placed     bool              `json:"placementProved"`
	Optimal    bool              `json:"optimal"`
	Stop       solver.StopReason `json:"stop"`
	Engine     string            `json:"engine"`
	Iterations int               `json:"iterations"`
	Columns    int               `json:"columns"`
	// Faults are the rules that the solution or its plan breaks: none.
	Faults []string `json:"faults"`
}

// Gap is the relative one.
func (f *Figures) Gap() float64 {
	if f.Cost == 0 {
		return 0
	}
	return float64(f.Cost-f.Bound) / float64(f.Cost)
}

// Resolved is the instance's snapshot with pods for its workloads, and with its catalog.
func (in *Instance) Resolved() (*v1alpha1.Snapshot, error) {
	s, err := in.Snapshot()
	if err != nil {
		return nil, err
	}
	file, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	if s, _, err = snapshot.Decode(in.Name, file, Time); err != nil {
		return nil, err
	}
	s, _ = snapshot.Expand(s)
	s, _, err = catalog.Resolve(s)
	return s, err
}

// safetyStop ends a solve that has run wild. A result never depends on it
// unless its stop says so.
const safetyStop = 10 * time.Minute

// Run plans the instance in this process, by the best engine there is, and
// measures the solve. The solution is held against the problem, and the plan
// against the snapshot.
func Run(ctx context.Context, in *Instance) (Record, error) {
	s, err := in.Resolved()
	if err != nil {
		return Record{}, fmt.Errorf("%s: %w", in.Name, err)
	}
	record := Record{Name: in.Name}
	first := func(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
		o.Gap, o.TimeLimit = in.Gap, safetyStop
		if record.Engine != "" {
			return solver.Solve(ctx, p, o) // a question that explains the plan
		}
		return record.solve(ctx, p, o)
	}
	plan, err := planner.Plan(ctx, s, planner.Options{Solver: solver.Func(first)})
	if err != nil {
		return Record{}, fmt.Errorf("%s: %w", in.Name, err)
	}
	for _, fault := range verify.Plan(s, plan) {
		record.Faults = append(record.Faults, fmt.Sprint(fault))
	}
	if model.Dollars(plan.Cost.Objective.Total) != record.Cost {
		record.Faults = append(record.Faults, fmt.Sprintf("the plan costs %g, it is not of the solution that was found: %q", plan.Cost.Objective.Total, plan.Warnings))
	}
	return record, nil
}

// solve solves p and writes down what comes of it.
func (m *Record) solve(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
	var incumbents []incumbent
	meter := startMeter()
	m.HeldMiB = meter.peakMiB()
	o.Progress = func(progress solver.Progress) {
		incumbents = append(incumbents, incumbent{progress.Cost, meter.cpu()})
	}
	result, err := solver.Solve(ctx, p, o)
	if err != nil {
		return result, err
	}
	if result.Fallback != "" {
		return result, fmt.Errorf("not the engine that is to be measured: %s", result.Fallback)
	}
	m.CPUSeconds, m.WallSeconds, m.PeakMiB = meter.cpu(), meter.wall(), meter.peakMiB()
	m.Figures = figures(p, &result)
	for _, i := range incumbents {
		if float64(i.cost) <= 1.01*float64(result.LowerBound) {
			m.FirstSeconds = i.cpu
			break
		}
	}
	return result, nil
}

// incumbent is a solution that was the best at a time, in seconds of CPU.
type incumbent struct {
	cost model.Money
	cpu  float64
}

func figures(p *model.Problem, r *solver.Result) Figures {
	f := Figures{
		Groups: len(p.Groups), Shapes: len(p.Shapes), Nodes: len(p.Nodes), Launches: len(r.Solution.Launches),
		Cost: r.Score.Cost, Bound: r.LowerBound, Placed: r.PlacementProved, Optimal: r.Optimal(), Stop: r.Stop,
		Engine: r.Engine, Iterations: r.Iterations, Columns: r.Columns, Faults: []string{},
	}
	for g := range p.Groups {
		f.Pods += p.Groups[g].Demand
		f.Unplaced += r.Solution.Unplaced[g]
	}
	for i := range p.Nodes {
		f.Before += p.Nodes[i].Price
		if r.Solution.Nodes[i].Gone() {
			f.Removals++
		}
	}
	for _, fault := range model.Check(p, &r.Solution) {
		f.Faults = append(f.Faults, fault.String())
	}
	return f
}
