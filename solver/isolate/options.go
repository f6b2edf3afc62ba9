package isolate

import (
	"cmp"
	"runtime"
	"time"
)

// Options of a Pool. The zero value is ready to use.
type Options struct {
	// Command starts a child; nil means this program, which has to call Main.
	Command []string
	// Env is added to the environment of children.
	Env []string
	// MemoryLimit is how many bytes a child may use before it is killed; zero
	// means no limit. From three quarters on it collects garbage hard. Where
	// the system does not tell what is used (all but Linux), no child is killed for it.
	MemoryLimit int64
	// MaxChildren is how many problems are solved at once, further ones wait;
	// zero means one a processor.
	MaxChildren int
	// SolvesPerChild is how many problems a child solves before it is
	// replaced; zero means 100.
	SolvesPerChild int
	// HangLimit is how long a solving child may say nothing before it is
	// killed; zero means ten seconds. Children say something ten times a second.
	HangLimit time.Duration
	// Grace is how long after the time limit of a solve a child may go on
	// before it is killed; zero means five seconds. It also is the least time
	// that the built-in engine has when it stands in.
	Grace time.Duration
}

func (o Options) withDefaults() Options {
	o.MaxChildren = cmp.Or(o.MaxChildren, runtime.GOMAXPROCS(0))
	o.SolvesPerChild = cmp.Or(o.SolvesPerChild, 100)
	o.HangLimit = cmp.Or(o.HangLimit, 10*time.Second)
	o.Grace = cmp.Or(o.Grace, 5*time.Second)
	return o
}

// grown says whether a child of that size is too large to be given another problem.
func (o Options) grown(bytes int64) bool {
	return o.MemoryLimit > 0 && bytes > o.MemoryLimit/4*3
}
