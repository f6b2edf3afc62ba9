package isolate

import (
	"io"
	"sync"
	"time"

	"github.com/mortise-io/mortise/solver"
)

// beatEvery is how often a solving child says that it is alive, and at most
// says how far it has come.
const beatEvery = 100 * time.Millisecond

// teller tells the parent how one solve goes. If the parent no longer listens
// nothing is lost: the child is about to end, too.
type teller struct {
	mu  sync.Mutex
	out io.Writer
	// next is the latest progress, as far as it is not told yet.
	next *solver.Progress
	told time.Time
}

func (t *teller) tell(f frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = writeFrame(t.out, f)
}

// progress tells the first incumbent at once, and later ones at the pace of the beat.
func (t *teller) progress(p solver.Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = &p
	if time.Since(t.told) >= beatEvery {
		t.tellNext()
	}
}

// tellNext is called with the lock held.
func (t *teller) tellNext() {
	f := frame{kind: heartbeat}
	if t.next != nil {
		f = encode(progress, t.next)
		t.next, t.told = nil, time.Now()
	}
	_ = writeFrame(t.out, f)
}

// beat tells something regularly until stop is called.
func (t *teller) beat() (stop func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				t.mu.Lock()
				t.tellNext()
				t.mu.Unlock()
			}
		}
	}()
	return func() {
		close(done)
		<-gone
	}
}
