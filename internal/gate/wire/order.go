package wire

import (
	"context"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"
)

// sequencer runs requests at the same time, except that whatever came after an
// initialize or a session/start waits until that is done: a host may send
// them in one go, and a session's grants must be gone before its first call.
type sequencer struct {
	methods handler.Map

	mu   sync.Mutex
	last <-chan struct{} // closed when the last barrier is done; nil before the first
}

// barriers are the methods that later requests wait for.
var barriers = map[string]bool{"initialize": true, "session/start": true}

// Assign is part of jrpc2.Assigner. The server calls it in the order of
// receipt.
func (o *sequencer) Assign(_ context.Context, method string) jrpc2.Handler {
	run := o.methods[method]
	if run == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	before := o.last
	if !barriers[method] {
		return func(ctx context.Context, req *jrpc2.Request) (any, error) {
			wait(before)
			return run(ctx, req)
		}
	}
	done := make(chan struct{})
	o.last = done
	return func(ctx context.Context, req *jrpc2.Request) (any, error) {
		defer close(done)
		wait(before)
		return run(ctx, req)
	}
}

func wait(done <-chan struct{}) {
	if done != nil {
		<-done
	}
}
