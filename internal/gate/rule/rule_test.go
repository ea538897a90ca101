package rule

import (
	"errors"
	"strings"
	"testing"
)

func TestPatternMatch(t *testing.T) {
	tests := []struct {
		pattern, text string
		syntax        Syntax
		fold          bool
		want          bool
	}{
		{"git pull *", "git pull", Escapes, false, true},
		{"git pull *", "git pull origin main", Escapes, false, true},
		{"git pull *", "git pullx", Escapes, false, false},
		{"git pull *", "xgit pull", Escapes, false, false},
		{"ls *", "lsof", Escapes, false, false},
		{"ls*", "lsof", Escapes, false, true},
		{"ls", "ls -l", Escapes, false, false},
		{"echo *", "echo a/b\nc", Escapes, false, true},
		{"*", "", Escapes, false, true},
		{"*", "anything", Escapes, false, true},
		{"", "", Escapes, false, true},
		{"", "x", Escapes, false, false},
		{"a?c", "abc", Escapes, false, true},
		{"a?c", "ac", Escapes, false, false},
		{"a?c", "aéc", Escapes, false, true},
		{"a??", "aé", Escapes, false, false},
		{"*?.go", "a.go", Plain, false, true},
		{"*?.go", ".go", Plain, false, false},
		{"a*b*c", "aXbYc", Escapes, false, true},
		{"a*b*c", "aXcYb", Escapes, false, false},
		{"a*bc", "abcbc", Escapes, false, true},
		{"*ab?d*", "xxabcdxx", Escapes, false, true},
		{"ab*ba", "aba", Escapes, false, false}, // the ends must not share a character
		{`ls \*.go`, "ls *.go", Escapes, false, true},
		{`ls \*.go`, "ls a.go", Escapes, false, false},
		{`a\?`, "a?", Escapes, false, true},
		{`a\?`, "ab", Escapes, false, false},
		{`a\\b`, `a\b`, Escapes, false, true},
		{`a\\*`, `a\x`, Escapes, false, true},
		{`a\b`, `a\b`, Escapes, false, true},
		{`a\`, `a\`, Escapes, false, true},
		{`a\*`, `a\b`, Plain, false, true},
		{"GIT *", "git push", Escapes, true, true},
		{"git *", "GIT PUSH", Escapes, true, true},
		{"git *", "GIT PUSH", Escapes, false, false},
		{"git ? *", "git x", Escapes, false, true},
	}
	for _, tt := range tests {
		p := Compile(tt.pattern, tt.syntax)
		if got := p.Match(tt.text, tt.fold); got != tt.want {
			t.Errorf("Compile(%q, %d).Match(%q, fold=%v) = %v, want %v", tt.pattern, tt.syntax, tt.text, tt.fold, got, tt.want)
		}
	}
}

func TestFirstWord(t *testing.T) {
	tests := []struct {
		pattern, word string
		ok            bool
	}{
		{"git push *", "git", true},
		{"git", "git", true},
		{"git*", "", false},
		{"*", "", false},
		{"g?t push", "", false},
		{`\*x y`, "*x", true},
		{"ls *", "ls", true},
	}
	for _, tt := range tests {
		word, ok := Compile(tt.pattern, Escapes).FirstWord(false)
		if ok != tt.ok || (ok && word != tt.word) {
			t.Errorf("FirstWord of %q = %q, %v, want %q, %v", tt.pattern, word, ok, tt.word, tt.ok)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "   ", ":x", "shell:", "shell:  ", "edit:", "mcp:", "mcp::x", "mcp:srv:"} {
		if _, err := Parse(text); !errors.Is(err, ErrEmpty) {
			t.Errorf("Parse(%q) error = %v, want ErrEmpty", text, err)
		}
	}
}

func TestParseNamesTheMissingScope(t *testing.T) {
	for _, text := range []string{"rm -rf *", "git commit -m a:b"} {
		if _, err := Parse(text); !errors.Is(err, ErrScope) || !strings.Contains(err.Error(), "write shell:"+text) {
			t.Errorf("Parse(%q) error = %v, want one that names shell:%s", text, err, text)
		}
	}
}

func TestIdle(t *testing.T) {
	for text, want := range map[string]string{
		"bash:rm *": "write shell:rm *", "Shell:rm *": "write shell", "write:src/*": "write edit:src/*", "my_tool:x*": "write my_tool",
		"bash": "", "bash:*": "", "my_tool": "", "shell:rm *": "", "mcp:a:b": "", "edit:x": "",
	} {
		r, err := Parse(text)
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
		{"write", "write", Edit, true},
		{"write", "edit", Edit, false},
		{"edit", "write", Edit, true},
		{"edit", "edit", Edit, true},
		{"shell", "bash", Shell, true},
		{"shell", "powershell", Shell, true},
		{"bash", "powershell", Shell, false},
		{"bash:*", "bash", Shell, true},
		{"bash:ls *", "bash", Shell, false},
		{"mcp", "mcp__a__b", MCP, true},
		{"my_tool", "my_tool", "", true},
		{"my_tool:*", "my_tool", "", true},
		{"my_tool:foo*", "my_tool", "", false},
		{"My_tool", "my_tool", "", false},
		{"my_*", "my_tool", "", false},
		{"shell:*", "bash", Shell, false},
	}
	for _, tt := range tests {
		r, err := Parse(tt.text)
		if err != nil {
			t.Fatalf("Parse(%q): %v", tt.text, err)
		}
		if got := r.WholeTool(tt.tool, tt.scope); got != tt.whole {
			t.Errorf("rule %q covers tool %q whole = %v, want %v", tt.text, tt.tool, got, tt.whole)
		}
	}
}

func TestColonsStay(t *testing.T) {
	r, err := Parse(`shell:git commit -m "a: b"`)
	if err != nil || !r.Pattern.Match(`git commit -m "a: b"`, false) {
		t.Errorf("pattern = %q, error %v: a colon in the pattern must stay", r.Pattern, err)
	}
	r, err = Parse("edit:C:/Users/me/.ssh/*")
	if err != nil || !r.Pattern.Match("C:/Users/me/.ssh/id", false) {
		t.Errorf("pattern = %q, error %v: a drive letter must stay", r.Pattern, err)
	}
}

func TestEditPatternSeparators(t *testing.T) {
	for _, text := range []string{`edit:docs\a.md`, "edit:./docs/a.md", "edit:docs/a.md"} {
		r, err := Parse(text)
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
		r, err := Parse(tt.text)
		if err != nil {
			t.Fatalf("Parse(%q): %v", tt.text, err)
		}
		server, tool, ok := SplitMCP(tt.name)
		if !ok {
			t.Fatalf("SplitMCP(%q) found no MCP tool", tt.name)
		}
		if got := r.MatchMCP(server, tool, false); got != tt.want {
			t.Errorf("rule %q matches %q = %v, want %v", tt.text, tt.name, got, tt.want)
		}
	}
	for _, name := range []string{"mcp", "mcp__a", "mcp____b", "mcp__a__", "xmcp__a__b", "read"} {
		if _, _, ok := SplitMCP(name); ok {
			t.Errorf("SplitMCP(%q) took it for an MCP tool", name)
		}
	}
}

// naive is a second judge for patterns: the textbook recursion.
func naive(pattern []rune, literal []bool, text []rune) bool {
	if len(pattern) == 0 {
		return len(text) == 0
	}
	switch {
	case pattern[0] == '*' && !literal[0]:
		for i := 0; i <= len(text); i++ {
			if naive(pattern[1:], literal[1:], text[i:]) {
				return true
			}
		}
		return false
	case len(text) == 0:
		return false
	case pattern[0] == '?' && !literal[0], pattern[0] == text[0]:
		return naive(pattern[1:], literal[1:], text[1:])
	}
	return false
}

func unescape(source string) (pattern []rune, literal []bool) {
	runes := []rune(source)
	for i := 0; i < len(runes); i++ {
		if runes[i] == '\\' && i+1 < len(runes) && (runes[i+1] == '*' || runes[i+1] == '?' || runes[i+1] == '\\') {
			i++
			pattern, literal = append(pattern, runes[i]), append(literal, true)
			continue
		}
		pattern, literal = append(pattern, runes[i]), append(literal, false)
	}
	return pattern, literal
}
