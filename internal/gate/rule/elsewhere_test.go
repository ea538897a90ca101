package rule

import (
	"errors"
	"strings"
	"testing"
)

func TestElsewhere(t *testing.T) {
	for text, want := range map[string]string{
		"Bash(npm run test:*)": "shell:npm run test *", "Bash(ls -l)": "shell:ls -l", " Edit(./src/**) ": "edit:src/*", "Write(docs/a b.md)": "edit:docs/a b.md",
		"WebFetch(domain:x)": "", "Read(**)": "",
	} {
		instead, ok := Elsewhere(text)
		if !ok || instead != want {
			t.Errorf("%s is %q, %v, want %q", text, instead, ok, want)
		}
	}
	for _, text := range []string{"shell:echo (x)", "bash(x)", "Bash", "Bash(x) y", "mcp:a"} {
		if instead, ok := Elsewhere(text); ok {
			t.Errorf("%s is taken for %q", text, instead)
		}
	}
	if _, err := Parse("Bash(npm run test:*)"); !errors.Is(err, ErrScope) || !strings.Contains(err.Error(), "write shell:npm run test *") {
		t.Errorf("%v", err)
	}
}
