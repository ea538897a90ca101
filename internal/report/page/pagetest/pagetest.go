// Package pagetest writes journals to make reports of: weeks of a team at work,
// text that would like to be more than text, and the smallest there is. They
// come out the same each time. Verdicts and reasons are the gate's own.
package pagetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Journals are the journals there are, by name.
var Journals = map[string]func(*Writer){"weeks": weeks, "hostile": hostile, "one": one, "empty": func(*Writer) {}}

// Write writes the journal of that name to a new file.
func Write(ctx context.Context, name, path string) (err error) {
	fill, ok := Journals[name]
	if !ok {
		return fmt.Errorf("there is no journal %q", name)
	}
	j, err := audit.Open(ctx, path, audit.Options{Durability: audit.Process, Masker: func([]byte) audit.Masker { return marks{} }})
	if err != nil {
		return err
	}
	w := &Writer{ctx: ctx, journal: j}
	fill(w)
	return errors.Join(w.err, j.Close())
}

// secret is what the masker of these journals takes for one.
const secret = "hunter2"

// marks is a masker that knows one secret.
type marks struct{}

func (marks) Text(_ context.Context, s string) (string, []redact.Mask, error) {
	i := strings.Index(s, secret)
	if i < 0 {
		return s, nil, nil
	}
	return strings.ReplaceAll(s, secret, "[masked]"), []redact.Mask{{Kind: "password", Digest: "00000000", Start: i, End: i + len(secret)}}, nil
}

// Writer appends what happens, as the gate would.
type Writer struct {
	ctx     context.Context
	journal *audit.Journal
	err     error
	calls   int

	// What goes on when the next entry is written.
	now     time.Time
	session string
	start   gate.SessionStart
	policy  *policy.Policy
}

// Moment is a call and what became of it.
type moment struct {
	tool  string
	input map[string]string
	// answer is the person's, when the rules ask; took is how long that takes.
	answer gate.Answer
	took   time.Duration
	// other reports that another input ran, failed that the tool did.
	other, failed bool
}

func (w *Writer) record(e *gate.Entry) int64 {
	if w.err != nil {
		return 0
	}
	e.Time, e.Session = w.now.UnixMicro(), w.session
	seq, err := w.journal.Record(w.ctx, e)
	w.err = err
	return seq
}

// begin starts a session under a policy.
func (w *Writer) begin(session string, start gate.SessionStart, pol *policy.Policy) {
	start.Reason, start.OS, start.Version, start.Trusted = "startup", "linux", "0.1.0", true
	w.session, w.start, w.policy = session, start, pol
	w.record(&gate.Entry{Kind: gate.KindSessionStart, Start: &start})
	if w.err == nil {
		w.err = w.journal.Policy(w.ctx, pol.Digest(), pol.Canonical())
	}
}

func (w *Writer) end() {
	w.record(&gate.Entry{Kind: gate.KindSessionEnd, End: &gate.SessionEnd{Reason: "quit"}})
}

// call lets the gate decide a call and records that with what came of it.
func (w *Writer) call(m moment) {
	w.calls++
	input, err := json.Marshal(m.input)
	if err != nil {
		w.err = err
		return
	}
	id := fmt.Sprintf("call_%d", w.calls)
	c := policy.Derive(policy.Request{Session: w.session, Call: id, Tool: m.tool, Input: input, Cwd: w.start.Cwd, Root: w.start.Root, Trusted: true,
		HasUI: w.start.HasUI, Mode: w.start.Mode, OS: "linux", Home: "/home/ann"})
	v := policy.Evaluate(w.policy, c, nil)
	d := &gate.Decision{Request: c.Request, InputDigest: fmt.Sprintf("%064d", w.calls), Resources: c.Resources, Verdict: v.Effect, Reasons: v.Reasons,
		Policy: w.policy.Digest(), Analyser: policy.Analyser}
	d.Action, d.Basis = policy.Settle(v.Effect, w.policy.Settings.Enabled)
	switch {
	case v.Effect != policy.Ask:
	case !w.start.HasUI:
		d.Answer, d.Basis = gate.AnswerNoUI, policy.BasisNoUI
	case m.answer == "":
		d.Action, d.Basis, d.Grant = policy.Run, policy.BasisGrant, "granted before"
		d.Covers = policy.CoverTarget
	default:
		d.Answer, d.Waited, d.Basis = m.answer, m.took.Microseconds(), policy.BasisUser
		if m.answer == gate.AnswerSession {
			d.Covers = policy.CoverTarget
		}
		w.now = w.now.Add(m.took)
		if slices.Contains([]gate.Answer{gate.AnswerOnce, gate.AnswerSession, gate.AnswerSave}, m.answer) {
			d.Action = policy.Run
		}
	}
	w.record(&gate.Entry{Kind: gate.KindDecision, Call: id, Decision: d})
	if d.Action == policy.Run {
		w.record(&gate.Entry{Kind: gate.KindOutcome, Call: id, Outcome: &gate.Outcome{Tool: m.tool, OK: !m.failed, Duration: 40_000, Mismatch: m.other}})
	}
}

// saved records that the person saved rules.
func (w *Writer) saved(file string, rules ...string) {
	w.record(&gate.Entry{Kind: gate.KindRulesSaved, Saved: &gate.RulesSaved{File: file, Rules: rules}})
}

// policyOf compiles rules as they would stand in a file, one a line.
func (w *Writer) policyOf(file string, allow, deny []string) *policy.Policy {
	var rules []rule.Rule
	for i, text := range allow {
		rules = append(rules, w.rule(text, rule.Allow, file, i+3))
	}
	for i, text := range deny {
		rules = append(rules, w.rule(text, rule.Deny, file, len(allow)+i+5))
	}
	return policy.New(policy.DefaultSettings(), rules)
}

func (w *Writer) rule(text string, effect rule.Effect, file string, line int) rule.Rule {
	r, err := rule.Parse(text)
	w.err = errors.Join(w.err, err)
	r.Effect, r.File, r.Line = effect, file, line
	return r
}
