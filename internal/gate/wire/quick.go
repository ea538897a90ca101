package wire

import (
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// Quicken sets the runtime up for what the gate does all day: wait for a line,
// work for some microseconds, answer. On one processor the goroutines of a call
// hand over to each other without waking threads, which costs more than the
// decision; and garbage is rare enough to be collected late.
func Quicken() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(400)
}

// aside counts the work that is done alongside.
var aside struct {
	mu     sync.Mutex
	n      int
	before int // processors
}

// Alongside does work that is long next to a decision. Meanwhile there is a
// second processor, so that calls need not wait for their share of the one that
// Quicken leaves.
func Alongside(work func()) {
	step := func(by int) {
		aside.mu.Lock()
		defer aside.mu.Unlock()
		if aside.n == 0 {
			aside.before = runtime.GOMAXPROCS(0)
			runtime.GOMAXPROCS(max(aside.before, 2))
		}
		if aside.n += by; aside.n == 0 {
			runtime.GOMAXPROCS(aside.before)
		}
	}
	step(1)
	defer step(-1)
	work()
}

// pollable returns the input as a file that the runtime's poller waits for, so
// that a read that waits does not hold the one processor. It changes pipes and
// sockets only: they belong to this process alone, a terminal does not.
func pollable(in io.Reader) io.Reader {
	f, ok := in.(*os.File)
	if !ok {
		return in
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return in
	}
	if polled := nonblocking(f); polled != nil {
		return polled
	}
	return in
}
