package piview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// asked is a question about a command in a project, and why it was put.
func asked(root, command string, cause policy.Cause) (*policy.Call, policy.Verdict) {
	c := policy.Derive(policy.Request{Tool: "bash", Input: input(command), Cwd: root, Root: root, OS: "linux", Trusted: true})
	return c, policy.Verdict{Effect: policy.Ask, Reasons: []policy.Reason{{Cause: cause, Resource: command, End: len(command)}}}
}

// offers answers n questions and returns at which of them, from 1, the offer was
// made.
func offers(o *Offer, n int, root, command string, cause policy.Cause) (at []int, text string) {
	for i := range n {
		if got := o.Answered(asked(root, fmt.Sprintf(command, i), cause)); got != "" {
			at, text = append(at, i+1), got
		}
	}
	return at, text
}

// begin counts what a diary has.
func (d *diary) begin(o *Offer) {
	d.t.Helper()
	if err := o.Begin(project, now)(d.t.Context(), d.reader()); err != nil {
		d.t.Fatal(err)
	}
}

func TestOfferIsMadeOnce(t *testing.T) {
	d, o := newDiary(t), &Offer{}
	d.begin(o)
	at, text := offers(o, 30, project, "touch %d", policy.CauseNoRule)
	if fmt.Sprint(at) != "[10]" {
		t.Errorf("offered at %v, want at the tenth question alone", at)
	}
	if want := `you were asked 10 times in this project about calls like "touch"; /allowlist suggest looks for a rule that spares them`; text != want {
		t.Errorf("says %q\nwant %q", text, want)
	}
	if at, _ := offers(o, 30, project, "mkdir %d", policy.CauseNoRule); at != nil {
		t.Errorf("offered again for another shape at %v", at)
	}
	d.begin(o) // another session of the same process
	if at, _ := offers(o, 30, project, "touch %d", policy.CauseNoRule); at != nil {
		t.Errorf("offered again in another session at %v", at)
	}

	d.record(&gate.Entry{Kind: gate.KindSessionStart, Start: &gate.SessionStart{Reason: "startup", Cwd: project, Root: project}})
	d.record(&gate.Entry{Kind: gate.KindWarning, Warning: &gate.Warning{Text: text}})
	later := &Offer{}
	d.begin(later)
	if at, _ := offers(later, 30, project, "touch %d", policy.CauseNoRule); at != nil {
		t.Errorf("offered again by another process at %v", at)
	}
}

func TestOfferCountsWhatTheJournalHas(t *testing.T) {
	d, o := newDiary(t), &Offer{}
	for i := range 7 {
		d.decide(fmt.Sprintf("touch %d", i), nil)
	}
	d.decide("touch x", func(d *gate.Decision) { d.Answer, d.Action = gate.AnswerDeny, policy.Block })
	d.decide("touch y", func(d *gate.Decision) { d.Answer, d.Action = gate.AnswerAborted, policy.Block }) // nobody answered
	d.decide("touch z", byRule)
	d.decide("touch w", func(d *gate.Decision) { d.Root = project + "/below" })
	d.begin(o)
	if at, _ := offers(o, 5, project, "touch %d", policy.CauseNoRule); fmt.Sprint(at) != "[2]" {
		t.Errorf("offered at %v, want at the second question, the tenth in all", at)
	}
}

func TestOfferIsNotMade(t *testing.T) {
	for name, tt := range map[string]struct {
		root, command string
		cause         policy.Cause
	}{
		"no rule could spare them":      {project, "touch %d", policy.CauseRedirection},
		"in a project that never began": {"/home/u/other", "touch %d", policy.CauseNoRule},
	} {
		d, o := newDiary(t), &Offer{}
		d.begin(o)
		if at, _ := offers(o, 30, tt.root, tt.command, tt.cause); at != nil {
			t.Errorf("%s: offered at %v", name, at)
		}
	}
	d, o := newDiary(t), &Offer{}
	d.begin(o)
	for i, program := range strings.Fields("touch mkdir make npm cargo go cp mv ln tar") {
		if text := o.Answered(asked(project, fmt.Sprintf("%s %d", program, i), policy.CauseNoRule)); text != "" {
			t.Errorf("ten shapes: %q", text)
		}
	}
	for i := range 30 {
		c, v := asked(project, fmt.Sprintf("touch %d", i), policy.CauseNoRule)
		c.Request.Trusted = false
		if text := o.Answered(c, v); text != "" {
			t.Errorf("where no rule can be saved: %q", text)
		}
	}
}

// Until the journal was counted nobody knows whether the offer was made.
func TestOfferWaitsForTheJournal(t *testing.T) {
	d, o := newDiary(t), &Offer{}
	count := o.Begin(project, now)
	if at, _ := offers(o, 12, project, "touch %d", policy.CauseNoRule); at != nil {
		t.Errorf("offered at %v before the journal was counted", at)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := count(ctx, d.reader()); !errors.Is(err, context.Canceled) {
		t.Fatalf("counting a journal that cannot be read: %v", err)
	}
	if at, _ := offers(o, 12, project, "touch %d", policy.CauseNoRule); at != nil {
		t.Errorf("offered at %v without the journal", at)
	}
	if err := count(t.Context(), d.reader()); err != nil {
		t.Fatal(err)
	}
	if at, _ := offers(o, 3, project, "touch %d", policy.CauseNoRule); fmt.Sprint(at) != "[1]" {
		t.Errorf("offered at %v, want at the first question after that", at)
	}
}

func TestOfferIsHarmless(t *testing.T) {
	d, o := newDiary(t), &Offer{}
	d.begin(o)
	for range 10 {
		c, v := asked(project, "\x1b[2J\u202e"+strings.Repeat("x", 500), policy.CauseNoRule)
		if text := o.Answered(c, v); strings.ContainsAny(text, "\x1b\u202e") || len(text) > 300 {
			t.Errorf("says %q", text)
		}
	}
}
