package isolate

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/solver"
)

// Environment variables that make this test a parent of one child, and tell
// that child of a named pipe to hold open for as long as it lives.
const (
	parentOnly = "ISOLATE_TEST_PARENT"
	lifeline   = "ISOLATE_TEST_LIFELINE"
)

// beParent solves one problem, says when the child idles or stalls, and waits to be killed.
func beParent() {
	ready := func(solver.Progress) { fmt.Println("ready") }
	var o solver.Options
	if os.Getenv(badEngine) != "" {
		o.Progress = ready
	}
	_, _ = New(Options{}).Solve(context.Background(), buying(), o)
	ready(solver.Progress{})
	select {}
}

// held keeps the lifeline from being closed by a finalizer.
var held *os.File

// holdLifeline says who holds it.
func holdLifeline(path string) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	_, _ = fmt.Fprintln(f, os.Getpid())
	held = f
}

func TestChildrenEndWithTheirParent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, engine string
		stopped      bool
	}{
		{"an idle child", "", false},
		{"a child that is busy", "finds, then stalls", false},
		{"a child that hangs", "finds, then stalls", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.stopped && runtime.GOOS != "linux" {
				t.Skip("only Linux ends a process with its parent")
			}
			t.Parallel()
			path := filepath.Join(t.TempDir(), "lifeline")
			require.NoError(t, syscall.Mkfifo(path, 0o600))
			parent := exec.Command(os.Args[0])
			parent.Env = append(os.Environ(), parentOnly+"=yes", lifeline+"="+path, badEngine+"="+c.engine)
			said, err := parent.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, parent.Start())

			life, err := os.Open(path) // waits for the child
			require.NoError(t, err)
			defer func() { require.NoError(t, life.Close()) }()
			var child int
			_, err = fmt.Fscanln(life, &child)
			require.NoError(t, err)
			_, err = bufio.NewReader(said).ReadString('\n')
			require.NoError(t, err)
			if c.stopped {
				require.NoError(t, syscall.Kill(child, syscall.SIGSTOP))
			}

			require.NoError(t, parent.Process.Kill())
			require.Error(t, parent.Wait())
			require.NoError(t, life.SetReadDeadline(time.Now().Add(30*time.Second)))
			_, err = io.ReadAll(life)
			require.NoError(t, err, "the child is still there")
		})
	}
}
