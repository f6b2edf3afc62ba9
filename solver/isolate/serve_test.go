package isolate

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

func TestServeEndsWithItsInput(t *testing.T) {
	require.NoError(t, serve(bytes.NewReader(nil), io.Discard, solver.Solve))
}

func TestServeEndsAtGarbage(t *testing.T) {
	require.ErrorIs(t, serve(bytes.NewReader([]byte("plan -f - --catalog")), io.Discard, solver.Solve), errGarbage)
}

func TestServeEndsInTheMiddleOfASolve(t *testing.T) {
	requests, in := io.Pipe()
	solving, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_ = writeFrame(in, encode(request, job{Problem: *buying()}))
		<-solving
		_ = in.Close()
	}()
	stopped := make(chan struct{})
	err := serve(requests, io.Discard, func(ctx context.Context, _ *model.Problem, _ solver.Options) (solver.Result, error) {
		close(solving)
		<-ctx.Done()
		close(stopped)
		return solver.Result{}, ctx.Err()
	})
	require.NoError(t, err)
	<-done
	<-stopped
}

func TestAnswersToWhatIsNoRequestAreFailures(t *testing.T) {
	for _, c := range []struct {
		name string
		f    frame
		want string
	}{
		{"another kind of message", frame{kind: heartbeat}, "garbage"},
		{"an empty request", frame{kind: request}, "EOF"},
		{"a request of another form", encode(request, 17), "type mismatch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			answer(t.Context(), c.f, &teller{out: &out}, solver.Solve)
			got, err := readFrame(&out)
			require.NoError(t, err)
			require.Equal(t, failure, got.kind)
			require.Contains(t, string(got.payload), c.want)
		})
	}
}

// TestTheFirstIncumbentIsToldAtOnce, and the latest of those that follow at the next beat.
func TestTheFirstIncumbentIsToldAtOnce(t *testing.T) {
	var out bytes.Buffer
	tell := &teller{out: &out}
	for cost := range model.Money(5) {
		tell.progress(solver.Progress{Cost: 5 - cost})
	}
	require.Equal(t, []model.Money{5}, costsTold(t, &out))
	tell.tellNext()
	require.Equal(t, []model.Money{1}, costsTold(t, &out))
	tell.tellNext()
	require.Empty(t, costsTold(t, &out))
}

// costsTold are the costs of the progress told so far.
func costsTold(t *testing.T, out *bytes.Buffer) []model.Money {
	t.Helper()
	var costs []model.Money
	for out.Len() > 0 {
		f, err := readFrame(out)
		require.NoError(t, err)
		if f.kind == progress {
			var p solver.Progress
			require.NoError(t, decode(f, &p))
			costs = append(costs, p.Cost)
		}
	}
	return costs
}
