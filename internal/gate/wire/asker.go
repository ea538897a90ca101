package wire

import (
	"context"
	"fmt"
	"strings"

	"github.com/creachadair/jrpc2"

	"github.com/pigate/pigate/internal/gate"
)

// asker implements gate.Asker by calling back on the host.
type asker struct {
	server *jrpc2.Server
}

var _ gate.Asker = (*asker)(nil)

func (a *asker) Select(ctx context.Context, call, title string, options []string) (gate.Choice, error) {
	var r selectResult
	if err := a.call(ctx, call, "ui/select", selectParams{call, title, options}, &r); err != nil {
		return gate.Choice{}, err
	}
	choice := gate.Choice{Aborted: r.Aborted, Keys: r.Keys.keys()}
	if r.Choice != nil && !r.Aborted {
		choice.Text = *r.Choice
	}
	return choice, nil
}

func (a *asker) Edit(ctx context.Context, call, title, prefill string) (gate.Choice, bool, error) {
	var r editorResult
	if err := a.call(ctx, call, "ui/editor", editorParams{call, title, prefill}, &r); err != nil {
		return gate.Choice{}, false, err
	}
	if r.Text == nil || r.Aborted {
		return gate.Choice{Aborted: r.Aborted}, false, nil
	}
	return gate.Choice{Text: *r.Text}, true, nil
}

func (a *asker) Notify(ctx context.Context, level, message string) {
	// A host that is gone cannot be told anything; the call itself will fail.
	_ = a.server.Notify(ctx, "ui/notify", notifyParams{level, message})
}

// waiting tells the host that a call waits for a person of another session, so
// that its patience does not run out.
func (a *asker) waiting(ctx context.Context, call string) (over func()) {
	_ = a.server.Notify(ctx, "ui/waiting", waitingParams{call, true})
	return func() { _ = a.server.Notify(context.WithoutCancel(ctx), "ui/waiting", waitingParams{call, false}) }
}

func (a *asker) call(ctx context.Context, call, method string, params, result any) error {
	response, err := a.server.Callback(ctx, method, params)
	if err != nil && ctx.Err() != nil && strings.HasPrefix(call, gate.SubCall) {
		// The host knows nothing of this call, nor when it ends.
		_ = a.server.Notify(context.WithoutCancel(ctx), "ui/close", closeParams{call})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if err := response.UnmarshalResult(result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}
