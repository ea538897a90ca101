package suggest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/dangerous"
	"github.com/pigate/pigate/internal/testcorpus"
)

// seeded are the rules of a new installation.
var seeded = []string{"shell:git status *", "shell:git diff *", "shell:git log *", "shell:ls *", "shell:cat *", "shell:pwd *", "shell:echo *", "shell:wc *",
	"shell:grep *", "shell:tail *", "shell:rg -n *", "shell:find *", "shell:head -n *", "shell:pi mcp list *", "mcp:docs-mcp-server"}

// projects are the folders of the recorded sessions.
func projects(t testing.TB) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(testcorpus.Path(t, "sessions"), "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no recorded sessions: %v", err)
	}
	return dirs
}

// quality is how drafts of the first half of a history fare in the second.
type quality struct {
	prompts   int // of the second half
	reachable int // of them, those that some rule which is not vetoed could spare
	spared    int // of them, those that the drafts spare
	rules     int
}

// half mines the first half of the calls of a history and tries the drafts on
// the rest, through the gate. What could be reached is found with rules drawn from
// the second half itself, however many, and however little speaks for them.
func half(h *History, p *policy.Policy) (q quality) {
	h.sort()
	m := newMiner(h, p, Options{})
	cut := len(h.events) / 2
	first := h.part(h.events[:cut])
	chosen, _ := m.mine(first)
	q.rules = len(chosen)
	after := m.with(chosen...)
	rest := newLedger(h.part(h.events[cut:]), m.needs, m.pieces)
	known := *m // what was refused by then
	known.history = first
	reach := map[int32]bool{}
	for _, c := range candidates(knows(p), m.pieces, func(id int32) bool { return rest.count[id] > 0 }) {
		if c.risk() <= m.options.MaxRisk && m.veto(c) == nil && known.refused(c) == nil {
			for _, id := range c.covers {
				reach[id] = true
			}
		}
	}
	for _, e := range h.events[cut:] {
		need := &m.needs[e.subject]
		if need.state == silent || !prompts(e.word) {
			continue
		}
		q.prompts++
		could := need.state == asks
		for _, id := range need.pieces {
			could = could && reach[id]
		}
		s := &h.subjects[e.subject]
		if could {
			q.reachable++
			if policy.Evaluate(after, policy.Derive(s.Request), s.Links).Effect == policy.Allow {
				q.spared++
			}
		}
	}
	return q
}

// With the default thresholds at most twenty rules spare at least six of ten of
// the prompts that any rule could.
func TestQuality(t *testing.T) {
	t.Parallel()
	var all quality
	for _, dir := range projects(t) {
		q := half(recorded(t, dir), policyOf(t, seeded, nil))
		t.Logf("%-24s %d of %d prompts spared by %d rules; %d in reach", filepath.Base(dir), q.spared, q.prompts, q.rules, q.reachable)
		if q.rules > 20 {
			t.Errorf("%s: %d rules", filepath.Base(dir), q.rules)
		}
		all.prompts, all.reachable, all.spared = all.prompts+q.prompts, all.reachable+q.reachable, all.spared+q.spared
	}
	if 10*all.spared < 6*all.reachable {
		t.Errorf("%d of %d prompts in reach are spared, want six of ten", all.spared, all.reachable)
	}
}

func BenchmarkQuality(b *testing.B) {
	for _, dir := range projects(b) {
		b.Run(filepath.Base(dir), func(b *testing.B) {
			h, p := recorded(b, dir), policyOf(b, seeded, nil)
			var q quality
			for b.Loop() {
				q = half(h, p)
			}
			b.ReportMetric(float64(q.prompts), "prompts")
			b.ReportMetric(100*float64(q.spared)/float64(q.prompts), "%spared")
			b.ReportMetric(100*float64(q.spared)/float64(q.reachable), "%of-reachable")
			b.ReportMetric(float64(q.rules), "rules")
		})
	}
}

// escape is a line of escapes.jsonl.
type escape struct {
	ID      string   `json:"id"`
	Command string   `json:"command"`
	Deny    []string `json:"deny"`
	Want    string   `json:"want"`
}

func escapes(t *testing.T) (list []escape) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "cmd", "pigate", "testdata", "escapes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e escape
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if e.Want == "not-allow" || e.Want == "deny" {
			list = append(list, e)
		}
	}
	return list
}

// Whatever is drafted from the recorded sessions, with each way of judging
// redirections and with hardly any threshold, lets no
// dangerous call run.
func TestDraftsLetNothingDangerousRun(t *testing.T) {
	t.Parallel()
	list := escapes(t)
	for _, dir := range projects(t) {
		h := recorded(t, dir)
		for redirections, options := range map[string][]Options{
			policy.RedirectionsAsk:     {{}},
			policy.RedirectionsPrecise: {{}, {Limit: 100, MinCalls: 1, MinSessions: 1, MinDays: 1, MinKinds: 1, MaxRisk: 1, MaxRiskUnseen: 1}},
		} {
			for _, o := range options {
				settings := policy.DefaultSettings()
				settings.Redirections = redirections
				p := policy.New(settings, policyOf(t, seeded, nil).Rules)
				r := NewStudy(h, p, o).Result()
				var rules []rule.Rule
				for _, d := range r.Drafts {
					if parsed, err := parsed(&d); err != nil {
						t.Error(err)
					} else if d.Effect == policy.Allow {
						rules = append(rules, parsed)
					}
				}
				nothingDangerous(t, policy.New(settings, rules), list)
				nothingDangerous(t, policy.New(settings, append(p.Rules[:len(p.Rules):len(p.Rules)], rules...)), list)
			}
		}
	}
}

func nothingDangerous(t *testing.T, p *policy.Policy, list []escape) {
	t.Helper()
	for _, l := range dangerous.Hits(p) {
		t.Errorf("the drafts let %s run", l)
	}
	for _, e := range list {
		rules := p.Rules[:len(p.Rules):len(p.Rules)]
		for _, text := range e.Deny {
			r, err := parse(text, rule.Deny)
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, r)
		}
		v := policy.Evaluate(policy.New(p.Settings, rules), policy.Derive(sample("bash", "command", e.Command)), nil)
		if v.Effect == policy.Allow {
			t.Errorf("%s: the drafts let %s run: %v", e.ID, e.Command, v.Reasons)
		}
	}
}
