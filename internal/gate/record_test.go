package gate

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
)

func (b *book) kinds() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []string
	for _, e := range b.entries {
		list = append(list, string(e.Kind))
	}
	return strings.Join(list, " ")
}

// The question is in the journal before the dialog opens, so that a crash while
// it is open leaves a trace.
func TestPromptIsRecordedFirst(t *testing.T) {
	f := newFixture(t)
	f.person.answers = append(f.person.answers, func(context.Context, Prompt) Choice {
		if got := f.book.kinds(); got != "prompt" {
			t.Errorf("in the journal while the dialog is open: %q", got)
		}
		return Choice{Text: OptionOnce}
	})
	f.guard.Decide(t.Context(), bash("make"))
	if got := f.book.kinds(); got != "prompt answer decision" {
		t.Errorf("in the journal: %q", got)
	}
	p, a := f.book.entries[0].Prompt, f.book.entries[1]
	if p.Tool != "bash" || !strings.Contains(string(p.Input), "make") || len(p.Reasons) != 1 || len(p.Options) == 0 {
		t.Errorf("the prompt says %+v", p)
	}
	if a.Answer.Answer != AnswerOnce || a.Answer.Waited == 0 || !a.Later {
		t.Errorf("the answer says %+v", a.Answer)
	}
	for _, e := range f.book.entries {
		if e.Call != bash("make").Call {
			t.Errorf("%s is of call %q", e.Kind, e.Call)
		}
	}
}

// Nobody is asked about what cannot be recorded anyway.
func TestNoQuestionWithoutJournal(t *testing.T) {
	f := newFixture(t)
	f.book.err = errors.New("disk full")
	r := f.guard.Decide(t.Context(), bash("make"))
	if r.Action != policy.Block || r.Basis != policy.BasisJournal || !strings.Contains(r.Reason, "disk full") || len(f.person.prompts) > 0 {
		t.Errorf("ruling %+v after %d dialogs", r, len(f.person.prompts))
	}
}

func TestLenient(t *testing.T) {
	f := newFixture(t, "+shell:ls *", "-shell:rm *").answer(OptionOnce, OptionSession)
	f.guard.Lenient = true
	f.book.err = errors.New("disk full")
	for command, want := range map[string]policy.Action{"ls": policy.Run, "rm x": policy.Block} {
		r := f.guard.Decide(t.Context(), bash(command))
		if r.Action != want || r.Basis != policy.BasisRule || r.Seq != 0 {
			t.Errorf("%s: ruling %+v", command, r)
		}
	}
	for range 3 { // once, for the session, by that grant
		if r := f.guard.Decide(t.Context(), bash("make")); r.Action != policy.Run {
			t.Errorf("ruling %+v", r)
		}
	}
	told := strings.Join(f.person.notices, "\n")
	if n := strings.Count(told, "warning: pigate: the call runs although its decision could not be recorded: disk full"); n != 4 {
		t.Errorf("the person was told %d times:\n%s", n, told)
	}
}

// What only reads may be recorded a moment later, and its outcome too; nothing
// else.
func TestWhatMayComeLater(t *testing.T) {
	f := newFixture(t, "+shell:ls *")
	f.guard.Decide(t.Context(), newRequest("read", nil))
	f.guard.Decide(t.Context(), bash("ls"))
	for _, tool := range []string{"read", "bash"} {
		req := newRequest(tool, nil)
		if tool == "bash" {
			req = bash("ls")
		}
		if _, err := f.guard.Outcome(t.Context(), req.Session, req.Call, Outcome{Tool: tool, OK: true}); err != nil {
			t.Fatal(err)
		}
	}
	off := newFixture(t)
	off.file.settings.Enabled = false
	off.guard.Decide(t.Context(), bash("rm x"))
	for _, e := range append(f.book.entries, off.book.entries...) {
		want := e.Decision != nil && e.Decision.Basis == policy.BasisPass
		if e.Kind == KindDecision && e.Later != want {
			t.Errorf("decision by %s: later is %t", e.Decision.Basis, e.Later)
		}
	}
}

// A rule with a secret in it is neither offered nor saved, and the person is
// told why.
func TestNoRuleWithASecret(t *testing.T) {
	f := newFixture(t).answer(OptionOnce, OptionSave)
	f.guard.Secret = func(_ context.Context, text string) bool { return strings.Contains(text, "hunter2") }
	f.guard.Decide(t.Context(), bash("login hunter2"))
	if p := f.person.prompts[0]; strings.Contains(strings.Join(p.Options, "\n"), OptionSave) || !strings.Contains(p.Title, withheld) {
		t.Errorf("the dialog offers %q under %q", p.Options, p.Title)
	}
	f.person.edited = "shell:login hunter2"
	if r := f.guard.Decide(t.Context(), bash("login")); r.Action != policy.Run || len(f.file.saved) > 0 {
		t.Errorf("ruling %+v, saved %q", r, f.file.saved)
	}
	if told := strings.Join(f.person.notices, "\n"); !strings.Contains(told, "no rule was saved: its text would hold a secret") {
		t.Errorf("the person was told %q", told)
	}
}
