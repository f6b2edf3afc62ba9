package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

// TestMain lets this test be its own child, a good one or one of the bad ones.
func TestMain(m *testing.M) {
	child := len(os.Args) == 2 && os.Args[1] == childArgument
	if path := os.Getenv(lifeline); child && path != "" {
		holdLifeline(path)
	}
	if engine := badEngines[os.Getenv(badEngine)]; child && engine != nil {
		be(engine)
	}
	Main()
	if os.Getenv(parentOnly) != "" {
		beParent()
	}
	os.Exit(m.Run())
}

// badEngine is the environment variable that names an engine of badEngines.
const badEngine = "ISOLATE_TEST_ENGINE"

var badEngines = map[string]solver.Func{
	"exits": func(context.Context, *model.Problem, solver.Options) (solver.Result, error) {
		os.Exit(7)
		panic("unreachable")
	},
	"panics": func(context.Context, *model.Problem, solver.Options) (solver.Result, error) { panic("out of luck") },
	"fails": func(context.Context, *model.Problem, solver.Options) (solver.Result, error) {
		return solver.Result{}, errors.New("library is missing")
	},
	"talks garbage": garble,
	"bloats":        bloat,
	"stalls":        stall,
	"prints":        print,

	"breaks a rule":     spoiled(func(r *solver.Result) { r.Solution.Unplaced[0]++ }),
	"indexes nothing":   spoiled(func(r *solver.Result) { r.Solution.Launches[0].Shape = 1000 }),
	"answers nothing":   spoiled(func(r *solver.Result) { *r = solver.Result{} }),
	"lies of the cost":  spoiled(func(r *solver.Result) { r.Score.Cost-- }),
	"lies of the bound": spoiled(func(r *solver.Result) { r.LowerBound = r.Score.Cost + 1 }),

	"finds, then panics": func(_ context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
		find(p, o)
		panic("out of luck")
	},
	"finds, then talks garbage": func(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
		find(p, o)
		return garble(ctx, p, o)
	},
	"finds, then stalls": func(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
		find(p, o)
		return stall(ctx, p, o)
	},
	"finds what breaks a rule, then stalls": func(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
		tell := o.Progress
		o.Progress = func(x solver.Progress) {
			x.Solution.Unplaced[0]++
			tell(x)
		}
		find(p, o)
		return stall(ctx, p, o)
	},
}

// find tells of one incumbent, with a bound.
func find(p *model.Problem, o solver.Options) {
	r, err := solver.Solve(context.Background(), p, solver.Options{})
	if err != nil {
		panic(err)
	}
	o.Progress(solver.Progress{Cost: r.Score.Cost, LowerBound: 1, Engine: "finder", Solution: r.Solution})
}

func garble(context.Context, *model.Problem, solver.Options) (solver.Result, error) {
	_, _ = os.NewFile(answersFile, "answers").WriteString("Running HiGHS 1.15.0: Copyright (c) 2026\n")
	select {}
}

func stall(context.Context, *model.Problem, solver.Options) (solver.Result, error) {
	select {}
}

func bloat(context.Context, *model.Problem, solver.Options) (solver.Result, error) {
	var kept [][]byte
	for {
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = byte(i)
		}
		kept = append(kept, block)
		if len(kept) > 4096 { // the parent sleeps: spare the machine
			runtime.KeepAlive(kept)
			os.Exit(8)
		}
	}
}

// print is a good engine that prints, as native libraries do.
func print(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
	fmt.Println("Running HiGHS 1.15.0: Copyright (c) 2026")
	return solver.Solve(ctx, p, o)
}

// spoiled is a good engine whose result is spoiled.
func spoiled(spoil func(*solver.Result)) solver.Func {
	return func(ctx context.Context, p *model.Problem, o solver.Options) (solver.Result, error) {
		o.Progress = nil
		r, err := solver.Solve(ctx, p, o)
		if err == nil {
			spoil(&r)
		}
		return r, err
	}
}

// bad are options of a pool of children with the named bad engine.
func bad(engine string) Options {
	return Options{Env: []string{badEngine + "=" + engine}, HangLimit: 30 * time.Second, MaxChildren: 2}
}
