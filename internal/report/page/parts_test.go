package page_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/lint"
	"github.com/pigate/pigate/internal/report/page"
)

// fake is a journal of calls that all have the same text.
type fake struct {
	calls []audit.Call
	text  string
	err   error
}

func (f fake) Calls(context.Context, audit.Filter) iter.Seq2[audit.Call, error] {
	return func(yield func(audit.Call, error) bool) {
		for i, c := range f.calls {
			err := error(nil)
			if f.err != nil && i == len(f.calls)-1 {
				c, err = audit.Call{Seq: c.Seq}, f.err
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func (f fake) List(context.Context, audit.Filter) iter.Seq2[audit.Row, error] {
	return func(func(audit.Row, error) bool) {}
}

func (f fake) Row(_ context.Context, seq int64) (audit.Row, error) {
	text := fmt.Sprintf("%d %s", seq, f.text)
	return audit.Row{Seq: seq, Tool: text, Verdict: policy.Ask, Resources: []policy.Resource{{Kind: policy.ShellUnit, Text: text}},
		Reasons: []policy.Reason{{Cause: policy.CauseGuardedFlag, Resource: text, Detail: text}}}, nil
}

// However long the texts and however many the calls, the page can be sent by
// mail.
func TestPageIsBounded(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"quotes": strings.Repeat(`"`, 1000), "bidi": strings.Repeat("\u202e", 1000), "wide": strings.Repeat("界", 1000)} {
		var calls []audit.Call
		for i := range int64(6000) {
			c := audit.Call{Seq: i + 1, Time: audit.Micros(1_700_000_000_000_000 + i*60_000_000), Session: fmt.Sprint(i/50, text), Project: text, Tool: text, Decision: policy.Run,
				Verdict: policy.Ask, Basis: policy.BasisUser, Answer: gate.AnswerOnce, Waited: 1, Subject: i + 1, Judged: i + 1, Rules: []string{fmt.Sprint(i, text)}}
			switch i % 3 {
			case 0:
				c.Decision, c.Answer = policy.Block, gate.AnswerDeny
			case 1:
				c.Answer, c.Verdict, c.Basis = "", policy.Allow, policy.BasisRule
			}
			calls = append(calls, c)
		}
		o := options(audit.Filter{}, time.UTC)
		for i := range 1000 {
			o.Findings = append(o.Findings, lint.Finding{Kind: lint.Unused, Rule: fmt.Sprint(i, text), File: text, Text: text, Advice: text, Instead: text})
		}
		r := made(t, fake{calls: calls, text: text}, o)
		var html strings.Builder
		if err := page.WriteHTML(&html, r, time.UTC); err != nil {
			t.Fatal(err)
		}
		if html.Len() > 3_000_000 {
			t.Errorf("%s: %d bytes", name, html.Len())
		}
		if r.Denials.More == 0 || r.Approvals.More == 0 || r.Sessions.More == 0 || r.Rules.More == 0 || r.Findings.More == 0 || r.Timelines[0].More == 0 {
			t.Errorf("%s: something is not counted beyond its bound", name)
		}
	}
}

// Entries that cannot be read are told, and the rest is counted; a journal that
// cannot be read at all is an error.
func TestDamage(t *testing.T) {
	t.Parallel()
	calls := []audit.Call{{Seq: 1, Time: 1, Decision: policy.Run, Subject: 1, Judged: 1}, {Seq: 2, Time: 2}}
	r := made(t, fake{calls: calls, err: errors.New("entry 2: bad")}, options(audit.Filter{}, time.UTC))
	if r.Total.Calls != 1 || len(r.Notes) == 0 || r.Notes[0].Kind != page.NoteBroken || !strings.HasPrefix(r.Notes[0].Text, "1 entry of the journal cannot be read") {
		t.Errorf("%+v %+v", r.Total, r.Notes)
	}
	calls[1].Seq = 0
	if _, err := page.New(t.Context(), fake{calls: calls, err: errors.New("disk on fire")}, options(audit.Filter{}, time.UTC)); err == nil || err.Error() != "make report: disk on fire" {
		t.Error(err)
	}
}

// What deserves a sentence gets one.
func TestNotes(t *testing.T) {
	t.Parallel()
	var calls []audit.Call
	add := func(n int, c audit.Call) {
		for range n {
			c.Seq, c.Subject, c.Judged = int64(len(calls)+1), 1, 1
			c.Time = audit.Micros(c.Seq)
			calls = append(calls, c)
		}
	}
	add(12, audit.Call{Answer: gate.AnswerOnce, Basis: policy.BasisUser, Decision: policy.Run, Waited: 900_000})
	add(1, audit.Call{Answer: gate.AnswerNoUI, Basis: policy.BasisNoUI, Decision: policy.Block})
	add(2, audit.Call{Basis: policy.BasisDisabled, Decision: policy.Run})
	add(2, audit.Call{Basis: policy.BasisJournal, Decision: policy.Block})
	add(3, audit.Call{Basis: policy.BasisRule, Decision: policy.Run, Mismatch: true})
	o := options(audit.Filter{}, time.UTC)
	o.Findings = []lint.Finding{{Kind: lint.Unused}}
	var got []string
	for _, n := range made(t, fake{calls: calls, text: "x"}, o).Notes {
		got = append(got, strings.TrimSpace(n.Kind+": "+n.Subject+" "+n.Text))
	}
	want := []string{
		"mismatch:  3 calls ran with another input than the gate had approved.",
		"disabled:  2 calls ran while the gate was switched off.",
		"journal:  2 calls were blocked because the journal could not be written.",
		"quick:  12 of 12 prompts were answered in less than two seconds, faster than a command is read.",
		"programs: 1 caused 12 of 12 prompts; 12 of them let the call run.",
		"unattended:  1 call was blocked because nobody could be asked.",
		"findings:  1 rule in force needs tidying up.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Nothing is lost between the parts of a report: each call is in one hour, one
// session and one moment of its timeline, each that did not run is a denial.
func TestPartsHoldAllCalls(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var calls []audit.Call
		at := audit.Micros(1_767_225_600_000_000) // 2026-01-01
		for i := range rapid.IntRange(0, 120).Draw(t, "calls") {
			at += audit.Micros(rapid.Int64Range(0, 3_600_000_000).Draw(t, "pause"))
			c := audit.Call{Seq: int64(i + 1), Time: at, Session: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "session"), Decision: policy.Run,
				Verdict: rapid.SampledFrom([]policy.Effect{policy.Allow, policy.Ask, policy.Deny, policy.Pass}).Draw(t, "verdict"), Subject: rapid.Int64Range(1, 9).Draw(t, "subject")}
			c.Judged = c.Subject
			if rapid.Bool().Draw(t, "asked") {
				c.Answer = rapid.SampledFrom([]gate.Answer{gate.AnswerOnce, gate.AnswerDeny, gate.AnswerAborted, gate.AnswerNoUI}).Draw(t, "answer")
				c.Waited = rapid.Int64Range(0, 400_000_000).Draw(t, "waited")
			}
			if c.Answer != gate.AnswerOnce && c.Answer != "" || c.Verdict == policy.Deny {
				c.Decision = policy.Block
			}
			calls = append(calls, c)
		}
		r, err := page.New(context.Background(), fake{calls: calls}, options(audit.Filter{}, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		hours, sessions, denied, slots, moments := 0, 0, 0, 0, 0
		for _, h := range r.Hours {
			hours += h.Calls
		}
		for _, s := range r.Sessions.Rows {
			sessions += s.Calls
		}
		for _, d := range r.Denials.Rows {
			denied += d.Times
		}
		for _, s := range r.Slots {
			slots += s.Calls
		}
		for _, l := range r.Timelines {
			moments += l.More
			for _, m := range l.Moments {
				moments += m.Calls
			}
		}
		n := len(calls)
		if r.Total.Calls != n || hours != n || sessions != n || slots != n || moments != n || denied != r.Total.Blocked {
			t.Fatalf("of %d calls %d are counted, %d in hours, %d in sessions, %d in slots, %d in timelines; of %d denials %d", n, r.Total.Calls, hours, sessions, slots, moments, r.Total.Blocked, denied)
		}
		if r.Total.Silent+r.Total.Approved+r.Total.Blocked != n {
			t.Fatalf("%+v", r.Total)
		}
	})
}
