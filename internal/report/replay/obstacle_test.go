package replay_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/replay"
)

// hush masks one word.
type hush struct{}

func (hush) Text(_ context.Context, s string) (string, []redact.Mask, error) {
	at := strings.Index(s, "s3cret")
	if at < 0 {
		return s, nil, nil
	}
	return "", []redact.Mask{{Start: at, End: at + len("s3cret"), Kind: "password", Digest: "0"}}, nil
}

// What cannot be decided again is counted by why, keeps its old side, and is no
// change.
func TestObstaclesAreCounted(t *testing.T) {
	t.Parallel()
	o := audittest.Options()
	o.Masker = func([]byte) audit.Masker { return hush{} }
	s := newStageWith(t, o, "+shell:ls *")
	s.bash("ls", "")
	s.bash("curl s3cret", gate.OptionOnce)
	s.bash("echo "+strings.Repeat("x", 70_000), gate.OptionDeny)
	s.edit("a", gate.OptionOnce)
	s.rules("+shell:ls *", "+shell:curl s3cret")
	s.bash("ls -a", "") // its policy is masked, the call is not
	last := s.reader()
	var seqs []int64
	for row, err := range last.List(t.Context(), audit.Filter{Kind: gate.KindDecision}) {
		if err != nil {
			t.Fatal(err)
		}
		seqs = append(seqs, row.Seq)
	}
	if err := s.journal.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Erase(t.Context(), s.journal.Path(), audit.EraseOptions{Seqs: seqs[3:4]}, o); err != nil {
		t.Fatal(err)
	}
	want := []replay.NotReplayable{{Obstacle: audit.ObstacleErased, Calls: 1}, {Obstacle: audit.ObstacleMasked, Calls: 1}, {Obstacle: audit.ObstacleOmitted, Calls: 1}}
	result, changes := s.replay(replay.Options{New: replay.Fixed(policyOf(t, "+shell:ls *"))}, audit.Filter{})
	if d := result.Decided; !slices.Equal(d.NotReplayable, want) || d.Of(policy.Ask, replay.SideNone) != 3 || d.Of(policy.Allow, policy.Allow) != 2 || len(changes) > 0 {
		t.Errorf("%+v, %+v", d, changes)
	}
	want = append(want, replay.NotReplayable{Obstacle: audit.ObstaclePolicy, Calls: 1})
	for _, old := range []bool{false, true} {
		o := replay.Options{}
		if old {
			o.Old = replay.Recorded(last.Policy)
		}
		result, changes = s.replay(o, audit.Filter{})
		if d := result.Decided; !slices.Equal(sortedByName(d.NotReplayable), sortedByName(want)) || len(changes) > 0 {
			t.Errorf("recorded: %+v, %+v", d, changes)
		}
	}
}

func sortedByName(list []replay.NotReplayable) []replay.NotReplayable {
	return slices.SortedFunc(slices.Values(list), func(a, b replay.NotReplayable) int { return strings.Compare(string(a.Obstacle), string(b.Obstacle)) })
}

// A call that an analysis of the same name took apart in another way is not one
// that was judged.
func TestOtherResourcesAreAnObstacle(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, analyser := range []string{policy.Analyser, "0"} {
		req := s.request
		req.Tool, req.Input = "bash", []byte(`{"command":"ls; rm x"}`)
		_, err := s.journal.Record(t.Context(), &gate.Entry{Kind: gate.KindDecision, Time: 1, Session: "s1", Decision: &gate.Decision{Request: req,
			Resources: []policy.Resource{{Kind: policy.ShellUnit, Text: "ls", End: 2}}, Verdict: policy.Allow, Action: policy.Run, Basis: policy.BasisRule, Analyser: analyser}})
		if err != nil {
			t.Fatal(err)
		}
	}
	result, changes := s.replay(replay.Options{New: replay.Fixed(policyOf(t))}, audit.Filter{})
	if d := result.Decided; !slices.Equal(d.NotReplayable, []replay.NotReplayable{{Obstacle: audit.ObstacleAnalyser, Calls: 2}}) || len(changes) > 0 {
		t.Errorf("%+v, %+v", d, changes)
	}
	result, _ = s.replay(replay.Options{New: replay.Fixed(policyOf(t, "+shell:ls")), Reanalyse: true}, audit.Filter{})
	if d := result.Decided; d.Of(policy.Allow, policy.Ask) != 2 || len(d.NotReplayable) > 0 {
		t.Errorf("analysed again: %+v", d)
	}
}

// Whoever was asked once, be it outside of what the filter chooses, has seen the
// call; in another project that is another.
func TestSeenIsEver(t *testing.T) {
	t.Parallel()
	s := newStage(t, "-shell:rm *", "-shell:curl *")
	s.rules()
	s.bash("rm a", gate.OptionDeny)
	s.request.Cwd, s.request.Root = "/q", "/q"
	s.bash("curl a", gate.OptionDeny)
	s.request.Cwd, s.request.Root = "/p", "/p"
	s.rules("-shell:rm *", "-shell:curl *")
	s.bash("rm a", "")
	s.bash("curl a", "")
	s.bash("curl a", "")
	result, _ := s.replay(replay.Options{New: replay.Fixed(policyOf(t, "+shell:*"))}, audit.Filter{Verdict: policy.Deny})
	if u := result.Decided.Unseen; u.Calls != 2 || u.Different != 1 || u.Examples[0].What != "curl a" {
		t.Errorf("%+v", u)
	}
}

func TestErrorsEndAReplay(t *testing.T) {
	t.Parallel()
	s := newStage(t, "+shell:ls")
	s.bash("ls", "")
	broken := errors.New("broken")
	r := s.reader()
	for _, o := range []replay.Options{
		{New: replay.ByProject(func(string) (*policy.Policy, error) { return nil, broken })},
		{New: replay.Fixed(policyOf(t)), Changed: func(replay.Change) error { return broken }},
	} {
		if _, err := replay.Run(t.Context(), r, audit.Filter{}, o); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	}
	if _, err := replay.Run(t.Context(), r, audit.Filter{Verdict: "x"}, replay.Options{New: replay.Fixed(policyOf(t))}); err == nil {
		t.Error("a wrong filter is no error")
	}
}

func TestEdited(t *testing.T) {
	t.Parallel()
	base := policyOf(t, "+shell:ls", "-shell:rm", "+shell:rm", "+edit:x")
	e := &replay.Edited{Base: replay.Fixed(base), Remove: []string{"shell:rm", "shell:none"}, Add: rulesOf(t, "-shell:git", "+shell:ls"),
		Set: func(s *policy.Settings) { s.Redirections = policy.RedirectionsPrecise }}
	if !slices.Equal(e.Idle(), e.Remove) {
		t.Errorf("before any policy was asked for, %q", e.Idle())
	}
	p, err := e.Of(t.Context(), &audit.Call{})
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := e.Of(t.Context(), &audit.Call{}); again != p {
		t.Error("the same policy is edited twice")
	}
	if want := `{"v":1,"enabled":true,"allow":["shell:ls","edit:x","shell:ls"],"deny":["shell:git"],"redirections":"precise","guardedFlags":true}`; string(p.Canonical()) != want {
		t.Errorf("%s", p.Canonical())
	}
	if !slices.Equal(e.Idle(), []string{"shell:none"}) || len(base.Rules) != 4 || base.Settings != policy.DefaultSettings() {
		t.Errorf("%q", e.Idle())
	}
}
