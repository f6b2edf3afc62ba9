package isolate

import (
	"strings"
	"sync"
)

// lastWords keep the end of what a child printed: if it panicked, why.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

// wordsKept is enough for the trace of a panic.
const wordsKept = 64 << 10

func (l *lastWords) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, data...)
	if extra := len(l.text) - wordsKept; extra > 0 {
		l.text = append(l.text[:0], l.text[extra:]...)
	}
	return len(data), nil
}

// cause is the line that says what went wrong: the head of a panic if there is
// one, else the last line.
func (l *lastWords) cause() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := ""
	for line := range strings.Lines(string(l.text)) {
		line = strings.TrimSpace(line)
		for _, head := range []string{"panic: ", "fatal error: ", "SIG"} {
			if strings.HasPrefix(line, head) {
				return line
			}
		}
		if line != "" {
			last = line
		}
	}
	return last
}
