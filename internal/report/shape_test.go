package report_test

import (
	"encoding/json"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report"
)

func TestShape(t *testing.T) {
	t.Parallel()
	none := policy.New(policy.DefaultSettings(), nil)
	for _, c := range []struct{ tool, input, whole, asks string }{
		{"bash", `{"command":"git add . && git push -f && git push"}`, "git add + git push", "git add + git push"},
		{"bash", `{"command":"A=1; $X; ls > f"}`, "(assignment) + (opaque) + ls", "(redirection) + (opaque) + (assignment) + ls"},
		{"bash", `{"command":"a;b;c;d;e"}`, "a + b + c + d + …", "a + b + c + d + …"},
		{"bash", `{"command":"echo '"}`, "echo", "(unparsed)"},
		{"bash", `{"command":""}`, "bash", "(no-resource)"},
		{"bash", `{}`, "bash", "bash"},
		{"edit", `{"path":"src/a/b.go"}`, "edit src/a/*.go", "edit src/a/*.go"},
		{"write", `{"path":".env.local"}`, "write .env.local", "write .env.local"},
		{"write", `{"path":"Makefile"}`, "write Makefile", "write Makefile"},
		{"mcp__github__create_issue", `{}`, "mcp github:create_issue", "mcp github:create_issue"},
		{"my_tool", `{}`, "my_tool", "my_tool"},
	} {
		call := policy.Derive(policy.Request{Tool: c.tool, Input: json.RawMessage(c.input), Cwd: "/p", Root: "/p", OS: "linux"})
		if got := report.Shape(call, nil); got != c.whole {
			t.Errorf("%s: %q, want %q", c.input, got, c.whole)
		}
		if got := report.Shape(call, policy.Evaluate(none, call, nil).Reasons); got != c.asks {
			t.Errorf("what asks of %s: %q, want %q", c.input, got, c.asks)
		}
	}
}
