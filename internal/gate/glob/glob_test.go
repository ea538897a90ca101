package glob_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/glob"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"", "x", false}, {"*", "", true}, {"*", "anything", true}, {"**", "a\nb/c", true},
		{"ls*", "lsof", true}, {"ls", "ls -l", false}, {"ls", "als", false}, {"echo *", "echo a/b\nc", true},
		{"a*b*c", "aXbYc", true}, {"a*b*c", "aXcYb", false}, {"a*bc", "abcbc", true}, {"*ab", "aab", true}, {"a*", "ba", false},
		{"*a*b*", "xxaxxbxx", true}, {"*a*b*", "xxbxxaxx", false}, {"*ab?d*", "xxabcdxx", true},
		{"ab*ba", "aba", false}, // the ends must not share a character
		{"[a]", "[a]", true}, {"[a]", "a", false},
		// A question mark is one character, however many bytes it has.
		{"a?c", "abc", true}, {"a?c", "ac", false}, {"?", "", false}, {"?", "é", true}, {"??", "é", false}, {"a?c", "aéc", true}, {"*??", "é", false},
		{"*?.go", "a.go", true}, {"*?.go", ".go", false}, {"é?*??", "éé日", false}, {"é?*??", "éé日b", true},
		// A byte that is no UTF-8 is one, and equal to itself alone.
		{"?", "\x80", true}, {"?", "\x80\x80", false}, {"??", "\x80é", true}, {"\xff", "\xff", true}, {"\xff", "\xfe", false}, {"\xff", "\ufffd", false},
		// A backslash escapes a wildcard or a backslash, and stands for itself otherwise.
		{`\*`, "*", true}, {`\*`, "x", false}, {`a\?*`, "a?bc", true}, {`*\?`, "whats", false}, {`a\\b`, `a\b`, true}, {`a\\*`, `a\x`, true},
		{`a\b`, `a\b`, true}, {`a\b`, "ab", false}, {`a\`, `a\`, true}, {`C:\Users*`, `C:\Users\me`, true}, {`\\`, `\`, true}, {`\\`, `\\`, false},
		// Outside rules a blank before the star is a blank.
		{"git pull *", "git pull ", true}, {"git pull *", "git pull", false},
	} {
		if got := glob.Match(c.pattern, c.text); got != c.want {
			t.Errorf("%q matches %q = %v, want %v", c.pattern, c.text, got, c.want)
		}
		if got := glob.Compile(c.pattern).Match(c.text, false); got != c.want {
			t.Errorf("%q, compiled, matches %q = %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
}

func TestRuleMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		fold, want    bool
	}{
		{"git pull *", "git pull", false, true},
		{"git pull *", "git pull origin main", false, true},
		{"git pull *", "git pullx", false, false},
		{"git pull *", "xgit pull", false, false},
		{"ls *", "lsof", false, false},
		{"* *", "x", false, true},
		{"git ? *", "git x", false, true},
		{"git ? *", "git xy", false, false},
		{`git \*`, "git", false, false},
		{"GIT *", "git push", true, true},
		{"git *", "GIT PUSH", true, true},
		{"git *", "GIT", true, true},
		{"git *", "GIT PUSH", false, false},
	} {
		if got := glob.CompileRule(c.pattern).Match(c.text, c.fold); got != c.want {
			t.Errorf("%q matches %q (without letter case %v) = %v, want %v", c.pattern, c.text, c.fold, got, c.want)
		}
	}
	var zero glob.Pattern
	if !zero.Match("", false) || zero.Match("x", false) || zero.Wild() {
		t.Error("the zero pattern matches the empty text alone")
	}
}

func TestLiterals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, prefix, longest, sample string
		literal                          bool
	}{
		{"", "", "", "", true},
		{"git push *", "git push ", "git push", "git push S", false},
		{"git * main", "git ", " main", "git S main", false},
		{`a\*b?longer`, "a*b", "longer", "a*bOlonger", false},
		{`ls \*`, "ls *", "ls *", "ls *", true},
		{`C:\a`, `C:\a`, `C:\a`, `C:\a`, true},
		{"?*", "", "", "OS", false},
		{"a? *", "a", "a", "aO S", false},
	} {
		p := glob.CompileRule(c.pattern)
		if got := p.LiteralPrefix(); got != c.prefix {
			t.Errorf("%q begins with %q, want %q", c.pattern, got, c.prefix)
		}
		if got := p.LongestLiteral(); got != c.longest {
			t.Errorf("the longest literal of %q is %q, want %q", c.pattern, got, c.longest)
		}
		if got := p.Sample("S", "O"); got != c.sample {
			t.Errorf("a sample of %q is %q, want %q", c.pattern, got, c.sample)
		}
		if text, ok := p.Literal(); ok != c.literal || ok && text != c.prefix || p.Wild() == c.literal {
			t.Errorf("%q is literal: %q, %v, want %v", c.pattern, text, ok, c.literal)
		}
	}
}

// text draws patterns and texts in which what the language treats apart is
// frequent.
var text = rapid.StringOfN(rapid.SampledFrom([]rune(`ab **??\\é日/-`)), 0, 8, -1)

// broken draws texts that may not be UTF-8.
var broken = rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "é", "\x80", "\xff", "*", "?", `\`, " "}), 0, 8), func(parts []string) string {
	return strings.Join(parts, "")
})

// naive is a second judge: the textbook recursion.
func naive(pattern []token, text []rune) bool {
	if len(pattern) == 0 {
		return len(text) == 0
	}
	switch first := pattern[0]; {
	case first == anyText:
		return naive(pattern[1:], text) || len(text) > 0 && naive(pattern, text[1:])
	case len(text) == 0:
		return false
	case first == anyOne, first == token(text[0]):
		return naive(pattern[1:], text[1:])
	}
	return false
}

// token is a character, or a wildcard.
type token rune

const (
	anyOne  token = -1
	anyText token = -2
)

func tokens(source string) (list []token) {
	runes := []rune(source)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r == '*':
			list = append(list, anyText)
		case r == '?':
			list = append(list, anyOne)
		case r == '\\' && i+1 < len(runes) && slices.Contains([]rune(`*?\`), runes[i+1]):
			i++
			list = append(list, token(runes[i]))
		default:
			list = append(list, token(r))
		}
	}
	return list
}

func TestMatchAgreesWithNaive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source, text := text.Draw(t, "pattern"), text.Draw(t, "text")
		if rapid.Bool().Draw(t, "made from the pattern") {
			text = glob.Compile(source).Sample(rapid.SampledFrom([]string{"", "a", "é*", " "}).Draw(t, "star"), "日")
		}
		pattern := tokens(source)
		want := naive(pattern, []rune(text))
		if got := glob.Match(source, text); got != want {
			t.Fatalf("pattern %q matches %q = %v, the naive matcher says %v", source, text, got, want)
		}
		if n := len(pattern); !want && n >= 2 && pattern[n-1] == anyText && pattern[n-2] == ' ' {
			want = naive(pattern[:n-2], []rune(text))
		}
		if got := glob.CompileRule(source).Match(text, false); got != want {
			t.Fatalf("rule %q matches %q = %v, the naive matcher says %v", source, text, got, want)
		}
	})
}

func TestEscapeMatchesItselfOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, other := broken.Draw(t, "text"), broken.Draw(t, "other")
		p := glob.CompileRule(glob.Escape(text))
		if literal, ok := p.Literal(); !ok || literal != text || !p.Match(text, false) {
			t.Fatalf("Escape(%q) = %q does not match its text", text, p)
		}
		if other != text && p.Match(other, false) {
			t.Fatalf("Escape(%q) = %q matches %q", text, p, other)
		}
		for _, star := range []string{"", "x", `\`} {
			if joined := glob.Escape(text) + "*" + glob.Escape(other); !glob.Match(joined, text+star+other) {
				t.Fatalf("%q does not match %q", joined, text+star+other)
			}
		}
	})
}

// TestSampleMatches holds the contracts of what a pattern says of its texts.
func TestSampleMatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := glob.CompileRule(broken.Draw(t, "pattern"))
		sample := p.Sample(broken.Draw(t, "star"), rapid.SampledFrom([]string{"a", "é", "\x80"}).Draw(t, "one"))
		if utf8.ValidString(sample) && !p.Match(sample, false) {
			t.Fatalf("%q does not match its sample %q", p, sample)
		}
		for _, text := range []string{sample, strings.TrimSuffix(sample, " ")} {
			if p.Match(text, false) && !strings.Contains(text, p.LongestLiteral()) {
				t.Fatalf("%q matches %q, which does not contain %q", p, text, p.LongestLiteral())
			}
		}
		if !strings.HasPrefix(sample, p.LiteralPrefix()) {
			t.Fatalf("%q does not begin with %q", sample, p.LiteralPrefix())
		}
	})
}

// TestNextReadsAll puts the characters of a pattern together again.
func TestNextReadsAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := broken.Draw(t, "pattern")
		var b strings.Builder
		for rest := source; rest != ""; {
			char, wild, after := glob.Next(rest)
			if !strings.HasSuffix(rest, after) || len(after) >= len(rest) || len(char) == 0 {
				t.Fatalf("of %q, %q is read and %q is left", rest, char, after)
			}
			if !wild {
				char = glob.Escape(char)
			}
			b.WriteString(char)
			rest = after
		}
		for _, text := range []string{broken.Draw(t, "text"), glob.Compile(source).Sample("x", "y")} {
			if glob.Match(source, text) != glob.Match(b.String(), text) {
				t.Fatalf("%q and %q differ on %q", source, b.String(), text)
			}
		}
	})
}
