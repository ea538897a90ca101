package gate

import (
	"context"
	"sync"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// StartSession drops every grant and records that a session of Pi began.
func (g *Guard) StartSession(ctx context.Context, session string, start SessionStart) error {
	g.grants.Reset(g.Now())
	g.calls.reset()
	_, err := g.Recorder.Record(ctx, &Entry{Kind: KindSessionStart, Time: g.Now().UnixMicro(), Session: session, Start: &start})
	return err
}

// EndSession drops every grant and records the end.
func (g *Guard) EndSession(ctx context.Context, session, reason string) error {
	g.grants.Reset(g.Now())
	calls, prompts := g.calls.counts()
	_, err := g.Recorder.Record(ctx, &Entry{Kind: KindSessionEnd, Time: g.Now().UnixMicro(), Session: session,
		End: &SessionEnd{Reason: reason, Calls: calls, Prompts: prompts}})
	return err
}

// revoke drops the grants that were revoked since they were given, and tells the
// person.
func (g *Guard) revoke(ctx context.Context, session string) {
	if g.Revoked != nil && g.grants.Revoke(g.Revoked) {
		g.warn(ctx, session, "the approvals for this session were revoked; what they covered asks again")
	}
}

// Grants lists what was approved for the session.
func (g *Guard) Grants() []Grant {
	if g.Revoked != nil {
		g.grants.Revoke(g.Revoked)
	}
	return g.grants.List()
}

// Outcome records what a tool reported and returns whether the input that ran
// is not the one that was approved. The person is told of that.
func (g *Guard) Outcome(ctx context.Context, session, call string, out Outcome) (mismatch bool, err error) {
	ran, ok := g.calls.take(session, call)
	same := out.InputDigest == "" || out.InputDigest == ran.digest
	if !ok { // decided, if at all, by a process before this one
		if ok, same, err = g.Recorder.Approved(ctx, session, call, out.InputDigest); err != nil {
			g.Recorder.Missed(&Entry{Kind: KindOutcome, Session: session, Call: call, Outcome: &out}, err)
			return false, err
		}
	}
	switch {
	case !ok:
		out.Undecided = true
	case out.InputDigest != "" && !same:
		out.Mismatch = true
		g.Asker.Notify(ctx, "error", "pigate: the input of "+text.Visible(out.Tool)+" was changed after it was approved (call "+text.Visible(call)+")")
	}
	_, err = g.Recorder.Record(ctx, &Entry{Kind: KindOutcome, Time: g.Now().UnixMicro(), Session: session, Call: call,
		Later: ran.later && !out.Mismatch, Outcome: &out})
	return out.Mismatch, err
}

// warn tells the person once about the configuration, and the journal too. The
// journal's failure is not repeated here: the call itself will meet it.
func (g *Guard) warn(ctx context.Context, session, warning string) {
	g.Asker.Notify(ctx, "warning", "pigate: "+text.Visible(warning))
	_, _ = g.Recorder.Record(ctx, &Entry{Kind: KindWarning, Time: g.Now().UnixMicro(), Session: session, Warning: &Warning{Text: warning}})
}

// ledger remembers the calls that run until their outcome comes.
type ledger struct {
	mu      sync.Mutex
	running map[[2]string]run // by session and call
	calls   int
	prompts int
}

// run is a call that was let run: the digest of the approved input, and whether
// its entries may be committed later.
type run struct {
	digest string
	later  bool
}

func (l *ledger) decided(session, call string, r run, action policy.Action, answer Answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	if answer != "" && answer != AnswerNoUI {
		l.prompts++
	}
	if action != policy.Run {
		return
	}
	if l.running == nil {
		l.running = map[[2]string]run{}
	}
	l.running[[2]string{session, call}] = r
}

func (l *ledger) take(session, call string) (r run, ran bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := [2]string{session, call}
	r, ran = l.running[key]
	delete(l.running, key)
	return r, ran
}

func (l *ledger) counts() (calls, prompts int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls, l.prompts
}

func (l *ledger) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running, l.calls, l.prompts = nil, 0, 0
}
