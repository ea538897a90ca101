package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/replay"
)

// covering is the recorded policy of each call with another setting for session
// approvals.
func covering(s *stage, covers policy.Coverage) replay.Policies {
	return &replay.Edited{Base: replay.Recorded(s.reader().Policy), Set: func(set *policy.Settings) { set.SessionApprovals = covers }}
}

// decisions are the changes as "entry's target: old decision by basis → new".
func decisions(changes []replay.Change) (list []string) {
	for _, c := range changes {
		list = append(list, fmt.Sprintf("%s %s: %s %s by %s, %s by %s", c.Tool, c.What, c.Change, c.Old.Decision, c.Old.Basis, c.New.Decision, c.New.Basis))
	}
	return list
}

func (s *stage) setting(covers policy.Coverage) {
	settings := s.policy.Settings
	settings.SessionApprovals = covers
	s.policy = policy.New(settings, s.policy.Rules)
}

// approved is a day of approvals for the session. The contents of the files are
// left out of the journal, and are of one length.
func approved(t *testing.T, covers policy.Coverage) *stage {
	s := newStage(t)
	s.setting(covers)
	write := func(fill, says string) {
		s.call("write", map[string]string{"path": "a.txt", "content": strings.Repeat(fill, 100)}, says)
	}
	query := func(sql, says string) { s.call("mcp__db__query", map[string]string{"sql": sql}, says) }
	again := map[policy.Coverage]string{policy.CoverExact: gate.OptionDeny}[covers] // "" where nobody is asked
	query("select 1", gate.OptionSession)
	query("select 1", "")
	query("drop table users", again)
	write("x", gate.OptionSession)
	write("y", again)
	write("x", "")
	s.start() // the approvals are gone
	write("y", gate.OptionSession)
	write("y", "")
	write("x", again)
	return s
}

// Under the narrower setting an approval covers one input: the journal tells
// apart even those of which it has not the text.
func TestExactApprovalsAreReplayed(t *testing.T) {
	t.Parallel()
	s := approved(t, policy.CoverTarget)
	result, changes := s.replay(replay.Options{New: covering(s, policy.CoverExact)}, audit.Filter{})
	want := []string{
		"mcp__db__query db:query: stricter run by grant, ask by user",
		"write a.txt: stricter run by grant, ask by user",
		"write a.txt: stricter run by grant, ask by user",
	}
	if diff := cmp.Diff(want, decisions(changes)); diff != "" {
		t.Error(diff)
	}
	if d := result.Decided; d.Stricter != 3 || d.Looser != 0 || d.Prompts.Old != 3 || d.Prompts.New != 6 {
		t.Errorf("%+v", d)
	}
	// The other way round between two policies.
	result, _ = s.replay(replay.Options{Old: covering(s, policy.CoverExact), New: replay.Recorded(s.reader().Policy)}, audit.Filter{})
	if d := result.Decided; d.Stricter != 0 || d.Looser != 3 {
		t.Errorf("%+v", d)
	}
}

// An approval never covers more than it was given for.
func TestExactApprovalsStayExact(t *testing.T) {
	t.Parallel()
	s := approved(t, policy.CoverExact)
	for _, covers := range []policy.Coverage{policy.CoverExact, policy.CoverTarget} {
		result, changes := s.replay(replay.Options{New: covering(s, covers)}, audit.Filter{})
		if len(changes) > 0 || result.Decided.Calls != 9 || result.Decided.Prompts.New != 6 {
			t.Errorf("with %s: %+v\n%q", covers, result.Decided, decisions(changes))
		}
	}
}

// A call that newly asks is covered by the approvals of its session as far as
// both they and the new setting go.
func TestNewQuestionsMeetExactApprovals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		given, now policy.Coverage
		want       []string
	}{
		{policy.CoverTarget, policy.CoverTarget, []string{"run by grant", "run by grant"}},
		{policy.CoverTarget, policy.CoverExact, []string{"run by grant", "ask by user"}},
		{policy.CoverExact, policy.CoverTarget, []string{"run by grant", "ask by user"}},
		{policy.CoverExact, policy.CoverExact, []string{"run by grant", "ask by user"}},
	} {
		s := newStage(t)
		s.setting(tt.given)
		s.call("mcp__a__b", map[string]int{"n": 1}, gate.OptionSession)
		s.rules("+mcp:a")
		s.setting(tt.given)
		s.call("mcp__a__b", map[string]int{"n": 1}, "")
		s.call("mcp__a__b", map[string]int{"n": 2}, "")
		settings := policy.DefaultSettings()
		settings.SessionApprovals = tt.now
		_, changes := s.replay(replay.Options{New: replay.Fixed(policy.New(settings, nil))}, audit.Filter{})
		var got []string
		for _, c := range changes {
			got = append(got, string(c.New.Decision)+" by "+string(c.New.Basis))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("given %s, now %s: %s", tt.given, tt.now, diff)
		}
	}
}

// Whatever was approved under whichever setting: under the recorded policies
// nothing changes, and under the exact setting exactly those calls newly ask
// that ran by an approval of another input.
func TestApprovalsAreReplayedAsTheyCover(t *testing.T) {
	t.Parallel()
	o := audittest.Options()
	o.Durability = audit.Process
	s, sessions := newStageWith(t, o), 0
	r := s.reader()
	rapid.Check(t, func(rt *rapid.T) {
		sessions++
		s.request.Session = fmt.Sprint("drawn ", sessions)
		s.start()
		given := map[string]bool{}
		var want []int64
		calls := 0
		for range rapid.IntRange(1, 12).Draw(rt, "calls") {
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0:
				s.start()
				clear(given)
				continue
			case 1, 2:
				s.setting(rapid.SampledFrom([]policy.Coverage{policy.CoverTarget, policy.CoverExact}).Draw(rt, "setting"))
			}
			fill := rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "input")
			tool, input := "mcp__a__b", map[string]string{"n": fill}
			if rapid.Bool().Draw(rt, "write") {
				tool, input = "write", map[string]string{"path": "a.txt", "content": strings.Repeat(fill, 100)}
			}
			says := rapid.SampledFrom([]string{gate.OptionOnce, gate.OptionSession, gate.OptionDeny}).Draw(rt, "answer")
			calls++
			ruling := s.call(tool, input, says)
			switch {
			case ruling.Answer == gate.AnswerSession:
				given[tool+fill] = true
			case ruling.Basis == policy.BasisGrant && !given[tool+fill]:
				want = append(want, ruling.Seq)
			}
		}
		changed := func(p replay.Policies) (changes []replay.Change) {
			o := replay.Options{New: p, Changed: func(c replay.Change) error { changes = append(changes, c); return nil }}
			if result, err := replay.Run(t.Context(), r, audit.Filter{Session: s.request.Session}, o); err != nil || result.Decided.Calls != calls {
				rt.Fatalf("%+v, %v", result, err)
			}
			return changes
		}
		recorded := replay.Recorded(r.Policy)
		if changes := changed(recorded); len(changes) > 0 {
			rt.Fatalf("under the recorded policies: %q", decisions(changes))
		}
		changes := changed(&replay.Edited{Base: recorded, Set: func(set *policy.Settings) { set.SessionApprovals = policy.CoverExact }})
		var got []int64
		for _, c := range changes {
			if c.Change != replay.ChangeStricter || c.Old.Basis != policy.BasisGrant || c.New.Decision != replay.Open {
				rt.Fatalf("%q", decisions(changes))
			}
			got = append(got, c.Seq)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}
