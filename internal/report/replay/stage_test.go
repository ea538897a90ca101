package replay_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/replay"
)

// stage is a guard with a journal, a configuration in memory and a person.
type stage struct {
	t       testing.TB
	guard   *gate.Guard
	journal *audit.Journal
	clock   time.Time
	calls   int

	policy *policy.Policy
	// says is what the person answers; links are what there are.
	says  string
	links policy.LinkFacts
	// linked makes every third path lead elsewhere.
	linked bool
	// request is what calls have in common.
	request policy.Request
}

func newStage(t testing.TB, rules ...string) *stage {
	return newStageWith(t, audittest.Options(), rules...)
}

func newStageWith(t testing.TB, o audit.Options, rules ...string) *stage {
	journal, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = journal.Close() }) // what was recorded is read before
	s := &stage{t: t, journal: journal, clock: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC),
		request: policy.Request{Session: "s1", Cwd: "/p", Root: "/p", Trusted: true, HasUI: true, Mode: "rpc", OS: "linux", Home: "/home/u",
			Installation: policy.Installation{AgentDir: "/home/u/.pi/agent", Journal: "/home/u/.pi/agent/pigate/journal.db"}}}
	s.rules(rules...)
	s.guard = &gate.Guard{Rules: s, Asker: s, Recorder: s.journal, Links: s.linksOf, Now: s.now}
	s.start()
	return s
}

func (s *stage) now() time.Time {
	s.clock = s.clock.Add(time.Second)
	return s.clock
}

func (s *stage) linksOf(list []string, _ string) policy.LinkFacts {
	if !s.linked {
		return s.links
	}
	facts := policy.LinkFacts{}
	for i, path := range list {
		if facts[path] = path; i%3 == 0 {
			facts[path] = "/elsewhere" + path
		}
	}
	return facts
}

// rules sets the configuration: "+shell:x" allows, "-shell:x" denies.
func (s *stage) rules(texts ...string) { s.policy = policyOf(s.t, texts...) }

func policyOf(t testing.TB, texts ...string) *policy.Policy {
	t.Helper()
	return policy.New(policy.DefaultSettings(), rulesOf(t, texts...))
}

func rulesOf(t testing.TB, texts ...string) (rules []rule.Rule) {
	t.Helper()
	for _, text := range texts {
		r, err := rule.Parse(text[1:])
		if err != nil {
			t.Fatal(err)
		}
		r.Effect = map[byte]rule.Effect{'+': rule.Allow, '-': rule.Deny}[text[0]]
		rules = append(rules, r)
	}
	return rules
}

// start begins a session of Pi.
func (s *stage) start() {
	s.t.Helper()
	if err := s.guard.StartSession(s.t.Context(), s.request.Session, gate.SessionStart{Reason: "startup", Cwd: "/p", Root: "/p", HasUI: s.request.HasUI, OS: "linux"}); err != nil {
		s.t.Fatal(err)
	}
}

// bash makes a call of the shell; what the person says counts if it asks.
func (s *stage) bash(command, says string) gate.Ruling {
	s.t.Helper()
	return s.call("bash", map[string]string{"command": command}, says)
}

func (s *stage) edit(path, says string) gate.Ruling {
	s.t.Helper()
	return s.call("edit", map[string]string{"path": path}, says)
}

func (s *stage) call(tool string, input any, says string) gate.Ruling {
	s.t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		s.t.Fatal(err)
	}
	s.calls++
	s.says = says
	req := s.request
	req.Tool, req.Input, req.Call = tool, raw, "c"+strconv.Itoa(s.calls)
	return s.guard.Decide(s.t.Context(), req)
}

// imported records a call that the gate did not decide.
func (s *stage) imported(tool, input string, result gate.Result) {
	s.t.Helper()
	req := s.request
	req.Tool, req.Input, req.Installation, req.Trusted = tool, json.RawMessage(input), policy.Installation{}, false
	_, err := s.journal.Record(s.t.Context(), &gate.Entry{Kind: gate.KindImport, Time: s.now().UnixMicro(), Session: "old", Import: &gate.Imported{
		Request: req, Resources: policy.Derive(req).Resources, Result: result, Source: "pi", File: "f", Analyser: policy.Analyser}})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) Load(string, policy.Trust) (*policy.Policy, bool, []string) {
	return s.policy, true, nil
}

func (s *stage) Save(_ string, lines []string) (string, []string, error) {
	for _, line := range lines {
		s.policy = policy.New(s.policy.Settings, append(s.policy.Rules[:len(s.policy.Rules):len(s.policy.Rules)], rulesOf(s.t, "+"+line)...))
	}
	return "rules.json", lines, nil
}

func (s *stage) Select(context.Context, string, string, []string) (gate.Choice, error) {
	if s.says == "" {
		s.t.Error("nobody expected to be asked")
	}
	return gate.Choice{Text: s.says}, nil
}

func (s *stage) Edit(_ context.Context, _, _, prefill string) (gate.Choice, bool, error) {
	return gate.Choice{Text: prefill}, true, nil
}

func (s *stage) Notify(context.Context, string, string) {}

// reader flushes the journal and opens it.
func (s *stage) reader() *audit.Reader {
	s.t.Helper()
	r, err := audit.OpenReader(s.t.Context(), s.journal.Path())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = r.Close() }) // it only reads
	return r
}

// replay replays all calls.
func (s *stage) replay(o replay.Options, f audit.Filter) (*replay.Result, []replay.Change) {
	s.t.Helper()
	var changes []replay.Change
	o.Changed = func(c replay.Change) error {
		changes = append(changes, c)
		return nil
	}
	o.Zone = time.UTC
	r := s.reader()
	if o.New == nil {
		o.New = replay.Recorded(r.Policy)
	}
	result, err := replay.Run(s.t.Context(), r, f, o)
	if err != nil {
		s.t.Fatal(err)
	}
	return result, changes
}
