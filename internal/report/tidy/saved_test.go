package tidy_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/replay"
	"github.com/pigate/pigate/internal/report/tidy"
	"github.com/pigate/pigate/internal/testcorpus"
)

// saved are the rules that people saved elsewhere, in pigate's syntax as far as
// they have a meaning there, as the lines of one project's file.
func saved(t *testing.T) (rules []rule.Rule) {
	t.Helper()
	f, err := os.Open(testcorpus.Path(t, "saved-rules-elsewhere.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var line struct {
			Decision string
			Rule     json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		var text string
		var words []string
		if json.Unmarshal(line.Rule, &words) == nil {
			text = "shell:" + strings.Join(words, " ") + " *"
		} else if err := json.Unmarshal(line.Rule, &text); err != nil {
			t.Fatal(err)
		}
		if command, is := strings.CutPrefix(text, "Bash("); is {
			pattern, open := strings.CutSuffix(strings.TrimSuffix(command, ")"), ":*")
			if text = "shell:" + pattern; open {
				text += " *"
			}
		}
		r, err := rule.Parse(text)
		if err != nil {
			continue // the gate would tell it, and it would not count
		}
		r.Effect, r.File, r.Line = rule.Allow, "rules.json", len(rules)+1
		if line.Decision == "deny" {
			r.Effect = rule.Deny
		}
		rules = append(rules, r)
	}
	return rules
}

// world is a journal and the moment at which it is looked at.
type world struct {
	t       *testing.T
	journal *audit.Journal
	now     time.Time
	policy  *policy.Policy
	calls   int
}

func newWorld(t *testing.T, rules []rule.Rule) *world {
	w := &world{t: t, journal: audittest.NewJournal(t), now: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), policy: policy.New(policy.DefaultSettings(), rules)}
	if err := w.journal.Policy(t.Context(), w.policy.Digest(), w.policy.Canonical()); err != nil {
		t.Fatal(err)
	}
	return w
}

const root = "/home/ann/shop"

// ran records a call as the gate decides it under the policy, so many days ago.
func (w *world) ran(days int, command string, answer gate.Answer) {
	w.t.Helper()
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		w.t.Fatal(err)
	}
	w.calls++
	req := policy.Request{Session: "s", Tool: "bash", Input: input, Cwd: root, Root: root, Trusted: true, HasUI: true, OS: "linux", Home: "/home/ann"}
	call := w.policy.Derive(req)
	v := policy.Evaluate(w.policy, call, nil)
	d := &gate.Decision{Request: req, Resources: call.Resources, Verdict: v.Effect, Reasons: v.Reasons, Policy: w.policy.Digest(), Analyser: policy.Analyser}
	if d.Action, d.Basis = policy.Settle(v.Effect, true); v.Effect == policy.Ask {
		d.Answer, d.Basis, d.Action = answer, policy.BasisUser, policy.Run
		if answer == gate.AnswerDeny {
			d.Action = policy.Block
		}
	}
	if _, err := w.journal.Record(w.t.Context(), &gate.Entry{Kind: gate.KindDecision, Time: w.now.AddDate(0, 0, -days).UnixMicro(), Session: "s", Decision: d}); err != nil {
		w.t.Fatal(err)
	}
}

// look finds what can be tidied; every rule is in force for long.
func (w *world) look() []tidy.Finding {
	w.t.Helper()
	r := w.reader()
	record, err := tidy.Read(w.t.Context(), r, audit.Filter{Projects: []string{root}}, w.policy, policy.Installation{}, func(p string) bool { return p == root })
	if err != nil {
		w.t.Fatal(err)
	}
	return record.Findings(tidy.Options{Place: policy.Request{Cwd: root, Root: root, Trusted: true, HasUI: true, OS: "linux", Home: "/home/ann"}, Now: w.now,
		Own:   func(*rule.Rule) bool { return true },
		Since: func(*rule.Rule) audit.Micros { return audit.Micros(w.now.AddDate(0, 0, -200).UnixMicro()) }})
}

func (w *world) reader() *audit.Reader {
	w.t.Helper()
	r, err := audit.OpenReader(w.t.Context(), w.journal.Path())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = r.Close() }) // it only read
	return r
}

// prove replays every call before and after, and wants none that asks anew but
// those that the findings tell.
func (w *world) prove(list []tidy.Finding) {
	w.t.Helper()
	told := 0
	for _, f := range list {
		told += f.Asks
	}
	result, err := replay.Run(w.t.Context(), w.reader(), audit.Filter{Imported: true}, replay.Options{Old: replay.Fixed(w.policy), New: replay.Fixed(tidy.Apply(w.policy, list...)), Zone: time.UTC})
	if err != nil {
		w.t.Fatal(err)
	}
	calls, stricter, denied := 0, 0, 0
	for _, p := range result.Parts() {
		calls, stricter, denied = calls+p.Calls, stricter+p.Stricter, denied+p.DeniedAllowed
		if len(p.NotReplayable) > 0 {
			w.t.Errorf("not replayed: %+v", p.NotReplayable)
		}
	}
	if calls != w.calls || stricter > told || denied > 0 {
		w.t.Errorf("%d calls of %d replayed, %d stricter where %d were told, %d denied ones run", calls, w.calls, stricter, told, denied)
	}
}

// TestSavedRulesAreTidied tidies a project with the 150 rules that people saved in
// other agents, of which a few are used: what is left is a list that a person
// reads, and nothing recorded asks anew.
func TestSavedRulesAreTidied(t *testing.T) {
	rules := saved(t)
	w := newWorld(t, rules)
	for i, command := range []string{"git status", "git log --oneline", "ls -la", "cat README.md", "npm run lint", "npx tsc --noEmit", "grep -rn x src", "git status && git diff",
		"npx nx lint web", "tree src", "npm run build:frontend -- --watch", "find . -name x", "curl https://example.com", "pnpm add left-pad", "npm test"} {
		for day := range 5 {
			w.ran(1+i+14*day, command, gate.AnswerOnce)
		}
	}
	w.ran(3, "git push --force", gate.AnswerDeny)
	list := w.look()
	w.prove(list)
	after := tidy.Apply(w.policy, list...)
	allowed := func(p *policy.Policy) (texts []string) {
		for _, r := range p.Rules {
			if r.Effect == rule.Allow {
				texts = append(texts, r.Text)
			}
		}
		return texts
	}
	before, left := allowed(w.policy), allowed(after)
	if len(before) < 100 || len(left) > 20 {
		t.Errorf("%d allow rules became %d:\n%s", len(before), len(left), strings.Join(left, "\n"))
	}
	denials := func(p *policy.Policy) string {
		var texts []string
		for _, r := range p.Rules {
			if r.Effect != rule.Allow {
				texts = append(texts, r.Text)
			}
		}
		slices.Sort(texts)
		return strings.Join(slices.Compact(texts), "\n")
	}
	if was, is := denials(w.policy), denials(after); was != is {
		t.Errorf("the deny rules were\n%s\nand are\n%s", was, is)
	}
}
