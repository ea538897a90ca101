package replay_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/replay"
)

var ruleTexts = []string{"shell:ls *", "shell:git *", "shell:git push *", "shell:rm *", "shell:make", "shell:*", "shell:curl *", "shell:wc", "shell:npm *", "shell:find *",
	"edit:src/*", "edit:*", "mcp:github", "bash", "read", "edit"}

func drawRules(t *rapid.T, label string, signs ...string) (texts []string) {
	for _, text := range rapid.SliceOfN(rapid.SampledFrom(ruleTexts), 0, 6).Draw(t, label) {
		texts = append(texts, rapid.SampledFrom(signs).Draw(t, "sign")+text)
	}
	return texts
}

func drawFilter(t *rapid.T) audit.Filter {
	return audit.Filter{
		Tool:     rapid.SampledFrom([]string{"", "", "bash", "edit"}).Draw(t, "tool"),
		Session:  rapid.SampledFrom([]string{"", "", "s1", "s2", audit.LastSession}).Draw(t, "session"),
		Limit:    rapid.SampledFrom([]int{0, 0, 1, 5}).Draw(t, "limit"),
		Reverse:  rapid.Bool().Draw(t, "reverse"),
		Imported: rapid.Bool().Draw(t, "imported"),
	}
}

type runner func(audit.Filter, replay.Options) *replay.Result

// property runs a check on the journal of a day with random policies.
func property(t *testing.T, holds func(t *rapid.T, rows []audit.Row, run runner)) {
	t.Helper()
	s := work(t)
	s.imported("bash", `{"command":"git status; rm x"}`, gate.ResultOK)
	s.imported("bash", `{"command":"npm test"}`, gate.ResultRefused)
	r := s.reader()
	var rows []audit.Row
	for row, err := range r.List(t.Context(), audit.Filter{Kind: gate.KindDecision}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	rapid.Check(t, func(rt *rapid.T) {
		holds(rt, rows, func(f audit.Filter, o replay.Options) *replay.Result {
			result, err := replay.Run(t.Context(), r, f, o)
			if err != nil {
				rt.Fatal(err)
			}
			return result
		})
	})
}

func TestTheSamePolicyChangesNothing(t *testing.T) {
	property(t, func(rt *rapid.T, _ []audit.Row, run runner) {
		texts, f := drawRules(rt, "rules", "+", "-"), drawFilter(rt)
		result := run(f, replay.Options{Old: replay.Fixed(policyOf(t, texts...)), New: replay.Fixed(policyOf(t, texts...))})
		for _, p := range result.Parts() {
			if p.Changes() > 0 || len(p.Groups) > 0 || p.Unseen.Calls > 0 {
				rt.Fatalf("%+v", p)
			}
			for _, c := range p.Matrix {
				if c.Old != c.New {
					rt.Fatalf("%+v", p.Matrix)
				}
			}
		}
		if result.Decided.Prompts.Old != result.Decided.Prompts.New {
			rt.Fatalf("%+v", result.Decided.Prompts)
		}
	})
}

func TestADenyNeverLoosens(t *testing.T) {
	property(t, func(rt *rapid.T, _ []audit.Row, run runner) {
		base := replay.Fixed(policyOf(t, drawRules(rt, "rules", "+", "-")...))
		result := run(drawFilter(rt), replay.Options{Old: base, New: &replay.Edited{Base: base, Add: rulesOf(t, drawRules(rt, "denies", "-")...)}})
		for _, p := range result.Parts() {
			if p.Looser > 0 || p.DeniedAllowed > 0 || p.Unseen.Calls > 0 {
				rt.Fatalf("%+v", p)
			}
		}
	})
}

// The matrix is that of a loop that derives and evaluates each call.
func TestTheMatrixIsThatOfALoop(t *testing.T) {
	property(t, func(rt *rapid.T, rows []audit.Row, run runner) {
		pol := policyOf(t, drawRules(rt, "rules", "+", "-")...)
		want := map[replay.Cell]int{}
		for _, row := range rows {
			req, links, err := row.Request()
			if err != nil {
				rt.Fatal(err)
			}
			want[replay.Cell{Old: row.Verdict, New: policy.Evaluate(pol, policy.Derive(req), links).Effect}]++
		}
		got := map[replay.Cell]int{}
		for _, c := range run(audit.Filter{}, replay.Options{New: replay.Fixed(pol)}).Decided.Matrix {
			got[replay.Cell{Old: c.Old, New: c.New}] = c.Calls
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}
