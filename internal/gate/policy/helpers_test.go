package policy

import (
	"encoding/json"
	"testing"

	"github.com/pigate/pigate/internal/gate/rule"
)

// policyOf makes a policy of rules that are prefixed "+" (allow), "-" (deny) or "?" (ask).
func policyOf(tb testing.TB, rules ...string) *Policy {
	tb.Helper()
	return policyWith(tb, DefaultSettings(), rules...)
}

func policyWith(tb testing.TB, s Settings, rules ...string) *Policy {
	tb.Helper()
	var parsed []rule.Rule
	for _, text := range rules {
		r, err := rule.Parse(text[1:])
		if err != nil {
			tb.Fatalf("rule %q: %v", text, err)
		}
		r.Effect, r.File, r.Line = rule.Allow, "rules.json", len(parsed)+1
		switch text[0] {
		case '-':
			r.Effect = rule.Deny
		case '?':
			r.Effect = rule.Ask
		}
		parsed = append(parsed, r)
	}
	return New(s, parsed)
}

func newRequest(tool string, input any) Request {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	return Request{Session: "s", Call: "c", Tool: tool, Input: raw, Cwd: "/home/u/proj", Root: "/home/u/proj",
		Trusted: true, HasUI: true, OS: "linux", Home: "/home/u",
		Installation: Installation{AgentDir: "/home/u/.pi/agent", Journal: "/home/u/.pi/agent/pigate/journal.db"}}
}

func bash(command string) Request { return newRequest("bash", map[string]string{"command": command}) }

func edit(path string) Request {
	return newRequest("edit", map[string]any{"path": path, "edits": []any{map[string]string{"oldText": "a", "newText": "b"}}})
}
