package report_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report"
)

// person answers every question with what is next.
type person struct{ next string }

func (p *person) Select(context.Context, string, string, []string) (gate.Choice, error) {
	return gate.Choice{Text: p.next}, nil
}

func (p *person) Edit(_ context.Context, _, _, prefill string) (gate.Choice, bool, error) {
	return gate.Choice{Text: prefill}, true, nil
}

func (p *person) Notify(context.Context, string, string) {}

// configuration is one policy that can be exchanged.
type configuration struct{ policy *policy.Policy }

func (c *configuration) Load(string, policy.Trust) (*policy.Policy, bool, []string) {
	return c.policy, true, nil
}

func (c *configuration) Save(_ string, rules []string) (string, []string, error) {
	return "f", rules, nil
}

func policyFor(t interface{ Fatal(...any) }, covers policy.Coverage, allow ...string) *policy.Policy {
	var rules []rule.Rule
	for _, text := range allow {
		r, err := rule.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r.Effect = rule.Allow
		rules = append(rules, r)
	}
	settings := policy.DefaultSettings()
	settings.SessionApprovals = covers
	return policy.New(settings, rules)
}

// was is what the guard itself had in force before an entry.
type was struct {
	seq    int64
	grants []string
	digest string
}

// What a moment tells is what the guard had in force then.
func TestMomentIsWhatWasInForce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		options := audittest.Options()
		options.Durability = audit.Process
		j, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"), options)
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = j.Close() }() // what matters of it has been read
		asker, rules := &person{}, &configuration{policyFor(rt, policy.CoverTarget)}
		now := time.Unix(1_800_000_000, 0)
		guard := &gate.Guard{Rules: rules, Asker: asker, Recorder: j, Now: func() time.Time { now = now.Add(time.Second); return now },
			Links: func([]string, string) policy.LinkFacts { return nil }}
		must := func(err error) {
			if err != nil {
				rt.Fatal(err)
			}
		}
		must(guard.StartSession(t.Context(), "s", gate.SessionStart{Cwd: "/p", Root: "/p"}))
		var known []was
		for i := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 8).Draw(rt, "step") {
			case 0:
				must(guard.EndSession(t.Context(), "s", "quit"))
				must(guard.StartSession(t.Context(), "s", gate.SessionStart{Cwd: "/p", Root: "/p"}))
			case 1:
				rules.policy = policyFor(rt, rapid.SampledFrom([]policy.Coverage{policy.CoverTarget, policy.CoverExact}).Draw(rt, "covers"), rapid.SampledFrom([]string{"shell:a *", "shell:b *"}).Draw(rt, "rule"))
			default:
				asker.next = rapid.SampledFrom([]string{gate.OptionOnce, gate.OptionSession, gate.OptionDeny, ""}).Draw(rt, "answer")
				var before []string
				for _, g := range guard.Grants() {
					before = append(before, string(g.Covers)+" "+g.Tool+" "+g.Target)
				}
				ruling := guard.Decide(t.Context(), drawCall(rt, i))
				known = append(known, was{ruling.Seq, before, rules.policy.Digest()})
			}
		}
		for _, w := range known {
			m, err := report.NewMoment(session(t, j.Path()), w.seq)
			must(err)
			var grants []string
			for _, g := range m.Grants {
				grants = append(grants, string(g.Covers)+" "+g.Tool+" "+g.What)
			}
			if diff := cmp.Diff(w.grants, grants); len(w.grants)+len(grants) > 0 && diff != "" {
				rt.Fatalf("before entry %d: %s", w.seq, diff)
			}
			if m.Digest != w.digest || m.Decided != w.seq || !m.Trusted || !m.Open {
				rt.Fatalf("before entry %d: %+v, want the policy %s", w.seq, m, w.digest)
			}
		}
	})
}

func drawCall(rt *rapid.T, i int) policy.Request {
	req := policy.Request{Session: "s", Call: fmt.Sprint("c", i), Tool: "bash", Cwd: "/p", Root: "/p", Trusted: true, HasUI: true, OS: "linux", Home: "/h"}
	field, target := "command", rapid.SampledFrom([]string{"a 1", "a 2", "b", "a  1"}).Draw(rt, "command")
	fields := map[string]any{}
	switch rapid.IntRange(0, 3).Draw(rt, "tool") {
	case 0:
		fields["content"] = rapid.SampledFrom([]string{strings.Repeat("a", 200), strings.Repeat("b", 200)}).Draw(rt, "content")
		req.Tool, field, target = "write", "path", rapid.SampledFrom([]string{"x", "./x", "/etc/x"}).Draw(rt, "path")
	case 1:
		req.Tool, field, target = "mcp__a__b", "n", rapid.SampledFrom([]string{"1", "2"}).Draw(rt, "argument")
	case 2:
		req.Tool, field, target = "own_tool", "n", rapid.SampledFrom([]string{"1", "2"}).Draw(rt, "n")
	}
	fields[field] = target
	input, err := json.Marshal(fields)
	if err != nil {
		rt.Fatal(err)
	}
	req.Input = input
	return req
}

// session are all entries of the session s.
func session(t *testing.T, path string) iter.Seq2[audit.Row, error] {
	rows := slices.DeleteFunc(audittest.Rows(t, path), func(r audit.Row) bool { return r.Session != "s" })
	return yielding(rows)
}

func TestMomentBeforeTheSession(t *testing.T) {
	t.Parallel()
	if _, err := report.NewMoment(yielding([]audit.Row{{Seq: 9, Session: "s"}}), 8); err == nil {
		t.Error("a moment before the session is told of")
	}
}
