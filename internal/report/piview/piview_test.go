package piview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

const (
	session = "0199-session"
	project = "/home/u/proj"
)

var now = time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)

// diary writes a journal, an entry a minute until now.
type diary struct {
	t       *testing.T
	journal *audit.Journal
	minute  int
	calls   int
}

func newDiary(t *testing.T) *diary { return &diary{t: t, journal: audittest.NewJournal(t)} }

func (d *diary) record(e *gate.Entry) int64 {
	d.t.Helper()
	d.minute++
	e.Time, e.Session = now.Add(time.Duration(d.minute-60)*time.Minute).UnixMicro(), session
	seq, err := d.journal.Record(d.t.Context(), e)
	if err != nil {
		d.t.Fatal(err)
	}
	return seq
}

func input(command string) json.RawMessage {
	text, _ := json.Marshal(map[string]string{"command": command}) // a string always encodes
	return text
}

// decide records what was made of a command.
func (d *diary) decide(command string, change func(*gate.Decision)) (call string) {
	d.t.Helper()
	d.calls++
	call = fmt.Sprintf("call_%d", d.calls)
	decision := &gate.Decision{Request: policy.Request{Tool: "bash", Input: input(command), Cwd: project, Root: project, OS: "linux"},
		Verdict: policy.Ask, Reasons: []policy.Reason{{Cause: policy.CauseNoRule, Resource: command, End: len(command)}},
		Answer: gate.AnswerOnce, Waited: 3_200_000, Action: policy.Run, Basis: policy.BasisUser}
	if change != nil {
		change(decision)
	}
	d.record(&gate.Entry{Kind: gate.KindDecision, Call: call, Decision: decision})
	return call
}

func byRule(d *gate.Decision) {
	d.Verdict, d.Answer, d.Basis, d.Waited = policy.Allow, "", policy.BasisRule, 0
	d.Reasons = []policy.Reason{{Cause: policy.CauseRule, Rule: "shell:git *", File: ".pi/allowlist-gate.json", Line: 3}}
}

func denied(d *gate.Decision) {
	byRule(d)
	d.Verdict, d.Action, d.Reasons[0].Resource = policy.Deny, policy.Block, "rm -rf x"
}

func (d *diary) outcome(call string, code int) {
	d.t.Helper()
	d.record(&gate.Entry{Kind: gate.KindOutcome, Call: call, Outcome: &gate.Outcome{Tool: "bash", OK: code == 0, ExitCode: &code}})
}

func (d *diary) reader() *audit.Reader {
	d.t.Helper()
	r, err := audit.OpenReader(d.t.Context(), d.journal.Path())
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = r.Close() })
	return r
}

// view looks at the diary without its index.
func (d *diary) view(p past) View {
	d.t.Helper()
	return View{Reader: d.reader(), Scan: true, Past: p, Now: now}
}

// log shows the diary's last n decisions.
func (d *diary) log(n int) string {
	d.t.Helper()
	text, err := d.view(past{}).Log(d.t.Context(), project, n)
	if err != nil {
		d.t.Fatal(err)
	}
	return text
}

func (d *diary) why(h gate.History) string {
	d.t.Helper()
	text, err := d.view(past{h}).Why(d.t.Context(), session)
	if err != nil {
		d.t.Fatal(err)
	}
	return text
}

type past struct{ h gate.History }

func (p past) History(context.Context, policy.Request) (gate.History, error) { return p.h, nil }

func same(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLog(t *testing.T) {
	d := newDiary(t)
	same(t, d.log(0), "Nothing was decided in this project yet.")
	d.outcome(d.decide("make", nil), 2)
	same(t, d.log(0), `The one decision in this project so far, without calls that only read:
1  14:01:00  ran, exit 2  you: allowed once  bash: make
/allowlist why explains the last question; pigate audit show 1 tells all of one`)
	d.decide("ls", func(d *gate.Decision) { d.Verdict, d.Answer, d.Basis = policy.Pass, "", policy.BasisPass })
	d.outcome(d.decide("git status", byRule), 0)
	d.decide("rm -rf x", denied)
	d.decide("elsewhere", func(d *gate.Decision) { d.Root = "/home/u/proj/below" })
	d.decide("echo \x1b[2J\u202e"+strings.Repeat("long ", 40), func(d *gate.Decision) { d.Answer, d.Action = gate.AnswerDeny, policy.Block })
	same(t, d.log(3), `The last 3 decisions in this project, without calls that only read:
4  14:04:00  ran      shell:git *  bash: git status
6  14:06:00  blocked  shell:git *  bash: rm -rf x
8  14:08:00  blocked  you: denied  bash: echo \u{1b}[2J\u{202e}long long lo…
/allowlist why explains the last question; pigate audit show 8 tells all of one`)
	if n := len(strings.Split(d.log(0), "\n")); n != 6 {
		t.Errorf("%d lines, want 4 decisions between two others", n)
	}
	for _, n := range []int{-1, MaxLog + 1} {
		if text, err := d.view(past{}).Log(t.Context(), project, n); err == nil {
			t.Errorf("log of %d is no error: %s", n, text)
		}
	}
}

func TestLogNamesTheDay(t *testing.T) {
	d := newDiary(t)
	d.decide("make", nil)
	tomorrow := d.view(past{})
	tomorrow.Now = now.AddDate(0, 0, 1)
	text, err := tomorrow.Log(t.Context(), project, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := "1  2026-03-10 14:01  let run  you: allowed once  bash: make"; !strings.Contains(text, want) {
		t.Errorf("%s\nlacks %q", text, want)
	}
}

func TestWhy(t *testing.T) {
	d := newDiary(t)
	same(t, d.why(gate.History{}), "Nothing was asked or blocked in this session yet.")
	d.outcome(d.decide("git add . && git push", func(d *gate.Decision) {
		d.Reasons = []policy.Reason{{Cause: policy.CauseNoRule, Resource: "git push", Via: "sudo"}, {Cause: policy.CauseRedirection, Detail: "it writes a file"}}
	}), 1)
	d.decide("git status", byRule) // silent: not what is asked for
	same(t, d.why(gate.History{Approved: 3, LastRan: now.Add(-time.Minute).UnixMicro()}), `bash: git add . && git push
Asked at 14:01:00; allowed once after 3.2s: ran, exit 1.
Why:
  no rule allows it (by sudo): git push
  it writes a file
This call in this project so far: allowed 3 times, last a minute ago
pigate audit show 1 tells all of it`)

	d.decide("ls; rm -rf x", denied)
	same(t, d.why(gate.History{}), `bash: ls; rm -rf x
Blocked at 14:04:00 by a deny rule.
Why:
  rule "shell:git *" (.pi/allowlist-gate.json:3): rm -rf x
pigate audit show 4 tells all of it`)
}

func TestWhyOfAnOpenQuestion(t *testing.T) {
	d := newDiary(t)
	d.decide("make", nil)
	d.record(&gate.Entry{Kind: gate.KindPrompt, Call: "call_open", Prompt: &gate.Prompted{Tool: "bash", Input: input("make clean"),
		Cwd: project, Root: project, Reasons: []policy.Reason{{Cause: policy.CauseNoRule, Resource: "make clean"}}}})
	same(t, d.why(gate.History{}), `bash: make clean
Asked at 14:02:00; there is no answer yet.
Why:
  no rule allows it: make clean
pigate audit show 2 tells all of it`)
}

func TestWhyOfEveryBlock(t *testing.T) {
	for basis, want := range map[policy.Basis]string{
		policy.BasisNoUI:    "Blocked at 14:01:00: it needs a person's approval, and nobody could be asked.",
		policy.BasisJournal: "Blocked at 14:01:00: it could not be recorded.",
		policy.BasisError:   "Blocked at 14:01:00: the question about it got no answer.",
	} {
		d := newDiary(t)
		d.decide("make", func(d *gate.Decision) { d.Basis, d.Action, d.Answer = basis, policy.Block, "" })
		if got := d.why(gate.History{}); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s\nlacks %q", basis, got, want)
		}
	}
}

func TestWhyIsShortAndHarmless(t *testing.T) {
	d := newDiary(t)
	d.decide(strings.Repeat("echo \x1b]0;x\a\n", 50), func(d *gate.Decision) {
		for range 50 {
			d.Reasons = append(d.Reasons, policy.Reason{Cause: policy.CauseNoRule, Resource: "a\nb\x1b"})
		}
	})
	text := d.why(gate.History{})
	if lines := strings.Split(text, "\n"); len(lines) > maxCall+maxReasons+6 {
		t.Errorf("%d lines", len(lines))
	}
	if strings.ContainsAny(text, "\x1b\a") {
		t.Errorf("control characters in %q", text)
	}
}

func TestUnreadableJournalIsAnError(t *testing.T) {
	d := newDiary(t)
	d.decide("make", nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.view(past{}).Log(ctx, project, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("log: %v", err)
	}
	if _, err := d.view(past{}).Why(ctx, session); !errors.Is(err, context.Canceled) {
		t.Errorf("why: %v", err)
	}
}
