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
		{"mcp:slack", "mcp__slack__send", "slack:send"},
		{"mcp__slack__send", "mcp:slack:send*", "slack:send"},
		{"mcp__slack__send__now", "mcp:slack", "slack:send__now"},
		{"mcp__slack__send", "mcp:slack:read*", "proven"},
		{"powershell", "shell:git push *", "git push"},
		{"powershell", "bash", "proven"},
		{"shell", "powershell", "x"},
		{"edit", "edit:a", "a"},
		{"write", "edit:a", "a"},
		{"shell:/usr/bin/git *", "shell:git push *", "/usr/bin/git push"},
		{"shell:sudo git push", "shell:git push *", "sudo git push"},
		{"edit:src/*", "edit:/home/u/shop/src/a", "/home/u/shop/src/a"},
		{"edit:src/*", "edit:~/shop/src/*.key", "~/shop/src/.key"},
		{"edit:src/*", "edit:~/other/*", "proven"},
		{"edit", "read", "proven"},
		{"mcp:slack:send(channel=C09*)", "mcp:slack:send", "slack:send(channel=C09)"},
		{"mcp:slack:send", "mcp:slack:send(channel=C09*)", "slack:send(channel=C09)"},
		{"mcp:slack:send(channel=C*,to=x)", "mcp:slack:*(channel=*9)", "slack:send(channel=C9,to=x)"},
		{"my_tool(path=docs/*)", "my_tool(path=docs/a*)", "my_tool(path=docs/a)"},
		{"my_tool(path=docs/*)", "my_tool(path=src/*)", "none"},
		{"my_tool(path=docs/*)", "other_tool", "none"},
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

// TestShortest says that the shortest of all rules' calls is told.
func TestShortest(t *testing.T) {
	r := prove.Never(policy.DefaultSettings(), parse(t, rule.Allow, "shell:env *", "shell:git * origin", "shell:git *"), parse(t, rule.Deny, "shell:git push *")[0], place)
	if r.Witness == nil || r.Witness.Text != "git push" {
		t.Errorf("%+v, want git push", r.Witness)
	}
	before := policy.New(policy.DefaultSettings(), parse(t, rule.Allow, "shell:git status *"))
	after := policy.New(policy.DefaultSettings(), parse(t, rule.Allow, "shell:terraform plan *", "shell:make *", "shell:git status *"))
	if r := prove.Diff(before, after, place); r.Witness == nil || r.Witness.Text != "make" {
		t.Errorf("%+v, want make", r.Witness)
	}
}

// TestDiff says what the second configuration lets run and the first does not.
func TestDiff(t *testing.T) {
	type side struct {
		allow, deny, ask []string
		set              func(*policy.Settings)
	}
	shells := func(texts ...string) side { return side{allow: texts} }
	find := shells("shell:find *", "edit:*")
	set := func(s side, f func(*policy.Settings)) side { s.set = f; return s }
	for _, c := range []struct {
		name          string
		before, after side
		want          string // TOOL TEXT
	}{
		{"another tool of the scope", shells("bash"), shells("shell"), "powershell x"},
		{"edit beside write", shells("write"), shells("edit"), "edit x"},
		{"case counts", shells("shell:Foo"), shells("shell:foo"), "bash foo"},
		{"a rule that spells a wrapper", shells("shell:sudo *"), shells("shell:sudo *", "shell:sudo apt update"), "bash sudo apt update"},
		{"a rule that names an option", shells("shell:find *"), shells("shell:find *", "shell:find build -delete"), "bash find build -delete"},
		{"a tool of a server", side{allow: []string{"mcp:slack"}, deny: []string{"mcp__slack__send"}}, shells("mcp:slack"), "mcp__slack__send slack:send"},
		{"what reads needs no rule", side{deny: []string{"read:.env"}}, side{}, "read .env"},
		{"a tool that passes", side{deny: []string{"grep"}}, side{}, "grep grep"},
		{"an ask rule", side{allow: []string{"shell:git *"}, ask: []string{"shell:git push *"}}, shells("shell:git *"), "bash git push"},
		{"guarded options", find, set(find, func(s *policy.Settings) { s.GuardedFlags = false }), "some"},
		{"redirections", find, set(find, func(s *policy.Settings) { s.Redirections = policy.RedirectionsPrecise }), "some"},
		{"outside", shells("shell:rm *"), set(shells("shell:rm *"), func(s *policy.Settings) { s.Outside = policy.OutsideAllow }), "some"},
		{"switched off", side{}, set(side{}, func(s *policy.Settings) { s.Enabled = false }), "some"},
		{"was switched off", set(side{}, func(s *policy.Settings) { s.Enabled = false }), find, "proven"},
		{"an argument less", shells("mcp:slack:send(channel=C09*)"), shells("mcp:slack:send"), "mcp__slack__send slack:send"},
		{"a wider argument", shells("my_tool(path=docs/*)"), shells("my_tool(path=d*)"), "my_tool my_tool(path=d)"},
		{"an argument more", shells("my_tool"), shells("my_tool(path=d*)"), "proven"},
		{"a tool that passes, by argument", side{deny: []string{"question(a=x*)"}}, side{}, "question question(a=x)"},
		{"a rule that matches nothing", shells("shell:make *"), shells("shell:make *", "mcp__a__b:x*"), "proven"},
		{"the same", side{allow: []string{"shell:*", "edit:*", "mcp"}, deny: []string{"shell:rm *", "read:.env", "edit:a", "mcp:x"}, ask: []string{"shell:git push *"}},
			side{allow: []string{"shell:*", "edit:*", "mcp"}, deny: []string{"shell:rm *", "read:.env", "edit:a", "mcp:x"}, ask: []string{"shell:git push *"}}, "proven"},
	} {
		policyOf := func(s side) *policy.Policy {
			settings := policy.DefaultSettings()
			if s.set != nil {
				s.set(&settings)
			}
			rules := append(parse(t, rule.Allow, s.allow...), parse(t, rule.Deny, s.deny...)...)
			return policy.New(settings, append(rules, parse(t, rule.Ask, s.ask...)...))
		}
		r := prove.Diff(policyOf(c.before), policyOf(c.after), place)
		got := "none"
		switch {
		case r.Witness != nil && c.want == "some":
			got = "some"
			t.Logf("%s: %s", c.name, r.Witness.Text)
		case r.Witness != nil:
			got = r.Witness.Tool + " " + r.Witness.Text
		case r.Proven:
			got = "proven"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s (%+v)", c.name, got, c.want, r)
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

// TestProofsHoldForEveryTool compares configurations drawn from rules of all
// scopes, and puts calls of all tools to the gate: none may belie a proof.
func TestProofsHoldForEveryTool(t *testing.T) {
	draw := rand.New(rand.NewPCG(12, 3))
	allow := []string{"bash", "powershell", "shell", "shell:a", "shell:a *", "shell:b", "edit", "write", "edit:a", "edit:a*", "mcp", "mcp:s", "mcp:s:t*", "mcp__s__t", "my_tool"}
	stop := append([]string{"read", "grep", "read:a", "read:*", "edit:/home/u/shop/a", "edit:~/shop/*"}, allow...)
	calls := [][3]string{{"bash", "command", "a"}, {"bash", "command", "a x"}, {"bash", "command", "b"}, {"powershell", "command", "a"}, {"powershell", "command", "b"},
		{"write", "path", "a"}, {"edit", "path", "a"}, {"write", "path", "b"}, {"edit", "path", "ab"}, {"mcp__s__t"}, {"mcp__s__u"}, {"mcp__r__t"}, {"my_tool"},
		{"read", "path", "a"}, {"read", "path", "b"}, {"grep"}}
	some := func(effect rule.Effect, pool []string, most int) (list []rule.Rule) {
		for range draw.IntN(most + 1) {
			list = append(list, parse(t, effect, pool[draw.IntN(len(pool))])...)
		}
		return list
	}
	config := func() *policy.Policy {
		return policy.New(policy.DefaultSettings(), append(append(some(rule.Allow, allow, 4), some(rule.Deny, stop, 2)...), some(rule.Ask, stop, 1)...))
	}
	runsUnder := func(p *policy.Policy, c [3]string) bool {
		req := place
		req.Tool, req.Trusted, req.HasUI = c[0], true, true
		req.Input, _ = json.Marshal(map[string]string{c[1]: c[2]})
		v := policy.Evaluate(p, p.Derive(req), nil).Effect
		return v == policy.Allow || v == policy.Pass
	}
	proofs, witnesses := 0, 0
	for range 150 {
		before, after := config(), config()
		r := prove.Diff(before, after, place)
		for _, c := range calls {
			if r.Witness == nil && r.Proven && runsUnder(after, c) && !runsUnder(before, c) {
				t.Errorf("%s\n%s: proven, and %v runs under the second alone", before.Canonical(), after.Canonical(), c)
			}
		}
		switch {
		case r.Witness != nil:
			witnesses++
		case r.Proven:
			proofs++
		}
	}
	t.Logf("judged 150 answers by %d calls: %d proofs, %d witnesses", len(calls), proofs, witnesses)
	if proofs < 15 || witnesses < 30 {
		t.Error("the test tells little")
	}
}
