package rule

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

var alphabet = rapid.StringOfN(rapid.SampledFrom([]rune(`ab *?\é/:-`)), 0, 10, -1)

func TestMatchAgreesWithNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source, text := alphabet.Draw(t, "pattern"), alphabet.Draw(t, "text")
		pattern, literal := unescape(source)
		want := naive(pattern, literal, []rune(text))
		if n := len(pattern); !want && n >= 2 && pattern[n-1] == '*' && !literal[n-1] && pattern[n-2] == ' ' {
			want = naive(pattern[:n-2], literal[:n-2], []rune(text))
		}
		if got := Compile(source, Escapes).Match(text, false); got != want {
			t.Fatalf("pattern %q matches %q = %v, the naive matcher says %v", source, text, got, want)
		}
	})
}

func TestEscapeMatchesItselfOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, other := alphabet.Draw(t, "text"), alphabet.Draw(t, "other")
		p := Compile(Escape(text), Escapes)
		if !p.Match(text, false) {
			t.Fatalf("Escape(%q) = %q does not match its text", text, Escape(text))
		}
		if p.Wild() {
			t.Fatalf("Escape(%q) = %q holds a wildcard", text, Escape(text))
		}
		if other != text && p.Match(other, false) {
			t.Fatalf("Escape(%q) = %q matches %q", text, Escape(text), other)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"shell:git *", "edit:docs/*", `edit:a\b`, "mcp:a:b", "mcp", "write", "x:*", ":", "shell:", `shell:ls \*`, "mcp:a:b:c"} {
		f.Add(seed, "git push")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		r, err := Parse(source)
		if err != nil {
			return
		}
		if r.Text != strings.TrimSpace(source) {
			t.Errorf("Parse(%q) keeps the text %q", source, r.Text)
		}
		again, err := Parse(r.Text)
		if err != nil || again.Scope != r.Scope || again.Whole != r.Whole || again.Pattern.String() != r.Pattern.String() {
			t.Errorf("Parse(%q) does not read its own text again: %+v, %v", source, again, err)
		}
		exact := r.Pattern.Match(text, false)
		if utf8.ValidString(text) && exact && strings.ToLower(text) == text && strings.ToLower(source) == source && !r.Pattern.Match(text, true) {
			t.Errorf("%q matches %q, but not without letter case", source, text)
		}
	})
}
