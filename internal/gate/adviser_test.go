package gate

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
)

// advice is an Adviser that counts and always has a word.
type advice struct{ heard []string }

func (a *advice) Answered(c *policy.Call, v policy.Verdict) string {
	a.heard = append(a.heard, c.Target()+" "+string(v.Reasons[0].Cause))
	return "try \x1b this"
}

func TestAdviserHearsOfAnswers(t *testing.T) {
	for _, answer := range []string{OptionOnce, OptionSession, OptionSave, OptionDeny, ""} {
		f := newFixture(t).answer(answer)
		a := &advice{}
		f.guard.Adviser = a
		f.guard.Decide(t.Context(), bash("make"))
		if !slices.Equal(a.heard, []string{"make no-rule"}) {
			t.Errorf("after %q it heard %q", answer, a.heard)
		}
		if !slices.Contains(f.person.notices, `info: pigate: try \u{1b} this`) {
			t.Errorf("after %q the person was told %q", answer, f.person.notices)
		}
		last := f.book.entries[len(f.book.entries)-1]
		if last.Kind != KindWarning || last.Warning.Text != "try \x1b this" || last.Session != "s" || !last.Later {
			t.Errorf("after %q the last entry is %+v", answer, last)
		}
	}
}

func TestAdviserHearsOfNothingElse(t *testing.T) {
	for name, change := range map[string]func(*fixture, *policy.Request){
		"a rule":           func(_ *fixture, r *policy.Request) { *r = bash("ls x") },
		"nobody to ask":    func(_ *fixture, r *policy.Request) { r.HasUI = false },
		"an unheard call":  func(f *fixture, _ *policy.Request) { f.person.err = errors.New("gone") },
		"a broken journal": func(f *fixture, _ *policy.Request) { f.book.err = errors.New("disk full") },
	} {
		f := newFixture(t, "+shell:ls *").answer(OptionOnce)
		a := &advice{}
		f.guard.Adviser = a
		req := bash("make")
		change(f, &req)
		f.guard.Decide(t.Context(), req)
		if a.heard != nil || strings.Contains(f.book.kinds(), "warning") {
			t.Errorf("%s: it heard %q, recorded %s", name, a.heard, f.book.kinds())
		}
	}
}
