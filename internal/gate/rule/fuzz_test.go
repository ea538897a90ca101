package rule_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/rule"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"shell:git *", "edit:docs/*", `edit:a\b`, "mcp:a:b", "mcp", "write", "x:*", ":", "shell:", `shell:ls \*`, "mcp:a:b:c"} {
		f.Add(seed, "git push")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		r, err := rule.Parse(source)
		if err != nil {
			return
		}
		if r.Text != strings.TrimSpace(source) {
			t.Errorf("Parse(%q) keeps the text %q", source, r.Text)
		}
		again, err := rule.Parse(r.Text)
		if err != nil || again.Scope != r.Scope || again.Whole != r.Whole || again.Pattern.String() != r.Pattern.String() {
			t.Errorf("Parse(%q) does not read its own text again: %+v, %v", source, again, err)
		}
		exact := r.Pattern.Match(text, false)
		if utf8.ValidString(text) && exact && strings.ToLower(text) == text && strings.ToLower(source) == source && !r.Pattern.Match(text, true) {
			t.Errorf("%q matches %q, but not without letter case", source, text)
		}
	})
}
