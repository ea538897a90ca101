package prove_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/prove"
)

var place = prove.Place{Cwd: "/home/u/shop", Root: "/home/u/shop", OS: "linux", Home: "/home/u"}

func parse(t testing.TB, effect rule.Effect, texts ...string) (list []rule.Rule) {
	t.Helper()
	for _, text := range texts {
		r, err := rule.Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		r.Effect = effect
		list = append(list, r)
	}
	return list
}

func run(p *policy.Policy, command string) policy.Effect {
	req := place
	req.Tool, req.Trusted, req.HasUI = "bash", true, true
	req.Input, _ = json.Marshal(map[string]string{"command": command})
	return policy.Evaluate(p, p.Derive(req), nil).Effect
}

func TestNever(t *testing.T) {
	for _, c := range []struct{ allow, never, want string }{
		{"shell:git *", "shell:git push *", "git push"},
		{"shell:git status *", "shell:git push *", "proven"},
		{"shell:npm *", "shell:npm publish *", "asks guarded-flag"},
		{"shell:git push -f *", "shell:git push --force *", "git push -f"},
		{"shell:cat *", "read:.env", "cat .env"},
		{"shell:touch *", "edit:.env", "touch .env"},
		{"shell:git status *", "edit:.env", "none"},
		{"edit:src/*", "edit:*.go", "src/.go"},
		{"edit:src/*", "edit:docs/*", "proven"},
		{"mcp:slack", "mcp:slack:send*", "slack:send"},
		{"mcp:slack:read_*", "mcp:slack:send*", "proven"},
		{"my_tool", "my_tool", "my_tool"},
		{"my_tool", "other_tool", "proven"},
		{"shell:git *", "edit:src/*.go", "none"},
	} {
		r := prove.Never(policy.DefaultSettings(), parse(t, rule.Allow, c.allow), parse(t, rule.Deny, c.never)[0], place)
		got := "none"
		switch {
		case r.Witness != nil:
			got = r.Witness.Text
		case r.Proven:
			got = "proven"
		case len(r.Doubts) > 0:
			got = "asks " + string(r.Doubts[0].Cause)
		}
		if got != c.want {
			t.Errorf("%s never %s: %s, want %s (%+v)", c.allow, c.never, got, c.want, r)
		}
	}
}

// TestAnswersAgreeWithEveryCommand judges the answers by putting all commands of
// up to four words to the gate. PIGATE_JUDGE_SEED draws other rules.
func TestAnswersAgreeWithEveryCommand(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("PIGATE_JUDGE_SEED"), 10, 64)
	if err != nil {
		seed = 12
	}
	draw := rand.New(rand.NewPCG(seed, 2))
	words := []string{"tool", "push", "-f", "x"}
	var commands []string
	for _, a := range words[:1] {
		list := []string{a}
		for from := 0; from < len(list); from++ {
			if strings.Count(list[from], " ") < 3 {
				for _, w := range words[1:] {
					list = append(list, list[from]+" "+w)
				}
			}
		}
		commands = append(commands, list...)
	}
	pattern := func() string {
		text := "shell:tool"
		for range draw.IntN(3) {
			text += " " + []string{"push", "-f", "x", "*", "p*", "?"}[draw.IntN(6)]
		}
		return text + []string{"", " *", "*"}[draw.IntN(3)]
	}
	witnesses, proofs, missed := 0, 0, 0
	for range 400 {
		allow, deny := parse(t, rule.Allow, pattern(), pattern()), parse(t, rule.Deny, pattern())
		other := parse(t, rule.Allow, pattern())
		runs, stops := policy.New(policy.DefaultSettings(), allow), policy.New(policy.DefaultSettings(), deny)
		before := policy.New(policy.DefaultSettings(), append(other, deny...))
		for name, c := range map[string]struct {
			result *prove.Result
			is     func(string) bool
		}{
			"never": {prove.Never(policy.DefaultSettings(), allow, deny[0], place), func(command string) bool {
				return run(runs, command) == policy.Allow && run(stops, command) == policy.Deny
			}},
			"diff": {prove.Diff(before, runs, place), func(command string) bool {
				return run(runs, command) == policy.Allow && run(before, command) != policy.Allow
			}},
		} {
			w := c.result.Witness
			if w != nil {
				witnesses++
				if !c.is(w.Text) {
					t.Fatalf("%s: allow %v, other %v, deny %v: %q is no witness", name, allow, other, deny, w.Text)
				}
				continue
			}
			if c.result.Proven {
				proofs++
			}
			for _, command := range commands {
				if !c.is(command) {
					continue
				}
				// A deny rule means more than its pattern matches.
				if deny[0].Pattern.Match(command, false) || name == "diff" && !other[0].Pattern.Match(command, false) {
					t.Fatalf("%s: allow %s %s, other %s, deny %s: %q was not found", name, allow[0].Text, allow[1].Text, other[0].Text, deny[0].Text, command)
				}
				missed++
				break
			}
		}
	}
	t.Logf("judged 800 answers: %d witnesses, %d proofs, %d times only a deny rule's meaning was missed", witnesses, proofs, missed)
	if missed > 40 {
		t.Errorf("what deny rules mean was missed %d times of 800", missed)
	}
	if witnesses < 50 || proofs < 50 {
		t.Errorf("%d witnesses and %d proofs: the test tells little", witnesses, proofs)
	}
}
