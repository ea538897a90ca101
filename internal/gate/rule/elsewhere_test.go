package rule_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/rule"
)

func TestElsewhere(t *testing.T) {
	for text, want := range map[string]string{
		"Bash(npm run test:*)": "shell:npm run test *", "Bash(ls -l)": "shell:ls -l", " Edit(./src/**) ": "edit:src/*", "Write(docs/a b.md)": "edit:docs/a b.md",
		"WebFetch(domain:x)": "", "Read(**)": "",
	} {
		instead, ok := rule.Elsewhere(text)
		if !ok || instead != want {
			t.Errorf("%s is %q, %v, want %q", text, instead, ok, want)
		}
	}
	for _, text := range []string{"shell:echo (x)", "bash(x)", "Bash", "Bash(x) y", "mcp:a"} {
		if instead, ok := rule.Elsewhere(text); ok {
			t.Errorf("%s is taken for %q", text, instead)
		}
	}
	if _, err := rule.Parse("Bash(npm run test:*)"); !errors.Is(err, rule.ErrScope) || !strings.Contains(err.Error(), "write shell:npm run test *") {
		t.Errorf("%v", err)
	}
}
