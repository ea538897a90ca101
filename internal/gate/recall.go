package gate

import (
	"cmp"
	"context"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// recallTime is how long a question waits for the history of its call, at most.
// One that is not there by then is left out.
const recallTime = 5 * time.Millisecond

// recall begins to look up the history of a call. The function returned waits
// for it until recallTime is over, whether or not the historian heeds its
// context, and gives it in words; "" when there is none, or not in time.
func (g *Guard) recall(ctx context.Context, c *policy.Call) (words func() string) {
	if g.Historian == nil {
		return func() string { return "" }
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(g.patience, recallTime))
	found := make(chan History, 1)
	go func() {
		defer close(found)
		defer func() { _ = recover() }() // whatever goes wrong here must not take the gate along
		if h, err := g.Historian.History(ctx, c.Request); err == nil {
			found <- h
		}
	}()
	return func() string {
		defer cancel()
		select {
		case h := <-found:
			return remembered(c, h, g.Now())
		default:
		}
		select {
		case h := <-found: // the zero History when it was closed
			return remembered(c, h, g.Now())
		case <-ctx.Done():
			return ""
		}
	}
}

// remembered says the history of a call. Of an edit it is that of its file: no
// two edits are the same.
func remembered(c *policy.Call, h History, now time.Time) string {
	words := h.Words(now)
	if c.Scope == rule.Edit && words != "" {
		return "this file: " + words
	}
	return words
}
