//go:build unix

package sat

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const underSignal = "MORTISE_TEST_SOLVE_UNDER_SIGNAL"

// Ctrl-C during a solve is the process's own affair: CP-SAT would end it.
func TestInterruptReachesTheProcess(t *testing.T) {
	needLibrary(t)
	if os.Getenv(underSignal) != "" {
		solveUnderSignal(t)
		return
	}
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestInterruptReachesTheProcess$")
		command.Env = append(os.Environ(), underSignal+"=1")
		out, err := command.StdoutPipe()
		require.NoError(t, err)
		command.Stderr = os.Stderr
		require.NoError(t, command.Start())
		lines := bufio.NewScanner(out)
		var said bytes.Buffer
		for lines.Scan() {
			fmt.Fprintln(&said, lines.Text())
			if lines.Text() == "solving" {
				require.NoError(t, command.Process.Signal(sent))
			}
		}
		require.NoError(t, command.Wait(), said.String())
		require.Contains(t, said.String(), "stopped:")
	}
}

// solveUnderSignal says when it is at work, and how the solve ended that the
// signal cancels.
func solveUnderSignal(t *testing.T) {
	ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	time.AfterFunc(500*time.Millisecond, func() { fmt.Println("solving") })
	r, err := packing(60).Solve(ctx, Params{Workers: 2})
	require.NoError(t, err)
	require.Error(t, ctx.Err())
	fmt.Println("stopped:", r.Status)
}
