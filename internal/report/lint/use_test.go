package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/lint"
)

// TestIdle tells a journal of two months, and asks on its last day.
func TestIdle(t *testing.T) {
	j := audittest.NewJournal(t)
	end := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	call := func(day int, root string, p *policy.Policy, effect policy.Effect, text string) {
		t.Helper()
		if err := j.Policy(t.Context(), p.Digest(), p.Canonical()); err != nil {
			t.Fatal(err)
		}
		e := &gate.Entry{Kind: gate.KindDecision, Time: end.AddDate(0, 0, -day).UnixMicro(), Session: "s", Decision: &gate.Decision{
			Request: policy.Request{Tool: "bash", Input: []byte(`{"command":"x"}`), Cwd: root, Root: root, OS: "linux"},
			Verdict: effect, Reasons: []policy.Reason{{Cause: policy.CauseRule, Rule: text}}, Action: policy.Run, Basis: policy.BasisRule, Policy: p.Digest()}}
		if _, err := j.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	old := policyFor(t, "+ shell:used *", "+ shell:stale *", "+ shell:never *", "- shell:never *", "+ shell:elsewhere *")
	now := policyFor(t, "+ shell:used *", "+ shell:stale *", "+ shell:never *", "- shell:never *", "+ shell:elsewhere *", "+ shell:fresh *", "+ shell:unseen *")
	young := policyFor(t, "+ shell:used *", "+ shell:fresh *")
	call(60, "/p", old, policy.Allow, "shell:stale *")
	call(45, "/p", old, policy.Allow, "shell:used *")
	call(40, "/q", old, policy.Allow, "shell:elsewhere *")
	call(10, "/p/sub", young, policy.Allow, "shell:used *")
	call(5, "/q", young, policy.Allow, "shell:elsewhere *")
	call(40, "/q", now, policy.Allow, "shell:used *")

	r, err := audit.OpenReader(t.Context(), j.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() }) // it only read
	uses, err := lint.ReadUses(t.Context(), r, []string{"/p"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	find := func(own bool, at time.Time) string {
		var list []string
		for _, f := range lint.Idle(now, uses, at, func(*rule.Rule) bool { return own }) {
			list = append(list, fmt.Sprintf("%s %s: %s", f.Effect, f.Rule, f.Text))
		}
		return strings.Join(list, "\n")
	}
	const stale = `allow shell:stale *: it was last used on 2026-01-30, and it is in force since 2026-01-30 at least
allow shell:never *: it was never used, and it is in force since 2026-01-30 at least
deny shell:never *: it was never used, and it is in force since 2026-01-30 at least`
	if got, want := find(true, end), stale+"\nallow shell:elsewhere *: it was never used, and it is in force since 2026-01-30 at least"; got != want {
		t.Errorf("a project's own rules:\n%s\nwant\n%s", got, want)
	}
	// everywhere, the other project's policy is known too, with its rules that nobody used
	if got, want := find(false, end), stale+"\nallow shell:fresh *: it was never used, and it is in force since 2026-02-19 at least\nallow shell:unseen *: it was never used, and it is in force since 2026-02-19 at least"; got != want {
		t.Errorf("global rules:\n%s\nwant\n%s", got, want)
	}
	if got := find(true, end.AddDate(0, 3, 0)); got != "" {
		t.Errorf("in a project where nothing happened:\n%s", got)
	}
	if use := uses.Of(&old.Rules[0], true); use.Calls != 2 || use.Last.Time() != end.AddDate(0, 0, -10) {
		t.Errorf("%+v", use)
	}
}
