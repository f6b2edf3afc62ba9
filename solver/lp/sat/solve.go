package sat

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/mortise-io/mortise/solver/lp/native"
)

// Params tune one solve. The zero value proves the optimum with one worker.
type Params struct {
	// DeterministicTime bounds the work, about seconds of one core, but the
	// same everywhere; zero means no bound.
	DeterministicTime float64
	// Time is the safety stop by the clock; zero means none.
	Time    time.Duration
	Workers int // threads; zero means one, and more are not deterministic
	Seed    int64
	// Gap is enough once the relative gap is this small; zero: prove the optimum.
	Gap float64
}

// library are the functions of CP-SAT's C interface.
type library struct {
	*native.Library

	major, minor, patch func() int32

	newEnvironment func() uintptr
	destroy        func(environment uintptr)
	stop           func(environment uintptr)
	solve          func(environment uintptr, model *byte, modelSize int32, params *byte, paramsSize int32, response *unsafe.Pointer, responseSize *int32)
	free           func(unsafe.Pointer)
}

// open loads the library at the first call; later ones get the same answer.
var open = sync.OnceValues(func() (*library, error) {
	l, err := native.Open(native.ORTools)
	if err != nil {
		return nil, err
	}
	lib := &library{Library: l}
	for symbol, f := range map[string]any{
		"_ZN19operations_research19OrToolsMajorVersionEv": &lib.major,
		"_ZN19operations_research19OrToolsMinorVersionEv": &lib.minor,
		"_ZN19operations_research19OrToolsPatchVersionEv": &lib.patch,
		"SolveCpNewEnv":        &lib.newEnvironment,
		"SolveCpDestroyEnv":    &lib.destroy,
		"SolveCpStopSearch":    &lib.stop,
		"SolveCpInterruptible": &lib.solve,
		"free":                 &lib.free, // of the C library that CP-SAT allocates with
	} {
		if err := l.Bind(symbol, f); err != nil {
			return nil, err
		}
	}
	return lib, nil
})

// Version is OR-Tools' release and where it was found.
func Version() (version, path string, err error) {
	lib, err := open()
	if err != nil {
		return "", "", err
	}
	return fmt.Sprintf("%d.%d.%d", lib.major(), lib.minor(), lib.patch()), lib.Path, nil
}

// Solve solves the model. A context that is canceled stops the search within a
// tenth of a second, like a limit: the response tells what was known by then.
// Solve fails if the library cannot be loaded, or the model is none.
func (m *Model) Solve(ctx context.Context, p Params) (Response, error) {
	if len(m.faults) > 0 {
		return Response{}, errors.Join(m.faults...)
	}
	lib, err := open()
	if err != nil {
		return Response{}, err
	}
	b := lib.run(ctx, m.encode(), p.encode())
	r, err := decode(b)
	if err != nil {
		return Response{}, err
	}
	return r, r.complete(m, p)
}

// stopEach is how often a search is told to stop: it forgets what it was told
// before it began.
const stopEach = 10 * time.Millisecond

// run sends the messages to the library and returns its answer. The library
// ends the process if they cannot be read.
func (l *library) run(ctx context.Context, model, params []byte) []byte {
	environment := l.newEnvironment()
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		l.watch(ctx, environment, done)
	}()
	var answer unsafe.Pointer
	var size int32
	l.solve(environment, unsafe.SliceData(model), int32(len(model)), unsafe.SliceData(params), int32(len(params)), &answer, &size)
	close(done)
	<-watched
	l.destroy(environment)
	out := append([]byte(nil), unsafe.Slice((*byte)(answer), size)...)
	l.free(answer)
	return out
}

// watch stops the search once the context is canceled.
func (l *library) watch(ctx context.Context, environment uintptr, done <-chan struct{}) {
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	tick := time.NewTicker(stopEach)
	defer tick.Stop()
	for {
		l.stop(environment)
		select {
		case <-done:
			return
		case <-tick.C:
		}
	}
}
