package policy_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// argsTools are rules without arguments, and calls for them.
var (
	argsTools  = rapid.SampledFrom([]string{"mcp:slack:send", "mcp:slack", "mcp", "mcp:*:s*", "mcp__slack__send", "my_tool", "grep"})
	argsCalls  = rapid.SampledFrom([]string{"mcp__slack__send", "mcp__slack__list", "my_tool", "grep"})
	argsNames  = rapid.SampledFrom([]string{"a", "A", "b", `c\=`})
	argsValues = rapid.SampledFrom([]string{"*", "x*", "", "1", "true", "?", `x\,y`, "X", "*y *"})
	argsInputs = rapid.SampledFrom([]string{`{}`, `[]`, `null`, `{"a":"x"}`, `{"a":"X"}`, `{"A":"x","a":"x"}`, `{"a":"x","a":"z"}`, `{"a":1.0,"b":true}`,
		`{"a":["x"]}`, `{"a":{"a":"x"}}`, `{"a":null}`, `{"a":"x,y","b":"x"}`, `{"c=":"x","a":1}`, `{"a":"","b":"1"}`, `{"a":1e0}`})
)

func drawArgs(t *rapid.T, label string) (text string) {
	names := rapid.SliceOfNDistinct(argsNames, 1, 2, func(s string) string { return map[string]string{"A": "a"}[s] + s[:0] + s }).Draw(t, label)
	if slices.Contains(names, "a") && slices.Contains(names, "A") {
		names = names[:1]
	}
	for i, name := range names {
		text += map[bool]string{true: "(", false: ","}[i == 0] + name + "=" + argsValues.Draw(t, label)
	}
	return text + ")"
}

func drawArgsRules(t *rapid.T) (list []string) {
	for range rapid.IntRange(0, 4).Draw(t, "rules") {
		text := rapid.SampledFrom([]string{"+", "-", "?"}).Draw(t, "effect") + argsTools.Draw(t, "tool")
		if rapid.Bool().Draw(t, "args") {
			text += drawArgs(t, "of")
		}
		list = append(list, text)
	}
	return list
}

func argsPolicy(t rapid.TB, list ...string) *policy.Policy {
	var rules []rule.Rule
	for _, text := range list {
		r, err := rule.Parse(text[1:])
		if err != nil {
			t.Fatalf("rule %q: %v", text, err)
		}
		r.Effect = map[byte]rule.Effect{'+': rule.Allow, '-': rule.Deny, '?': rule.Ask}[text[0]]
		rules = append(rules, r)
	}
	return policy.New(policy.DefaultSettings(), rules)
}

var strict = map[policy.Effect]int{policy.Pass: 0, policy.Allow: 1, policy.Ask: 2, policy.Deny: 3}

func TestArgumentsNarrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		others, tool, args := drawArgsRules(t), argsTools.Draw(t, "narrowed"), drawArgs(t, "more")
		call := policy.Derive(policy.Request{Tool: argsCalls.Draw(t, "call"), Input: json.RawMessage(argsInputs.Draw(t, "input")), Cwd: "/p", Root: "/p",
			OS: rapid.SampledFrom([]string{"linux", "windows"}).Draw(t, "os")})
		with := func(rules ...string) int {
			return strict[policy.Evaluate(argsPolicy(t, append(slices.Clone(others), rules...)...), call, nil).Effect]
		}
		none := with()
		for _, effect := range []string{"+", "-", "?"} {
			wide, narrow := with(effect+tool), with(effect+tool+args)
			if effect == "+" && (narrow < wide || narrow > none) || effect != "+" && (narrow > wide || narrow < none) {
				t.Fatalf("%s%s%s gives %d, without arguments %d, without the rule %d", effect, tool, args, narrow, wide, none)
			}
			// The canonical form reads back to the same policy.
			p := argsPolicy(t, append(slices.Clone(others), effect+tool+args)...)
			if again, err := policy.Parse(p.Canonical()); err != nil || strict[policy.Evaluate(again, call, nil).Effect] != narrow {
				t.Fatalf("read again: %v", err)
			}
		}
	})
}

// TestRecordedRulesWithParentheses holds that policies of before read back: what
// is no grammar any more was the name of a tool that nobody has.
func TestRecordedRulesWithParentheses(t *testing.T) {
	body := []byte(`{"v":1,"enabled":true,"allow":["my_tool(x)","Bash(ls)","bash(a=b)","my_tool"],"deny":[],"redirections":"ask","guardedFlags":true}`)
	p, err := policy.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	call := policy.Derive(policy.Request{Tool: "my_tool", Input: json.RawMessage(`{}`), Cwd: "/p", Root: "/p", OS: "linux"})
	if v := policy.Evaluate(p, call, nil); v.Effect != policy.Allow || v.Reasons[0].Rule != "my_tool" {
		t.Errorf("my_tool: %+v", v)
	}
}

// An approval of a tool covers the very arguments as soon as a rule names some.
func TestCoverageWhereRulesNameArguments(t *testing.T) {
	call := policy.Derive(policy.Request{Tool: "mcp__slack__send", Input: json.RawMessage(`{"channel":"dev"}`), Cwd: "/p", Root: "/p", OS: "linux"})
	for rules, want := range map[string]policy.Coverage{
		"+mcp:slack":                   policy.CoverTarget,
		"?mcp:slack:send(channel=*)":   policy.CoverExact,
		"-mcp:slack:send(channel=x)":   policy.CoverExact,
		"?mcp:github:send(channel=*)":  policy.CoverTarget,
		"+mcp__slack__send(channel=x)": policy.CoverExact,
	} {
		if got := argsPolicy(t, rules).Coverage(call); got != want {
			t.Errorf("%s: %s, want %s", rules, got, want)
		}
	}
}
