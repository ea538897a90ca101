package rule_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/rule"
)

func TestFirstWord(t *testing.T) {
	for _, c := range []struct {
		rule, word string
		ok         bool
	}{
		{"shell:Git push *", "Git", true},
		{"shell:git", "git", true},
		{"shell:git*", "", false},
		{"shell:*", "", false},
		{"shell:g?t push", "", false},
		{`shell:\*x y`, "*x", true},
		{"shell:ls *", "ls", true},
		{"shell", "", false},
	} {
		r, err := rule.Parse(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		if word, ok := r.FirstWord(false); ok != c.ok || ok && word != c.word {
			t.Errorf("the first word of %q is %q, %v, want %q, %v", c.rule, word, ok, c.word, c.ok)
		}
		if word, ok := r.FirstWord(true); ok != c.ok || ok && word != strings.ToLower(c.word) {
			t.Errorf("without letter case the first word of %q is %q, %v", c.rule, word, ok)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "   ", ":x", "shell:", "shell:  ", "edit:", "mcp:", "mcp::x", "mcp:srv:"} {
		if _, err := rule.Parse(text); !errors.Is(err, rule.ErrEmpty) {
			t.Errorf("Parse(%q) error = %v, want ErrEmpty", text, err)
		}
	}
}

func TestParseNamesTheMissingScope(t *testing.T) {
	for _, text := range []string{"rm -rf *", "git commit -m a:b"} {
		if _, err := rule.Parse(text); !errors.Is(err, rule.ErrScope) || !strings.Contains(err.Error(), "write shell:"+text) {
			t.Errorf("Parse(%q) error = %v, want one that names shell:%s", text, err, text)
		}
	}
}

func TestIdle(t *testing.T) {
	for text, want := range map[string]string{
		"bash:rm *": "write shell:rm *", "Shell:rm *": "write shell", "write:src/*": "write edit:src/*", "my_tool:x*": "write my_tool",
		"bash": "", "bash:*": "", "my_tool": "", "shell:rm *": "", "mcp:a:b": "", "edit:x": "",
	} {
		r, err := rule.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Idle(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("rule %q is idle: %q, want %q", text, got, want)
		}
	}
}

func TestParseScopes(t *testing.T) {
	tests := []struct {
		text, tool, scope string
		whole             bool
	}{
		{"write", "write", rule.Edit, true},
		{"write", "edit", rule.Edit, false},
		{"edit", "write", rule.Edit, true},
		{"edit", "edit", rule.Edit, true},
		{"shell", "bash", rule.Shell, true},
		{"shell", "powershell", rule.Shell, true},
		{"bash", "powershell", rule.Shell, false},
		{"bash:*", "bash", rule.Shell, true},
		{"bash:ls *", "bash", rule.Shell, false},
		{"mcp", "mcp__a__b", rule.MCP, true},
		{"my_tool", "my_tool", "", true},
		{"my_tool:*", "my_tool", "", true},
		{"my_tool:foo*", "my_tool", "", false},
		{"My_tool", "my_tool", "", false},
		{"my_*", "my_tool", "", false},
		{"shell:*", "bash", rule.Shell, false},
	}
	for _, tt := range tests {
		r, err := rule.Parse(tt.text)
		if err != nil {
			t.Fatalf("Parse(%q): %v", tt.text, err)
		}
		if got := r.WholeTool(tt.tool, tt.scope); got != tt.whole {
			t.Errorf("rule %q covers tool %q whole = %v, want %v", tt.text, tt.tool, got, tt.whole)
		}
	}
}

func TestColonsStay(t *testing.T) {
	r, err := rule.Parse(`shell:git commit -m "a: b"`)
	if err != nil || !r.Pattern.Match(`git commit -m "a: b"`, false) {
		t.Errorf("pattern = %q, error %v: a colon in the pattern must stay", r.Pattern, err)
	}
	r, err = rule.Parse("edit:C:/Users/me/.ssh/*")
	if err != nil || !r.Pattern.Match("C:/Users/me/.ssh/id", false) {
		t.Errorf("pattern = %q, error %v: a drive letter must stay", r.Pattern, err)
	}
}

func TestEditPatternSeparators(t *testing.T) {
	for _, text := range []string{`edit:docs\a.md`, "edit:./docs/a.md", "edit:docs/a.md"} {
		r, err := rule.Parse(text)
		if err != nil || !r.Pattern.Match("docs/a.md", false) {
			t.Errorf("rule %q does not match docs/a.md (error %v)", text, err)
		}
	}
}

func TestMatchMCP(t *testing.T) {
	tests := []struct {
		text, name string
		want       bool
	}{
		{"mcp:docs-mcp-server", "mcp__docs_mcp_server__fetch_url", true},
		{"mcp:docs_mcp_server:*", "mcp__docs_mcp_server__fetch_url", true},
		{"mcp:docs-mcp-server:fetch-url", "mcp__docs_mcp_server__fetch_url", true},
		{"mcp:docs-*", "mcp__docs_mcp_server__fetch_url", true},
		{"mcp:docs-*", "mcp__other__fetch_url", false},
		{"mcp:srv:delete.all", "mcp__srv__delete_all", true},
		{"mcp:*:read_*", "mcp__a__read_x", true},
		{"mcp:*:read_*", "mcp__a__write_x", false},
		{"mcp:github:search_*", "mcp__github__create", false},
		{"mcp", "mcp__a__b", true},
		{"mcp:a:b__c", "mcp__a__b__c", true},
		{`mcp:a:b\*`, "mcp__a__bx", false},
		{`mcp:a:b\*`, "mcp__a__b_", true},
		{"shell:a", "mcp__shell__a", false},
	}
	for _, tt := range tests {
		r, err := rule.Parse(tt.text)
		if err != nil {
			t.Fatalf("Parse(%q): %v", tt.text, err)
		}
		server, tool, ok := rule.SplitMCP(tt.name)
		if !ok {
			t.Fatalf("SplitMCP(%q) found no MCP tool", tt.name)
		}
		if got := r.MatchMCP(server, tool, false); got != tt.want {
			t.Errorf("rule %q matches %q = %v, want %v", tt.text, tt.name, got, tt.want)
		}
	}
	for _, name := range []string{"mcp", "mcp__a", "mcp____b", "mcp__a__", "xmcp__a__b", "read"} {
		if _, _, ok := rule.SplitMCP(name); ok {
			t.Errorf("SplitMCP(%q) took it for an MCP tool", name)
		}
	}
}
