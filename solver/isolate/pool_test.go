package isolate

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/modeltest"
	"github.com/mortise-io/mortise/solver"
)

// newPool is a pool that is closed at the end of the test, and the children it started.
func newPool(t testing.TB, o Options) (*Pool, *started) {
	t.Helper()
	p, s := New(o), &started{}
	p.started = s.add
	t.Cleanup(p.Close)
	return p, s
}

// started are the children that a pool has started.
type started struct {
	mu       sync.Mutex
	children []*child
}

func (s *started) add(c *child) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.children = append(s.children, c)
}

func (s *started) list() []*child {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*child(nil), s.children...)
}

func (s *started) last() *child {
	all := s.list()
	return all[len(all)-1]
}

// buying is a small problem whose best solution launches something.
func buying() *model.Problem {
	room := model.Quantities{4, 8}
	p := &model.Problem{
		Resources: []string{"cpu", "memory"},
		Pools:     []model.Pool{{Name: "default"}},
		Shapes:    []model.Shape{{Name: "m", Allocatable: room, Capacity: room, Price: model.Dollar, Reservation: model.None}},
	}
	web := model.PodGroup{Name: "web", Request: model.Quantities{1, 2}, Demand: 7}
	web.Shapes.Add(0)
	p.Groups = []model.PodGroup{web}
	return p
}

// requireValid holds a result against its problem.
func requireValid(t testing.TB, p *model.Problem, r *solver.Result) {
	t.Helper()
	require.Empty(t, model.Check(p, &r.Solution))
	require.Zero(t, r.Score.Compare(model.ScoreOf(p, &r.Solution)))
	require.LessOrEqual(t, r.LowerBound, r.Score.Cost)
}

func TestChildrenAnswerAsThisProcessDoes(t *testing.T) {
	t.Parallel()
	pool, _ := newPool(t, Options{})
	for seed := range uint64(100) {
		problem := modeltest.Random(seed)
		o := solver.Options{WorkLimit: 2_000_000, Seed: seed}
		want, err := solver.Solve(t.Context(), problem, o)
		require.NoError(t, err)
		got, err := pool.Solve(t.Context(), problem, o)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, got, cmpopts.EquateEmpty()), "seed %d", seed)
		requireValid(t, problem, &got)
	}
}

func TestProgressComesThrough(t *testing.T) {
	t.Parallel()
	pool, _ := newPool(t, Options{})
	problem := buying()
	var heard []solver.Progress
	r, err := pool.Solve(t.Context(), problem, solver.Options{Progress: func(x solver.Progress) { heard = append(heard, x) }})
	require.NoError(t, err)
	require.Empty(t, r.Fallback)
	require.NotEmpty(t, heard)
	for _, x := range heard {
		require.Empty(t, model.Check(problem, &x.Solution))
		require.Equal(t, x.Cost, model.CostOf(problem, &x.Solution).Total())
		require.LessOrEqual(t, x.LowerBound, r.Score.Cost)
		require.Equal(t, r.Engine, x.Engine)
	}
}

func TestAChildIsReplacedAfterItsSolves(t *testing.T) {
	t.Parallel()
	pool, started := newPool(t, Options{SolvesPerChild: 3})
	for range 7 {
		r, err := pool.Solve(t.Context(), buying(), solver.Options{})
		require.NoError(t, err)
		require.Empty(t, r.Fallback)
	}
	require.Len(t, started.list(), 3)
}

func TestAChildThatEndedIdleIsReplaced(t *testing.T) {
	t.Parallel()
	pool, started := newPool(t, Options{})
	for range 3 {
		r, err := pool.Solve(t.Context(), buying(), solver.Options{})
		require.NoError(t, err)
		require.Empty(t, r.Fallback)
		c := started.last()
		require.NoError(t, c.cmd.Process.Kill())
		<-c.frames // closed
	}
	require.Len(t, started.list(), 3)
}

func TestAChildThatGrewIsReplaced(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what a process uses")
	}
	t.Parallel()
	pool, started := newPool(t, Options{MemoryLimit: 1 << 30})
	for range 2 {
		_, err := pool.Solve(t.Context(), buying(), solver.Options{})
		require.NoError(t, err)
	}
	require.Len(t, started.list(), 1)

	pool.o.MemoryLimit = resident(started.last().pid()) // three quarters of which it is beyond
	_, err := pool.Solve(t.Context(), buying(), solver.Options{})
	require.NoError(t, err)
	require.Len(t, started.list(), 2)
}

func TestSolvesRunSideBySideUpToTheMost(t *testing.T) {
	t.Parallel()
	pool, started := newPool(t, Options{MaxChildren: 2})
	var all sync.WaitGroup
	for seed := range uint64(24) {
		all.Go(func() {
			problem := modeltest.Random(seed)
			r, err := pool.Solve(t.Context(), problem, solver.Options{WorkLimit: 1_000_000})
			if err != nil || r.Fallback != "" || len(model.Check(problem, &r.Solution)) > 0 {
				t.Errorf("seed %d: %v, %s", seed, err, r.Fallback)
			}
		})
	}
	all.Wait()
	require.LessOrEqual(t, len(started.list()), 2)
}

func TestAClosedPoolSolvesInThisProcess(t *testing.T) {
	t.Parallel()
	pool, started := newPool(t, Options{})
	pool.Close()
	problem := buying()
	r, err := pool.Solve(t.Context(), problem, solver.Options{})
	require.NoError(t, err)
	require.Contains(t, r.Fallback, "closed")
	requireValid(t, problem, &r)
	require.Empty(t, started.list())
}

// TestNothingIsLeft counts goroutines, files and processes after many solves,
// good and bad ones. It runs alone.
func TestNothingIsLeft(t *testing.T) {
	solveOnce := func(p *Pool) {
		_, err := p.Solve(t.Context(), buying(), solver.Options{})
		require.NoError(t, err)
	}
	first := New(Options{}) // what the runtime opens for the first pipe stays open
	solveOnce(first)
	first.Close()
	goroutines, files := runtime.NumGoroutine(), openFiles()

	var children []*child
	for _, o := range []Options{{SolvesPerChild: 2}, bad("panics"), bad("talks garbage"), bad("breaks a rule"), {Command: []string{"/nowhere/mortise"}}} {
		pool, started := newPool(t, o)
		for range 10 {
			solveOnce(pool)
		}
		pool.Close()
		children = append(children, started.list()...)
	}
	require.NotEmpty(t, children)
	for _, c := range children {
		require.ErrorIs(t, syscall.Kill(c.pid(), 0), syscall.ESRCH, "process %d is still there", c.pid())
	}
	// The last goroutines end right after their children are buried.
	for range 10_000 {
		if runtime.NumGoroutine() <= goroutines && openFiles() <= files {
			return
		}
		runtime.Gosched()
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	require.LessOrEqual(t, openFiles(), files)
}

// openFiles is how many files this process has open; zero where that is not told.
func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}
