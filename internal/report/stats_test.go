package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
)

// work is a day of calls: ten prompts that took one to ten seconds, two silent
// calls, one that was denied and one that nobody could be asked about.
func work() (calls []audit.Call) {
	at := func(hour int) audit.Micros {
		return audit.Micros(time.Date(2026, 3, 1, hour, 30, 0, 0, time.UTC).UnixMicro())
	}
	for i := range 10 {
		calls = append(calls, audit.Call{Kind: gate.KindDecision, Time: at(9), Tool: "bash", Programs: []string{"git", "make"},
			Answer: gate.AnswerOnce, Decision: policy.Run, Waited: int64(10-i) * 1_000_000})
	}
	return append(calls,
		audit.Call{Kind: gate.KindDecision, Time: at(23), Tool: "bash", Programs: []string{"ls"}, Rules: []string{"shell:ls"}, Decision: policy.Run},
		audit.Call{Kind: gate.KindDecision, Time: at(23), Tool: "read", Decision: policy.Run},
		audit.Call{Kind: gate.KindDecision, Time: at(23), Tool: "bash", Programs: []string{"ls"}, Rules: []string{"shell:ls"}, Verdict: policy.Deny, Decision: policy.Block},
		audit.Call{Kind: gate.KindDecision, Time: at(23), Tool: "edit", Answer: gate.AnswerNoUI, Decision: policy.Block})
}

// TestStatsOfImportedCalls wants imported calls to count apart, and in nothing
// else.
func TestStatsOfImportedCalls(t *testing.T) {
	t.Parallel()
	calls := append(work(), audit.Call{Kind: gate.KindImport, Tool: "edit"}, audit.Call{Kind: gate.KindImport, Tool: "bash", Programs: []string{"ls"}, Outcome: "ok"})
	for by, want := range map[string]string{"tool": "[bash 12/1 edit 1/1 read 1/0]", "answer": "[once 10/0 (not asked) 3/0 no-ui 1/0 (imported) 0/2]",
		"rule": "[(no rule) 12/0 shell:ls 2/0 (imported) 0/2]"} {
		s, err := report.NewStats(all(calls), by, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range s.Groups {
			got = append(got, fmt.Sprintf("%s %d/%d", g.Name, g.Calls, g.Imported))
		}
		if fmt.Sprint(got) != want || s.Total.Calls != 14 || s.Total.Imported != 2 || s.Total.Silent != 2 {
			t.Errorf("by %s: %v, %+v, want %s", by, got, s.Total, want)
		}
		var b strings.Builder
		if err := report.WriteStats(&b, s, report.Screen{}); err != nil {
			t.Fatal(err)
		}
		if head, _, _ := strings.Cut(b.String(), "\n"); !strings.Contains(head, "P90  IMPORTED") {
			t.Errorf("the heads are %q", head)
		}
	}
}

func all(calls []audit.Call) func(func(audit.Call, error) bool) {
	return func(yield func(audit.Call, error) bool) {
		for _, c := range calls {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func TestStats(t *testing.T) {
	t.Parallel()
	s, err := report.NewStats(all(work()), "program", time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	const median, p90 = 5_000_000, 9_000_000
	want := report.Stats{By: "program",
		Total: report.Group{Name: "all", Calls: 14, Prompts: 10, Silent: 2, Blocked: 2, SilentShare: 2.0 / 14, WaitedMedian: median, WaitedP90: p90},
		Groups: []report.Group{
			{Name: "git", Calls: 10, Prompts: 10, WaitedMedian: median, WaitedP90: p90},
			{Name: "make", Calls: 10, Prompts: 10, WaitedMedian: median, WaitedP90: p90},
			{Name: "ls", Calls: 2, Silent: 1, Blocked: 1, SilentShare: 0.5},
			{Name: "(edit)", Calls: 1, Blocked: 1},
			{Name: "(read)", Calls: 1, Silent: 1, SilentShare: 1},
		},
		Days: 1, PromptsPerDay: 10,
		Denials: []report.NamedCount{{Name: "nobody could be asked", Calls: 1}, {Name: "rule shell:ls", Calls: 1}}}
	if diff := cmp.Diff(want, s, cmpopts.IgnoreUnexported(report.Group{})); diff != "" {
		t.Error(diff)
	}
	var b strings.Builder
	if err := report.WriteStats(&b, s, report.Screen{}); err != nil {
		t.Fatal(err)
	}
	const table = `
PROGRAM  CALLS  PROMPTS  BLOCKED  SILENT  MEDIAN  P90  
git      10     10       0        0 %     5s      9s   ████████████████████████
make     10     10       0        0 %     5s      9s   ████████████████████████
ls       2      0        1        50 %    -       -    ████
(edit)   1      0        1        0 %     -       -    ██
(read)   1      0        0        100 %   -       -    ██
all      14     10       2        14 %    5s      9s

prompts a day: 10.0 (1 day with calls)
why calls were blocked:
  1  nobody could be asked
  1  rule shell:ls
`
	if diff := cmp.Diff(strings.TrimSpace(table), strings.TrimSpace(b.String())); diff != "" {
		t.Error(diff)
	}
}

// TestStatsTellWhyCallsWereBlocked has one call of each kind, on three days that are apart.
func TestStatsTellWhyCallsWereBlocked(t *testing.T) {
	t.Parallel()
	var calls []audit.Call
	for i, c := range []audit.Call{
		{Verdict: policy.Deny, Rules: []string{"shell:rm *", "shell:\x1b*"}}, {Verdict: policy.Deny, Rules: []string{"shell:rm *"}}, {Verdict: policy.Deny, Erased: true},
		{Verdict: policy.Ask, Answer: gate.AnswerDeny}, {Verdict: policy.Ask, Answer: gate.AnswerDismissed}, {Verdict: policy.Ask, Answer: gate.AnswerAborted},
		{Verdict: policy.Ask, Answer: gate.AnswerNoUI}, {Verdict: policy.Allow, Basis: policy.BasisJournal}, {Verdict: policy.Ask, Basis: policy.BasisError},
	} {
		c.Kind, c.Decision, c.Time = gate.KindDecision, policy.Block, audit.Micros(time.Date(2026, 3, 28, 23, 30, 0, 0, time.UTC).AddDate(0, 0, 2*(i/4)).UnixMicro())
		calls = append(calls, c)
	}
	zone, err := time.LoadLocation("Europe/Berlin") // where the clock changes on the second day
	if err != nil {
		t.Fatal(err)
	}
	s, err := report.NewStats(all(calls), "tool", zone)
	if err != nil {
		t.Fatal(err)
	}
	s.Rules = &report.RuleHealth{Unused: []string{"shell:old *"}, Shadowed: []string{"shell:a *", "shell:b *"}}
	var b strings.Builder
	if err := report.WriteStats(&b, s, report.Screen{}); err != nil {
		t.Fatal(err)
	}
	const want = `
prompts a day: 1.0 (3 days with calls)
why calls were blocked:
  2  rule shell:rm *
  1  a deny rule
  1  it could not be recorded
  1  nobody could be asked
  1  rule shell:\u{1b}*
  1  something failed
  1  the agent was stopped meanwhile
  1  the person left the question
  1  the person said no
rules that were not used for 30 days:
  shell:old *
rules that others make needless:
  shell:a *
  shell:b *
`
	if _, rest, _ := strings.Cut(b.String(), "\n\n"); rest != want[1:] {
		t.Errorf("%s", cmp.Diff(want[1:], rest))
	}
}

func TestStatsGroups(t *testing.T) {
	t.Parallel()
	for by, want := range map[string][]string{
		"tool": {"bash", "edit", "read"}, "rule": {"(no rule)", "shell:ls"}, "hour": {"00", "10"}, "day": {"2026-03-01", "2026-03-02"},
		"answer": {"once", "(not asked)", "no-ui"}, "project": {""}, "session": {""},
	} {
		s, err := report.NewStats(all(work()), by, time.FixedZone("east", 60*60))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range s.Groups {
			got = append(got, g.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %s: %q, want %q", by, got, want)
		}
	}
	if _, err := report.NewStats(all(nil), "mood", time.UTC); err == nil || !strings.Contains(err.Error(), "must be one of tool, program") {
		t.Error(err)
	}
}
