package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/modeltest"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/cpsat"
)

// judges are those that solve every random problem, exhaustion apart.
var judges = []struct {
	name  string
	solve solver.Func
}{
	{solver.EngineBuiltin, solver.Solve},
	{solver.EngineHiGHS, solver.Solve},
	{cpsat.Engine, cpsat.Solve},
}

// exhaustion is the name of the judge that tries everything, and exhaustionTries how long.
const (
	exhaustion      = "exhaustion"
	exhaustionTries = 200_000
)

// Verdict is what the judges say of one random problem.
type Verdict struct {
	Seed uint64 `json:"seed"`
	// Cost is that of the best solution that any of them has found.
	Cost model.Money `json:"cost"`
	// Proved lists who says that its solution is the best, Missed who has a worse one.
	Proved []string `json:"proved"`
	Missed []string `json:"missed,omitempty"`
	// Faults are invalid solutions, bounds above a cost, and proofs that others disprove: none.
	Faults []string `json:"faults,omitempty"`
}

// opinion is a judge's answer.
type opinion struct {
	judge  string
	score  model.Score
	bound  model.Money
	proved bool // to be the best
	sure   bool // that pods are placed and goals met as well as possible, which the bound is about
}

// Judge has every engine solve modeltest.Random(seed), beside exhaustion where
// that can be had. The error is an engine's.
func Judge(ctx context.Context, seed uint64) (Verdict, error) {
	p := modeltest.Random(seed)
	v := Verdict{Seed: seed, Proved: []string{}}
	var opinions []opinion
	for _, j := range judges {
		r, err := j.solve(ctx, p, solver.Options{Engine: j.name, Seed: seed})
		if err == nil && r.Fallback != "" {
			err = errors.New(r.Fallback)
		}
		if err != nil {
			return v, fmt.Errorf("seed %d: %s: %w", seed, j.name, err)
		}
		for _, fault := range model.Check(p, &r.Solution) {
			v.fail("%s breaks %s", j.name, fault)
		}
		opinions = append(opinions, opinion{j.name, r.Score, r.LowerBound, r.Optimal(), r.PlacementProved && r.GoalsProved})
	}
	if _, score, ok := modeltest.Best(p, exhaustionTries); ok {
		opinions = append(opinions, opinion{exhaustion, score, score.Cost, true, true})
	}
	v.compare(opinions)
	return v, nil
}

func (v *Verdict) fail(format string, args ...any) {
	v.Faults = append(v.Faults, fmt.Sprintf(format, args...))
}

// compare holds every opinion against the best solution.
func (v *Verdict) compare(opinions []opinion) {
	best := slices.MinFunc(opinions, func(a, b opinion) int { return a.score.Compare(b.score) })
	v.Cost = best.score.Cost
	for _, o := range opinions {
		alike := o.score.SameGoals(best.score)
		worse := !alike || o.score.Cost > best.score.Cost+solver.Tolerance
		if o.proved {
			v.Proved = append(v.Proved, o.judge)
		}
		if worse {
			v.Missed = append(v.Missed, o.judge)
		}
		switch {
		case worse && o.proved:
			v.fail("%s has proved %+v, but %s has %+v", o.judge, o.score, best.judge, best.score)
		case !alike && o.sure:
			v.fail("%s has proved that goals are met as well as can be by %+v, but %s has %+v", o.judge, o.score, best.judge, best.score)
		case o.bound > o.score.Cost:
			v.fail("%s has a bound of %s above its cost of %s", o.judge, o.bound, o.score.Cost)
		case alike && o.bound > best.score.Cost:
			v.fail("%s has a bound of %s, but %s has a solution of %s", o.judge, o.bound, best.judge, best.score.Cost)
		}
	}
}

// Judges are the names of all, exhaustion last.
func Judges() []string {
	var out []string
	for _, j := range judges {
		out = append(out, j.name)
	}
	return append(out, exhaustion)
}

// AgreementRun is one run over the seeds from zero on.
type AgreementRun struct {
	Stamp
	// Proved and Missed count the problems, by judge, as a Verdict lists them.
	Proved map[string]int `json:"proved"`
	Missed map[string]int `json:"missed"`
	// Costs are those of the best solutions, by seed.
	Costs []model.Money `json:"costs"`
	// Open are the verdicts with a fault, or without a proof of each engine.
	Open []Verdict `json:"open"`
}

// Add takes up the verdict on the next seed.
func (r *AgreementRun) Add(v *Verdict) {
	if r.Proved == nil {
		r.Proved, r.Missed = map[string]int{}, map[string]int{}
	}
	r.Costs = append(r.Costs, v.Cost)
	for _, judge := range v.Proved {
		r.Proved[judge]++
	}
	for _, judge := range v.Missed {
		r.Missed[judge]++
	}
	for _, j := range judges {
		if len(v.Faults) > 0 || !slices.Contains(v.Proved, j.name) {
			r.Open = append(r.Open, *v)
			return
		}
	}
}
