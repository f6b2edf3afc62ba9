package isolate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

// watchEvery is how often the parent looks after a solving child.
const watchEvery = 50 * time.Millisecond

// errand is one problem on its way to an answer.
type errand struct {
	problem *model.Problem
	options solver.Options
	limits  Options
	start   time.Time
	// heard is the last progress with an incumbent.
	heard *solver.Progress
}

// run gives the problem to the child and returns its answer, held against the
// problem. It fails if there is none, and if ctx is canceled.
func (e *errand) run(ctx context.Context, c *child) (solver.Result, error) {
	c.send(encode(request, job{*e.problem, e.options}))
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var silent time.Duration // in ticks: those that the parent itself sleeps over do not count
	for {
		select {
		case <-ctx.Done():
			return solver.Result{}, ctx.Err()
		case f, open := <-c.frames:
			if !open {
				return solver.Result{}, c.lost
			}
			if r, done, err := e.hear(f); done || err != nil {
				return r, err
			}
			silent = 0
		case <-tick.C:
			silent += watchEvery
			if err := e.overdrawn(c, silent); err != nil {
				return solver.Result{}, err
			}
		}
	}
}

// hear takes in what the child says, and says whether it is done.
func (e *errand) hear(f frame) (r solver.Result, done bool, err error) {
	switch f.kind {
	case heartbeat:
		return r, false, nil
	case progress:
		return r, false, e.hearProgress(f)
	case result:
		if err := decode(f, &r); err != nil {
			return r, true, err
		}
		return r, true, e.vet(&r)
	case failure:
		return r, true, fmt.Errorf("it failed: %s", f.payload)
	default:
		return r, true, errGarbage
	}
}

func (e *errand) hearProgress(f frame) error {
	var p solver.Progress
	if err := decode(f, &p); err != nil {
		return err
	}
	if len(p.Solution.Unplaced) == len(e.problem.Groups) {
		e.heard = &p
	}
	if e.options.Progress != nil {
		e.options.Progress(p)
	}
	return nil
}

// vet doubts a result.
func (e *errand) vet(r *solver.Result) error {
	if broken := model.Check(e.problem, &r.Solution); len(broken) > 0 {
		return fmt.Errorf("its solution breaks %s", broken[0])
	}
	if score := model.ScoreOf(e.problem, &r.Solution); score.Compare(r.Score) != 0 {
		return errors.New("its solution is not what it says it is")
	}
	if r.LowerBound > r.Score.Cost {
		return fmt.Errorf("its lower bound %s is above the cost %s", r.LowerBound, r.Score.Cost)
	}
	return nil
}

// overdrawn says which limit the child is beyond, if any.
func (e *errand) overdrawn(c *child, silent time.Duration) error {
	switch l := e.limits; {
	case silent >= l.HangLimit:
		return fmt.Errorf("it gave no sign of life for %s", l.HangLimit)
	case e.options.TimeLimit > 0 && time.Since(e.start) > e.options.TimeLimit+l.Grace:
		return fmt.Errorf("it went on for %s after its time limit", l.Grace)
	case l.MemoryLimit > 0 && resident(c.pid()) > l.MemoryLimit:
		return fmt.Errorf("it used more than %d MiB of memory", l.MemoryLimit>>20)
	}
	return nil
}
