package isolate

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

// soakKills is the environment variable that says how many children to kill,
// on a machine quiet enough to judge how fast solves stop.
const soakKills = "MORTISE_SOAK_KILLS"

// TestChildrenAreKilledAtRandomMoments kills children with SIGKILL: while they
// start, read, solve and answer. The moments are real time, and so never the same.
func TestChildrenAreKilledAtRandomMoments(t *testing.T) {
	kills := 50
	if testing.Short() {
		kills = 5
	}
	if n, err := strconv.Atoi(os.Getenv(soakKills)); err == nil {
		kills = n
	}
	r := rand.New(rand.NewPCG(1, 1))
	pool, _ := newPool(t, Options{MaxChildren: 1, SolvesPerChild: 1})
	o := solver.Options{WorkLimit: 20_000_000}
	start := time.Now()
	_, err := pool.Solve(t.Context(), toughProblem(r), o)
	require.NoError(t, err)
	usual := time.Since(start) // what an undisturbed solve takes, roughly

	tries, lost, incumbents := 0, 0, 0
	for ; lost < kills; tries++ {
		require.Less(t, tries, 100*kills, "nearly all answer before they are killed")
		problem := toughProblem(r)
		var kill *time.Timer
		pool.started = func(c *child) {
			kill = time.AfterFunc(time.Duration(r.Int64N(int64(2*usual))), func() { _ = c.cmd.Process.Kill() })
		}
		start := time.Now()
		got, err := pool.Solve(t.Context(), problem, o)
		kill.Stop()
		require.NoError(t, err)
		requireValid(t, problem, &got)
		switch {
		case got.Fallback == "":
			usual = (3*usual + time.Since(start)) / 4
			continue
		case got.Stop == solver.StopFailed:
			incumbents++
		}
		require.Contains(t, got.Fallback, "signal: killed")
		lost++
	}
	t.Logf("%d solves, %d children killed in time, of which %d left an incumbent", tries, lost, incumbents)
	require.NotZero(t, incumbents)
}

// toughProblem keeps an engine busy for some milliseconds.
func toughProblem(r *rand.Rand) *model.Problem {
	p := &model.Problem{Resources: []string{"cpu", "memory"}, Pools: []model.Pool{{Name: "default"}}}
	for range 12 {
		room := model.Quantities{4000 + r.Int64N(60_000), 8000 + r.Int64N(200_000)}
		price := model.Money(room[0]*20_000+room[1]*3_000) + model.Money(r.Int64N(50_000_000))
		p.Shapes = append(p.Shapes, model.Shape{Name: "m", Allocatable: room, Capacity: room, Price: price, Reservation: model.None})
	}
	for range 25 {
		g := model.PodGroup{Name: "g", Request: model.Quantities{100 + r.Int64N(4000), 100 + r.Int64N(9000)}, Demand: 1 + r.IntN(30)}
		for s := range p.Shapes {
			g.Shapes.Add(model.ShapeIndex(s))
		}
		p.Groups = append(p.Groups, g)
	}
	return p
}

// TestSoakCanceling holds the promise of a quick end on a quiet machine.
func TestSoakCanceling(t *testing.T) {
	if os.Getenv(soakKills) == "" {
		t.Skipf("%s is not set", soakKills)
	}
	for range 50 {
		require.Less(t, cancelAfterTheFirstIncumbent(t), 200*time.Millisecond)
	}
}

// BenchmarkCancel reports how long a canceled solve takes to stop; at most 200 ms.
func BenchmarkCancel(b *testing.B) {
	var sum, worst time.Duration
	for b.Loop() {
		took := cancelAfterTheFirstIncumbent(b)
		sum, worst = sum+took, max(worst, took)
	}
	require.Less(b, worst, 200*time.Millisecond)
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
	b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "mean-ms")
}
