package ruletest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/ruletest"
)

func TestParse(t *testing.T) {
	t.Parallel()
	cases, err := ruletest.Parse(strings.NewReader("\ufeff# comment\r\n\nallow  git status # not a comment\r\n" +
		"deny\t@edit  .env\nask @mcp__a__b\npass @read\nask cat <<E\n\t a\n\t\tE\n\nallow ls\n  # of the command\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`3 allow bash "git status # not a comment"`, `4 deny edit ".env"`, `5 ask mcp__a__b ""`, `6 pass read ""`,
		`7 ask bash "cat <<E\na\n\t\tE"`, `11 allow bash "ls\n# of the command"`}
	if len(cases) != len(want) {
		t.Fatalf("%+v", cases)
	}
	for i, c := range cases {
		if got := fmt.Sprintf("%d %s %s %q", c.Line, c.Want, c.Tool, c.Text); got != want[i] {
			t.Errorf("%s, want %s", got, want[i])
		}
	}
	if req := cases[1].Request(policy.Request{Cwd: "/p"}); req.Tool != "edit" || req.Cwd != "/p" || strings.TrimSpace(string(req.Input)) != `{"path":".env"}` {
		t.Errorf("%+v", req)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"allow": "line 1: no command or path", "\nmaybe ls": `line 2: it begins with "maybe"`, "ask @": "no tool after @", "ask @edit": "no command or path",
		"ask @read x": "takes no text", "ask @edit x\n  y": "line 2: only a command", "allow " + strings.Repeat("x", 70_000): "line 1: ",
	} {
		if _, err := ruletest.Parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}
