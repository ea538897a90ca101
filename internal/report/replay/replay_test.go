package replay_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/replay"
)

// work is a day with every kind of decision.
func work(t testing.TB) *stage {
	s := newStage(t, "+shell:ls *", "+shell:git *", "-shell:rm *", "+edit:src/*")
	s.bash("ls", "")
	s.call("read", map[string]string{"path": "x"}, "")
	s.bash("rm -rf x", "")
	s.bash("make", gate.OptionOnce)
	s.bash("make", gate.OptionSession)
	s.bash("make", "")
	s.bash("npm test", gate.OptionSave)
	s.bash("npm test", "")
	s.bash("curl x | wc", gate.OptionDeny)
	s.bash("curl y", "dismissed")
	s.links = policy.LinkFacts{"/p/src/b": "/elsewhere/b"}
	s.edit("src/b", gate.OptionOnce)
	s.links = nil
	s.edit("src/a.go", "")
	s.bash("echo > f", gate.OptionOnce)
	s.bash("find . -delete", gate.OptionOnce)
	s.call("mcp__github__get_issue", map[string]int{"n": 1}, gate.OptionSession)
	s.request.Session, s.request.HasUI = "s2", false
	s.start()
	s.bash("make", "")
	s.bash("git push", "")
	return s
}

// Under its own policy every call is decided as it was, for the same reasons.
func TestRecordedReproducesEverything(t *testing.T) {
	t.Parallel()
	s := work(t)
	for _, old := range []bool{false, true} {
		o := replay.Options{}
		if old {
			o.Old = replay.Recorded(s.reader().Policy)
		}
		result, changes := s.replay(o, audit.Filter{})
		if len(changes) > 0 || result.Decided.Calls != 17 || result.Decided.Changes() != 0 || len(result.Decided.NotReplayable) > 0 {
			t.Errorf("%+v\n%+v", result.Decided, changes)
		}
		if result.Decided.Prompts.Old != 9 || result.Decided.Prompts.New != 9 {
			t.Errorf("prompts %+v", result.Decided.Prompts)
		}
	}
}

func TestOtherRules(t *testing.T) {
	t.Parallel()
	s := work(t)
	result, changes := s.replay(replay.Options{New: replay.Fixed(policyOf(t, "+shell:make", "+shell:curl *", "+shell:wc", "+shell:ls *", "-shell:git *", "+shell:rm *"))}, audit.Filter{})
	got := map[string]int{}
	for _, c := range changes {
		key := c.Shape + ": " + c.Change + " " + string(c.Old.Decision) + "/" + string(c.New.Decision)
		if c.DeniedAllowed {
			key += " denied"
		}
		got[key]++
	}
	want := map[string]int{
		"rm: looser block/run denied":        1,
		"make: looser run/run":               3,
		"make: looser block/run":             1,
		"npm test: stricter run/ask":         1,
		"curl + wc: looser block/run denied": 1,
		"curl: looser block/run denied":      1,
		"edit src/*.go: stricter run/ask":    1,
		"git push: stricter run/block":       1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	d := result.Decided
	if d.Looser != 7 || d.Stricter != 3 || d.DeniedAllowed != 3 || d.OtherReasons != 0 {
		t.Errorf("%+v", d)
	}
	// Two prompts about make go, and two come: npm test and src/a.go.
	if p := result.Decided.Prompts; p.Old != 9 || p.New != 9-4+2 || len(p.Days) != 1 {
		t.Errorf("prompts %+v", p)
	}
	// A person saw make and both of curl.
	if u := d.Unseen; u.Calls != 1 || u.Different != 1 || u.Examples[0].What != "rm -rf x" {
		t.Errorf("unseen %+v", u)
	}
	if n := d.Of(policy.Ask, policy.Allow); n != 6 {
		t.Errorf("%d calls from ask to allow: %+v", n, d.Matrix)
	}
}

// Whether a call that newly asks is covered is told by the approvals of its
// session, as they would stand.
func TestGrantsAreRebuilt(t *testing.T) {
	t.Parallel()
	s := newStage(t, "-shell:npm *")
	s.bash("make", gate.OptionSession)
	s.rules("+shell:make")
	s.bash("make", "")
	s.start() // reloaded: the approval is gone
	s.bash("make", "")
	s.request.Session, s.request.HasUI = "s2", false
	s.start()
	s.bash("make", "")
	_, changes := s.replay(replay.Options{New: replay.Fixed(policyOf(t))}, audit.Filter{})
	var got []string
	for _, c := range changes {
		got = append(got, string(c.New.Decision)+" by "+string(c.New.Basis))
	}
	if want := []string{"run by grant", "ask by user", "block by no-ui"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestImportedCallsAreCountedApart(t *testing.T) {
	t.Parallel()
	s := newStage(t, "+shell:ls")
	s.bash("ls", "")
	s.imported("bash", `{"command":"ls"}`, gate.ResultOK)
	s.imported("bash", `{"command":"git push"}`, gate.ResultRefused)
	s.imported("edit", `{"path":"a"}`, gate.ResultOK)
	s.imported("write", `{"path":"/home/u/.pi/agent/settings.json"}`, gate.ResultOK)
	s.imported("bash", `{"omitted_bytes":70000}`, gate.ResultOK)
	where := policy.Installation{AgentDir: "/home/u/.pi/agent"}
	o := replay.Options{New: replay.Fixed(policyOf(t, "+shell:git *", "+edit")), Installation: where}
	result, changes := s.replay(o, audit.Filter{Imported: true})
	if result.Decided.Calls != 1 || result.Imported == nil || result.Imported.Calls != 5 {
		t.Fatalf("%+v", result)
	}
	want := []replay.Cell{{Old: replay.SideUndecided, New: policy.Allow, Calls: 2}, {Old: replay.SideUndecided, New: policy.Ask, Calls: 2}, {Old: replay.SideUndecided, New: replay.SideNone, Calls: 1}}
	if diff := cmp.Diff(want, result.Imported.Matrix); diff != "" {
		t.Error(diff)
	}
	if i := result.Imported; i.LinksUnknown != 2 || i.DeniedAllowed != 1 || i.Unseen.Calls != 2 || i.NotReplayable[0].Obstacle != audit.ObstacleOmitted {
		t.Errorf("%+v", i)
	}
	if len(changes) != 2 || changes[1].Old.Verdict != replay.SideUndecided || !changes[1].DeniedAllowed {
		t.Errorf("%+v", changes)
	}
	if result.Decided.Prompts.New != 1 {
		t.Errorf("an imported call is a prompt: %+v", result.Decided.Prompts)
	}
	if result, _ := s.replay(o, audit.Filter{}); result.Imported != nil {
		t.Errorf("not asked for: %+v", result.Imported)
	}
}
