package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// drafts is a Drafter with a list, or an error.
type drafts struct {
	list []Suggestion
	err  error
}

func (d drafts) Drafts(context.Context, string, *policy.Policy) ([]Suggestion, error) {
	return d.list, d.err
}

var twoDrafts = []Suggestion{
	{Rule: "shell:make *", File: "/home/u/proj/.pi/x.json", Evidence: "approved 12 times", Details: []string{"runs what the Makefile says"}, Calls: 12},
	{Rule: "edit:docs/*", File: "/home/u/proj/.pi/x.json", Evidence: "approved twice", Calls: 2},
}

// suggests is a fixture with drafts, for a person who answers with these texts.
func suggests(tb testing.TB, list []Suggestion, options ...string) *fixture {
	f := newFixture(tb).answer(options...)
	f.guard.Drafter = drafts{list: list}
	return f
}

func (f *fixture) suggest(tb testing.TB) string {
	tb.Helper()
	text, err := f.guard.Suggest(tb.Context(), bash(""))
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

func TestSuggestSavesWhatWasChosen(t *testing.T) {
	f := suggests(t, twoDrafts, "1. shell:make * · approved 12 times")
	f.person.edited = "make test\n\nshell:make lint\n"
	if got, want := f.suggest(t), "Saved in rules.json:\n  shell:make test\n  shell:make lint"; got != want {
		t.Errorf("answer is %q, want %q", got, want)
	}
	if got, want := fmt.Sprint(f.file.saved), "[[shell:make test shell:make lint]]"; got != want {
		t.Errorf("saved %s, want %s", got, want)
	}
	if f.person.prefill[0] != "shell:make *" {
		t.Errorf("the editor opened with %q", f.person.prefill[0])
	}
	if got := f.book.kinds(); got != "draft rules_saved" {
		t.Fatalf("entries are %s: the person's word must come first", got)
	}
	want := Drafted{Rule: "shell:make *", Effect: policy.Allow, Saved: "shell:make test\nshell:make lint", File: "/home/u/proj/.pi/x.json",
		Root: bash("").Root, Accepted: true, Evidence: 12}
	if got := *f.book.entries[0].Draft; got != want {
		t.Errorf("draft is %+v\nwant %+v", got, want)
	}
	if v := f.guard.Decide(t.Context(), bash("make test")); v.Action != policy.Run || v.Basis != policy.BasisRule {
		t.Errorf("the saved rule decides %s by %s", v.Action, v.Basis)
	}
}

func TestSuggestRejects(t *testing.T) {
	f := suggests(t, twoDrafts, OptionReject, "2. edit:docs/* · approved twice")
	if got := f.suggest(t); !strings.HasPrefix(got, "Rejected: edit:docs/*\n") {
		t.Errorf("answer is %q", got)
	}
	if got := f.book.kinds(); got != "draft" || f.file.saved != nil {
		t.Fatalf("entries are %s, saved %v", got, f.file.saved)
	}
	if got := *f.book.entries[0].Draft; got.Accepted || got.Saved != "" || got.Rule != "edit:docs/*" || got.Evidence != 2 {
		t.Errorf("draft is %+v", got)
	}
	if got := f.person.prompts[1].Options; !slices.Equal(got, []string{"1. shell:make * · approved 12 times", "2. edit:docs/* · approved twice", OptionClose}) {
		t.Errorf("offered to be rejected: %q", got)
	}
}

func TestSuggestChangesNothing(t *testing.T) {
	first := "1. shell:make * · approved 12 times"
	for name, tt := range map[string]struct {
		answers []string
		change  func(*fixture, *policy.Request)
		says    string
		fails   string
	}{
		"closed":                        {answers: []string{OptionClose}, says: "Nothing was saved."},
		"dismissed":                     {answers: []string{""}, says: "Nothing was saved."},
		"another text":                  {answers: []string{"shell:make *"}, says: "Nothing was saved."},
		"the list of rejections left":   {answers: []string{OptionReject, OptionClose}, says: "Nothing was saved."},
		"the editor left":               {answers: []string{first}, change: func(f *fixture, _ *policy.Request) { f.person.cancel = true }, says: "Nothing was saved."},
		"the editor emptied":            {answers: []string{first}, change: func(f *fixture, _ *policy.Request) { f.person.edited = " \n" }, says: "Nothing was saved."},
		"no rule":                       {answers: []string{first}, change: func(f *fixture, _ *policy.Request) { f.person.edited = "shell:" }, fails: "is no rule"},
		"nobody to ask":                 {change: func(_ *fixture, r *policy.Request) { r.HasUI = false }, says: "Drafted rules; pigate suggest tells more and saves them:\nshell:make *\n  approved 12 times\nedit:docs/*\n  approved twice"},
		"an untrusted project":          {change: func(_ *fixture, r *policy.Request) { r.Trusted = false }, says: "Drafted rules; none can be saved here, for the project's own file does not count:\nshell:make *"},
		"nothing drafted":               {change: func(f *fixture, _ *policy.Request) { f.guard.Drafter = drafts{} }, says: "No rule can be drafted"},
		"a history that cannot be read": {change: func(f *fixture, _ *policy.Request) { f.guard.Drafter = drafts{err: errors.New("locked")} }, fails: "draft rules: locked"},
		"a broken journal":              {answers: []string{first}, change: func(f *fixture, _ *policy.Request) { f.book.err = errors.New("disk full") }, fails: "could not be recorded: disk full"},
		"a host that is gone":           {change: func(f *fixture, _ *policy.Request) { f.person.err = errors.New("gone") }, fails: "ask: gone"},
	} {
		t.Run(name, func(t *testing.T) {
			f := suggests(t, twoDrafts, tt.answers...)
			req := bash("")
			if tt.change != nil {
				tt.change(f, &req)
			}
			text, err := f.guard.Suggest(t.Context(), req)
			switch {
			case tt.fails == "" && (err != nil || !strings.HasPrefix(text, tt.says)):
				t.Errorf("answer is %q, %v; want %q", text, err, tt.says)
			case tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)):
				t.Errorf("answer is %q, %v; want an error with %q", text, err, tt.fails)
			}
			if f.file.saved != nil || len(f.book.entries) != 0 {
				t.Errorf("saved %v, recorded %s", f.file.saved, f.book.kinds())
			}
		})
	}
}

func TestSuggestTellsWhenSavingFails(t *testing.T) {
	first := "1. shell:make * · approved 12 times"
	f := suggests(t, twoDrafts, first)
	f.file.saveErr = errors.New("read-only")
	if text, err := f.guard.Suggest(t.Context(), bash("")); err == nil || err.Error() != "no rule was saved: read-only" {
		t.Errorf("answer is %q, %v", text, err)
	}
	if e := f.book.entries[len(f.book.entries)-1]; e.Kind != KindRulesSaved || e.Saved.Error != "read-only" {
		t.Errorf("recorded %+v", e)
	}

	f = suggests(t, twoDrafts, first)
	f.guard.Secret = func(_ context.Context, text string) bool { return strings.Contains(text, "make") }
	if text, err := f.guard.Suggest(t.Context(), bash("")); err == nil || !strings.Contains(err.Error(), "secret") || f.file.saved != nil {
		t.Errorf("answer is %q, %v, saved %v", text, err, f.file.saved)
	}
}

// One dialog is open at a time, whoever opens it.
func TestSuggestWaitsForAnOpenDialog(t *testing.T) {
	f := suggests(t, twoDrafts)
	opened, answer := make(chan struct{}), make(chan struct{})
	f.person.answers = append(f.person.answers, func(context.Context, Prompt) Choice {
		close(opened)
		<-answer
		return Choice{Text: OptionDeny}
	}, choose(OptionClose))
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.guard.Decide(t.Context(), bash("touch x"))
	}()
	<-opened
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.guard.Suggest(ctx, bash("")); !errors.Is(err, context.Canceled) {
		t.Errorf("with a dialog open: %v, want to have waited", err)
	}
	close(answer)
	<-done
	if got := f.suggest(t); got != "Nothing was saved." {
		t.Errorf("afterwards the answer is %q", got)
	}
}

func TestSuggestionsShowOnAnyTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Suggestion
		for range rapid.IntRange(1, 20).Draw(t, "drafts") {
			list = append(list, Suggestion{Rule: "shell:" + rapid.String().Draw(t, "rule"), Evidence: rapid.String().Draw(t, "evidence"),
				Details: rapid.SliceOfN(rapid.String(), 0, 30).Draw(t, "details")})
		}
		seen := map[string]bool{}
		for i, s := range list {
			option := s.option(i + 1)
			if text.Columns(option) > titleColumns || option != text.Visible(option) || seen[option] {
				t.Fatalf("option %q", option)
			}
			seen[option] = true
			lines := strings.Split(s.editorTitle(), "\n")
			if len(lines) > titleLines {
				t.Fatalf("%d lines above the editor", len(lines))
			}
			for _, line := range lines {
				if text.Columns(line) > titleColumns || line != text.Visible(line) {
					t.Fatalf("line %q", line)
				}
			}
		}
	})
}
