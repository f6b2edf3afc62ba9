package isolate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheCauseIsTheHeadOfAPanicOrTheLastLine(t *testing.T) {
	for _, c := range []struct{ name, printed, want string }{
		{"nothing printed", "", ""},
		{"only blank lines", "\n\n", ""},
		{"a message", "loading\nlibrary is missing\n\n", "library is missing"},
		{"a panic", "loading\npanic: out of luck\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: out of luck"},
		{"a fatal error", "fatal error: out of memory\n\nruntime stack:\n", "fatal error: out of memory"},
		{"a crash in a library", "SIGSEGV: segmentation violation\nPC=0x0 m=0 sigcode=1\n", "SIGSEGV: segmentation violation"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l lastWords
			_, err := l.Write([]byte(c.printed))
			require.NoError(t, err)
			require.Equal(t, c.want, l.cause())
		})
	}
}

func TestOnlyTheLastWordsAreKept(t *testing.T) {
	var l lastWords
	for i := range 10_000 {
		_, err := fmt.Fprintf(&l, "iteration %d %s\n", i, strings.Repeat(".", 80))
		require.NoError(t, err)
	}
	require.Len(t, l.text, wordsKept)
	require.Contains(t, l.cause(), "iteration 9999")
}
