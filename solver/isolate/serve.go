package isolate

import (
	"bufio"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"time"

	"github.com/mortise-io/mortise/solver"
)

// idleAfter is when an idle child gives unused memory back.
const idleAfter = time.Second

// serve answers the requests that come in, one at a time, until there are no
// more. It does not wait for an answer that nobody is there to hear.
func serve(in io.Reader, out io.Writer, solve solver.Func) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rest := time.AfterFunc(idleAfter, debug.FreeOSMemory)
	defer rest.Stop()
	requests := bufio.NewReader(in)
	for {
		f, err := readFrame(requests)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		rest.Stop()
		go func() {
			answer(ctx, f, &teller{out: out}, solve)
			rest.Reset(idleAfter)
		}()
	}
}

// answer does one job and tells how it goes.
func answer(ctx context.Context, f frame, t *teller, solve solver.Func) {
	stop := t.beat()
	r, err := do(ctx, f, t, solve)
	stop()
	if err != nil {
		t.tell(frame{failure, []byte(err.Error())})
		return
	}
	t.tell(encode(result, r))
}

func do(ctx context.Context, f frame, t *teller, solve solver.Func) (solver.Result, error) {
	var j job
	if f.kind != request {
		return solver.Result{}, errGarbage
	}
	if err := decode(f, &j); err != nil {
		return solver.Result{}, err
	}
	j.Options.Progress = t.progress
	return solve(ctx, &j.Problem, j.Options)
}
