package suggest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// vocabulary makes commands that have much in common.
func vocabulary(t *rapid.T) string {
	program := rapid.SampledFrom([]string{"npm run", "npm test", "go test", "git commit -m", "git push", "git checkout", "cd", "make", "sort", "rm -rf", "npx tsc", "sed -i", "X=1 make", "sudo make"}).Draw(t, "program")
	text := program
	for range rapid.IntRange(0, 2).Draw(t, "arguments") {
		text += " " + rapid.SampledFrom([]string{"a", "b", "./...", "--force", "--", "'*'", "build", "\"$X\"", "src/a.ts"}).Draw(t, "argument")
	}
	if rapid.IntRange(0, 4).Draw(t, "more") == 0 {
		text += " && " + rapid.SampledFrom([]string{"make a", "npm run build", "sort b"}).Draw(t, "second")
	}
	return text
}

// drawn is a history with few distinct calls, so that they recur.
func drawn(t *rapid.T, words ...Word) *diary {
	d := newDiary()
	commands := rapid.SliceOfN(rapid.Custom(vocabulary), 1, 12).Draw(t, "commands")
	for range rapid.IntRange(1, 60).Draw(t, "calls") {
		d.saw(rapid.SampledFrom(words).Draw(t, "word"), "bash", rapid.SampledFrom(commands).Draw(t, "command"))
		if rapid.IntRange(0, 5).Draw(t, "pause") == 0 {
			d.next()
		}
	}
	return d
}

// Under the drafts every call that they claim lacks none of the pieces they
// cover, and no refused call runs.
func TestDraftsCoverTheirEvidenceAndNoDenial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn(t, Approved, Approved, Ran, Ran, Denied, Dismissed, Granted)
		p := policy.New(policy.DefaultSettings(), nil)
		var rules []rule.Rule
		r := NewStudy(d.History, p, Options{}).Result()
		for _, draft := range r.Drafts {
			parsed, err := parsed(&draft)
			if err != nil {
				t.Fatal(err)
			}
			if draft.Effect == policy.Deny {
				continue
			}
			rules = append(rules, parsed)
			alone := policy.New(p.Settings, []rule.Rule{parsed})
			for _, text := range draft.Examples {
				if v := policy.Evaluate(alone, policy.Derive(sample("bash", "command", text)), nil); v.Effect != policy.Allow {
					t.Errorf("%s does not allow its example %s: %v", draft.Rule, text, v.Reasons)
				}
			}
		}
		after := policy.New(p.Settings, rules)
		spared := 0
		for _, e := range d.events {
			s := d.subjects[e.subject]
			runs := policy.Evaluate(after, policy.Derive(s.Request), nil).Effect == policy.Allow
			if runs && e.word == Denied {
				t.Errorf("the drafts let %s run, which was refused", s.Request.Input)
			}
			if runs && prompts(e.word) {
				spared++
			}
		}
		if spared != r.Spared {
			t.Errorf("the drafts spare %d prompts, not %d", spared, r.Spared)
		}
	})
}

// However many refusals are added, no allow rule is drafted that was not before.
func TestDenialsNeverAddAllowDrafts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn(t, Approved, Ran, Denied, Dismissed)
		p := policy.New(policy.DefaultSettings(), nil)
		o := Options{Limit: rapid.IntRange(1, 4).Draw(t, "limit")}
		before := allowed(NewStudy(d.History, p, o).Result())
		for range rapid.IntRange(1, 6).Draw(t, "refusals") {
			d.saw(Denied, "bash", vocabulary(t))
		}
		for _, text := range allowed(NewStudy(d.History, p, o).Result()) {
			if !slices.Contains(before, text) {
				t.Errorf("refusals brought %s about; before there were %q", text, before)
			}
		}
	})
}

func allowed(r Result) (list []string) {
	for _, d := range r.Drafts {
		if d.Effect == policy.Allow {
			list = append(list, d.Rule)
		}
	}
	return list
}

// The order in which a history is filled plays no part.
func TestDraftsAreDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn(t, Approved, Ran, Denied)
		p := policy.New(policy.DefaultSettings(), nil)
		want := NewStudy(d.History, p, Options{}).Result()
		other := NewHistory()
		numbers := map[int32]int{}
		for _, i := range rapid.Permutation(indices(len(d.events))).Draw(t, "order") {
			e := d.events[i]
			n, known := numbers[e.subject]
			if !known {
				n = other.Subject(d.subjects[e.subject])
				numbers[e.subject] = n
			}
			session := ""
			for name, id := range d.sessions {
				if id == e.session {
					session = name
				}
			}
			other.Saw(n, Sighting{Time: e.time, Session: session, Word: e.word})
		}
		if diff := cmp.Diff(want, NewStudy(other, p, Options{}).Result()); diff != "" {
			t.Error(diff)
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// A rule that somebody made up is explained without a word too many: whatever it
// is called, Explain returns an error or an explanation whose matches the rule
// covers.
func TestExplainAnyRule(t *testing.T) {
	d := newDiary()
	d.days(3, Ran, "npm test", "npm run a", "npm run b", "cd x", "make deploy")
	d.saw(Denied, "bash", "make deploy")
	s := NewStudy(d.History, policy.New(policy.DefaultSettings(), nil), Options{})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.SampledFrom([]string{"shell:npm *", "shell:*", "shell", "edit:*", "mcp:a:b*", "tool", "shell:make *", "Shell:x", "", "shell:"}), rapid.String()).Draw(t, "rule")
		e, err := s.Explain(text)
		if err != nil {
			return
		}
		parsed, err := parse(e.Rule, rule.Allow)
		if err != nil {
			t.Fatal(err)
		}
		alone := policy.New(policy.DefaultSettings(), []rule.Rule{parsed})
		for _, m := range e.Matches {
			if policy.Evaluate(alone, policy.Derive(sample("bash", "command", m.Text)), nil).Effect != policy.Allow {
				t.Errorf("%s does not cover %s", e.Rule, m.Text)
			}
		}
	})
	for text, want := range map[string]string{"shell:make *": VetoDenied, "shell:*": VetoDangerous, "edit:.pi/*": VetoSelf} {
		if e, err := s.Explain(text); err != nil || e.Veto == nil || e.Drafted || e.Veto.Cause != want && text != "shell:make *" {
			t.Errorf("%s: %v, veto %s, want %s", text, err, fmt.Sprint(e.Veto), want)
		}
	}
}
