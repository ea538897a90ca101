package piview

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

func (d *diary) drafter() Drafter {
	return Drafter{
		Open: func(ctx context.Context) (*audit.Reader, error) { return audit.OpenReader(ctx, d.journal.Path()) },
		File: func(root string) string { return root + "/rules.json" },
		Now:  func() time.Time { return now },
	}
}

func (d *diary) drafts(p *policy.Policy) []gate.Suggestion {
	d.t.Helper()
	list, err := d.drafter().Drafts(d.t.Context(), project, p)
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

func TestDraftsSayWhatSpeaksForThem(t *testing.T) {
	d := newDiary(t)
	nothing := policy.New(policy.DefaultSettings(), nil)
	if list := d.drafts(nothing); len(list) != 0 {
		t.Errorf("drafts from nothing: %+v", list)
	}
	for _, file := range []string{"a", "b", "c", "d"} {
		d.outcome(d.decide("touch "+file, nil), 0)
		d.decide("mkdir "+file, func(d *gate.Decision) { d.Answer, d.Action = gate.AnswerDeny, policy.Block })
	}
	list := d.drafts(nothing)
	if len(list) != 1 {
		t.Fatalf("drafts are %+v, want one: what was denied is not for this dialog", list)
	}
	s := list[0]
	if s.Rule != "shell:touch *" || s.Evidence != "approved 4×, spares 4" || s.Calls != 4 || s.File != project+"/rules.json" {
		t.Errorf("draft is %+v", s)
	}
	details := strings.Join(s.Details, "\n")
	for _, part := range []string{"would have spared 4 prompts, 4.0 a week\n", "seen in 1 session on 1 day, last 2026-03-10 14:10", "risk 0.20 of 1\n  ", "such as:\n  touch a\n"} {
		if !strings.Contains(details, part) {
			t.Errorf("details lack %q:\n%s", part, details)
		}
	}

	touch, err := rule.Parse("shell:touch *")
	if err != nil {
		t.Fatal(err)
	}
	touch.Effect = rule.Allow
	if list := d.drafts(policy.New(policy.DefaultSettings(), []rule.Rule{touch})); len(list) != 0 {
		t.Errorf("what is allowed already is drafted again: %+v", list)
	}
}

func TestDraftsOfAnotherProjectStayThere(t *testing.T) {
	d := newDiary(t)
	for _, file := range []string{"a", "b", "c", "d"} {
		d.decide("touch "+file, func(d *gate.Decision) { d.Root, d.Cwd = "/home/u/other", "/home/u/other" })
	}
	if list := d.drafts(policy.New(policy.DefaultSettings(), nil)); len(list) != 0 {
		t.Errorf("drafts are %+v", list)
	}
}

func TestDraftsOfAJournalThatCannotBeRead(t *testing.T) {
	d := newDiary(t)
	drafter := d.drafter()
	broken := errors.New("broken")
	drafter.Open = func(context.Context) (*audit.Reader, error) { return nil, broken }
	if _, err := drafter.Drafts(t.Context(), project, policy.New(policy.DefaultSettings(), nil)); !errors.Is(err, broken) {
		t.Errorf("error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.drafter().Drafts(ctx, project, policy.New(policy.DefaultSettings(), nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: error is %v", err)
	}
}
