package main

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/cmd/mortise/text"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

func TestColorIsForTerminalsThatWantIt(t *testing.T) {
	for _, c := range []struct {
		name, noColor, term string
		want                bool
	}{
		{"a terminal shows color", "", "xterm-256color", true},
		{"NO_COLOR turns it off", "1", "xterm-256color", false},
		{"a dumb terminal has none", "", "dumb", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", c.noColor)
			t.Setenv("TERM", c.term)
			require.Equal(t, c.want, wantsColor())
		})
	}
}

func TestAFileIsNoTerminal(t *testing.T) {
	f, err := os.Create(file(t, "out.txt", ""))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	require.Equal(t, text.Options{}, pageOf(f))
	require.Equal(t, text.Options{}, pageOf(&bytes.Buffer{}))
	require.Nil(t, newProgress(f).w)
}

func TestProgressIsShownOnlyOfALongSolve(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b}
	p.report(solver.Progress{Elapsed: time.Second / 2})
	p.done()
	require.Empty(t, b.String())

	p.report(solver.Progress{Elapsed: 3 * time.Second, Cost: 2 * model.Dollar, LowerBound: model.Dollar})
	require.Contains(t, b.String(), "3 s: cost $2.0000/h, lower bound $1.0000/h, gap 50.00%")
	p.done()
	require.Equal(t, "\r\x1b[K", b.String()[b.Len()-len("\r\x1b[K"):])
}

func TestAPrinterThatFailsIsAFailure(t *testing.T) {
	require.Equal(t, exitFailed, exitCode(printDocument(broken{}, formatJSON, 1)))
	require.Equal(t, exitFailed, exitCode(printDocument(&bytes.Buffer{}, formatJSON, func() {})))
	code := run(t.Context(), []string{"version"}, streams{out: broken{}, err: &bytes.Buffer{}})
	require.Equal(t, exitFailed, code)
}

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }
