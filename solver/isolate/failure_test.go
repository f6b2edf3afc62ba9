package isolate

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

func TestWhateverTheChildDoesThereIsAnAnswer(t *testing.T) {
	t.Parallel()
	const standIn, incumbent = "the built-in engine stood in", "the best solution that it had found"
	for _, c := range []struct {
		engine string
		o      func(*Options)
		why    string
		how    string
	}{
		{"exits", nil, "it ended: exit status 7", standIn},
		{"panics", nil, "it ended: exit status 2: panic: out of luck", standIn},
		{"fails", nil, "it failed: library is missing", standIn},
		{"talks garbage", nil, "garbage instead of a message", standIn},
		{"stalls", func(o *Options) { o.Grace = 50 * time.Millisecond }, "it went on for 50ms after its time limit", standIn},
		{"breaks a rule", nil, "its solution breaks Demand", standIn},
		{"indexes nothing", nil, "its solution breaks Form", standIn},
		{"answers nothing", nil, "its solution breaks Form", standIn},
		{"lies of the cost", nil, "its solution is not what it says it is", standIn},
		{"lies of the bound", nil, "its lower bound 2.000000001 is above the cost 2", standIn},
		{"finds, then panics", nil, "it ended: exit status 2: panic: out of luck", incumbent},
		{"finds, then talks garbage", nil, "garbage instead of a message", incumbent},
		{"finds, then stalls", func(o *Options) { o.Grace = 50 * time.Millisecond }, "after its time limit", incumbent},
		{"finds what breaks a rule, then stalls", func(o *Options) { o.Grace = 50 * time.Millisecond }, "after its time limit", standIn},
	} {
		t.Run(c.engine, func(t *testing.T) {
			t.Parallel()
			o := bad(c.engine)
			settings := solver.Options{}
			if c.o != nil {
				c.o(&o)
				settings.TimeLimit = 500 * time.Millisecond
			}
			pool, started := newPool(t, o)
			problem := buying()
			r, err := pool.Solve(t.Context(), problem, settings)
			require.NoError(t, err)
			requireValid(t, problem, &r)
			require.Equal(t, 2*model.Dollar, r.Score.Cost)
			require.Contains(t, r.Fallback, c.why)
			require.Contains(t, r.Fallback, c.how)
			if c.how == incumbent {
				require.Equal(t, solver.Result{
					Solution: r.Solution, Score: r.Score, LowerBound: 1, Stop: solver.StopFailed, Engine: "finder", Fallback: r.Fallback,
				}, r)
			}
			require.Len(t, started.list(), 1)
		})
	}
}

func TestAChildThatCannotStartIsDoneWithout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		command []string
		why     string
	}{
		{"no such file", []string{"/nowhere/mortise"}, "no such file"},
		{"no program", []string{"/etc/passwd"}, "permission denied"},
		{"a program that knows nothing of it", []string{"true"}, "it ended: exit status 0"},
		{"a program that says something else", []string{"sh", "-c", "echo Hello, I am another program >&3; exec sleep 60"}, "garbage"},
		{"a program that says nothing", []string{"sleep", "60"}, "no sign of life for 500ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pool, _ := newPool(t, Options{Command: c.command, HangLimit: 500 * time.Millisecond})
			problem := buying()
			r, err := pool.Solve(t.Context(), problem, solver.Options{})
			require.NoError(t, err)
			requireValid(t, problem, &r)
			require.Contains(t, r.Fallback, c.why)
		})
	}
}

func TestAProgramWithoutMainStartsNoChild(t *testing.T) {
	mainCalled.Store(false)
	defer mainCalled.Store(true)
	pool, started := newPool(t, Options{})
	r, err := pool.Solve(t.Context(), buying(), solver.Options{})
	require.NoError(t, err)
	require.Contains(t, r.Fallback, errNoMain.Error())
	require.Empty(t, started.list())
}

func TestAChildThatHangsIsKilled(t *testing.T) {
	t.Parallel()
	o := bad("finds, then stalls")
	o.HangLimit = 500 * time.Millisecond
	pool, started := newPool(t, o)
	problem := buying()
	r, err := pool.Solve(t.Context(), problem, solver.Options{Progress: func(solver.Progress) {
		require.NoError(t, syscall.Kill(started.last().pid(), syscall.SIGSTOP))
	}})
	require.NoError(t, err)
	requireValid(t, problem, &r)
	require.Contains(t, r.Fallback, "it gave no sign of life for 500ms")
	require.Equal(t, "finder", r.Engine)
}

func TestAChildThatUsesTooMuchMemoryIsKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what a process uses")
	}
	t.Parallel()
	o := bad("bloats")
	o.MemoryLimit = 64 << 20
	pool, _ := newPool(t, o)
	problem := buying()
	r, err := pool.Solve(t.Context(), problem, solver.Options{})
	require.NoError(t, err)
	requireValid(t, problem, &r)
	require.Contains(t, r.Fallback, "it used more than 64 MiB of memory")
}

func TestWhatAChildPrintsDisturbsNobody(t *testing.T) {
	t.Parallel()
	pool, _ := newPool(t, bad("prints"))
	r, err := pool.Solve(t.Context(), buying(), solver.Options{})
	require.NoError(t, err)
	require.Empty(t, r.Fallback)
}

// cancelAfterTheFirstIncumbent returns how long a solve that would never end
// takes to stop.
func cancelAfterTheFirstIncumbent(t testing.TB) time.Duration {
	t.Helper()
	pool, _ := newPool(t, bad("finds, then stalls"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var canceled time.Time
	_, err := pool.Solve(ctx, buying(), solver.Options{Progress: func(solver.Progress) {
		canceled = time.Now()
		cancel()
	}})
	require.ErrorIs(t, err, context.Canceled)
	return time.Since(canceled)
}

func TestCancelingStopsASolve(t *testing.T) {
	t.Parallel()
	require.Less(t, cancelAfterTheFirstIncumbent(t), 2*time.Second) // a loaded machine; the soak is strict
}

func TestCancelingStopsTheWaitForAChild(t *testing.T) {
	t.Parallel()
	o := bad("finds, then stalls")
	o.MaxChildren = 1
	pool, _ := newPool(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := pool.Solve(ctx, buying(), solver.Options{Progress: func(solver.Progress) {
		waiting, giveUp := context.WithCancel(t.Context())
		giveUp()
		_, err := pool.Solve(waiting, buying(), solver.Options{})
		require.ErrorIs(t, err, context.Canceled)
		cancel()
	}})
	require.ErrorIs(t, err, context.Canceled)
}
