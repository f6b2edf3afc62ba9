package isolate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

// Pool solves in children that it keeps for the next problem. It may be used
// by several goroutines at once.
type Pool struct {
	o     Options
	slots chan struct{} // one entry for each solve in progress

	mu     sync.Mutex
	idle   []*child // the last one is the next to work
	closed bool
	living sync.WaitGroup

	started func(*child) // for tests: is told of each new child
}

var _ solver.Solver = (*Pool)(nil)

var errClosed = errors.New("the pool is closed")

// New returns a pool without children: the first solve starts one.
func New(o Options) *Pool {
	o = o.withDefaults()
	return &Pool{o: o, slots: make(chan struct{}, o.MaxChildren), started: func(*child) {}}
}

// Solve is solver.Solve in a child. Whatever becomes of the child, there is a
// valid result, whose Fallback says what went wrong. Solve fails only if ctx is
// canceled, and then at once. Without a time limit, a child may work for as
// long as it gives signs of life.
func (p *Pool) Solve(ctx context.Context, problem *model.Problem, o solver.Options) (solver.Result, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return solver.Result{}, ctx.Err()
	}
	e := &errand{problem: problem, options: o, limits: p.o, start: time.Now()}
	r, err := p.send(ctx, e)
	if err != nil && ctx.Err() == nil {
		r = e.fallBack(ctx, err)
	}
	if ctx.Err() != nil {
		return solver.Result{}, ctx.Err()
	}
	return r, nil
}

// send has a child run the errand, and fails if the child does.
func (p *Pool) send(ctx context.Context, e *errand) (solver.Result, error) {
	c, err := p.take()
	if err != nil {
		return solver.Result{}, fmt.Errorf("it does not start: %w", err)
	}
	r, err := e.run(ctx, c)
	if err != nil {
		c.kill()
		return solver.Result{}, err
	}
	p.giveBack(c)
	return r, nil
}

// take returns an idle child that is fit for another problem, or else a new one.
func (p *Pool) take() (*child, error) {
	p.mu.Lock()
	for len(p.idle) > 0 {
		c := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		if !c.gone() && !p.o.grown(resident(c.pid())) {
			p.mu.Unlock()
			return c, nil
		}
		c.kill()
	}
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	p.living.Add(1)
	p.mu.Unlock()
	c, err := start(p.o, p.living.Done)
	if err != nil {
		p.living.Done()
		return nil, err
	}
	p.started(c)
	return c, nil
}

// giveBack keeps a child that has answered for the next problem, or ends it.
func (p *Pool) giveBack(c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.solves++
	if p.closed || c.solves >= p.o.SolvesPerChild {
		c.kill()
		return
	}
	p.idle = append(p.idle, c)
}

// Close ends the children and waits until they are gone. A solve in progress
// keeps its child until it is done; a later one is solved in this process.
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, c := range idle {
		c.kill()
	}
	p.living.Wait()
}
