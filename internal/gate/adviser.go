package gate

import (
	"context"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// Adviser hears of the questions that a person has answered, and may have a word
// for them.
type Adviser interface {
	// Answered is called after the answer to a question about a call was recorded.
	// It returns at once what to tell the person, mostly "".
	Answered(c *policy.Call, v policy.Verdict) string
}

// advise tells the person what the adviser has to say, and records that it did.
func (d *pendingCall) advise(ctx context.Context) {
	g, req := d.guard, d.call.Request
	switch d.answer {
	case AnswerOnce, AnswerSession, AnswerSave, AnswerDeny, AnswerDismissed:
	default: // nobody answered
		return
	}
	if g.Adviser == nil {
		return
	}
	if notice := g.Adviser.Answered(d.call, d.verdict); notice != "" {
		g.Asker.Notify(ctx, "info", "pigate: "+text.Visible(notice))
		// The journal's failure is met by the next call.
		_, _ = g.Recorder.Record(ctx, &Entry{Kind: KindWarning, Time: g.Now().UnixMicro(), Session: req.Session, Later: true, Warning: &Warning{Text: notice}})
	}
}
