package glob

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCoversAgreesWithMatching tries every short text against what is said to be
// covered, and of what is not looks at the text that escapes.
func TestCoversAgreesWithMatching(t *testing.T) {
	short := []string{""}
	for from := 0; len(short[from]) < 5; from++ {
		for _, c := range "ab z" {
			short = append(short, short[from]+string(c))
		}
	}
	pattern := rapid.StringOfN(rapid.SampledFrom([]rune(`aab **?`)), 0, 7, -1)
	rapid.Check(t, func(t *rapid.T) {
		p, q := CompileRule(pattern.Draw(t, "p")), CompileRule(pattern.Draw(t, "q"))
		if backwards, found := p.escape(q); found {
			var b strings.Builder
			for _, s := range slices.Backward(backwards) {
				if s == someOther {
					s = 'z'
				}
				b.WriteRune(rune(s))
			}
			if text := b.String(); p.Match(text, false) || !q.Match(text, false) {
				t.Fatalf("%q is said not to cover %q because of %q", p, q, text)
			}
			return
		}
		for _, text := range short {
			if q.Match(text, false) && !p.Match(text, false) {
				t.Fatalf("%q is said to cover %q, but for %q", p, q, text)
			}
		}
	})
}

// TestCoversHoldsForTexts draws long patterns, and texts from the covered one.
func TestCoversHoldsForTexts(t *testing.T) {
	word := rapid.SampledFrom([]string{"git", " ", "*", " *", "?", "é", `\*`, "push", "-", "a", "aa", "aaa*"})
	rapid.Check(t, func(t *rapid.T) {
		p := CompileRule(strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "p"), ""))
		q := CompileRule(strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "q"), ""))
		if !p.Covers(p) {
			t.Fatalf("%q does not cover itself", p)
		}
		var b strings.Builder
		for _, s := range rapid.SampledFrom(q.readings()).Draw(t, "reading") {
			switch s {
			case anyText:
				b.WriteString(rapid.StringOfN(rapid.SampledFrom([]rune("a é*p-")), 0, 4, -1).Draw(t, "star"))
			case anyOne:
				b.WriteRune(rapid.SampledFrom([]rune("aé ")).Draw(t, "one"))
			default:
				b.WriteRune(rune(s))
			}
		}
		text := b.String()
		if !q.Match(text, false) {
			t.Fatalf("%q does not match %q, made from it", q, text)
		}
		if p.Covers(q) && !p.Match(text, false) {
			t.Fatalf("%q covers %q, but does not match %q", p, q, text)
		}
	})
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		p, q string
		want bool
	}{
		{"yarn test*", "yarn test:api*", true},
		{"yarn test:api*", "yarn test*", false},
		{"git *", "git", true},
		{"git", "git *", false},
		{"git *", "git push *", true},
		{"git push *", "git *", false},
		{"*", "anything *", true},
		{"git * main", "git push origin main", true},
		{`ls \*`, "ls *", false},
		{"ls *", `ls \*`, true},
		{"a?c", "abc", true},
		{"a*b*", "a*b", true},
		{"*a*", "*a", true},
		{"*a*a*", "*aa*", true},
		{"*aa*", "*a*a*", false},
		{"**", "*", true},
		{"", "", true},
		{"*", "", true},
		{strings.Repeat("a*", 200), strings.Repeat("a", 400), true},
		{strings.Repeat("*a", 100) + "*", strings.Repeat("*?a", 100) + "*", true},
	} {
		if got := CompileRule(c.p).Covers(CompileRule(c.q)); got != c.want {
			t.Errorf("%q covers %q = %v, want %v", c.p, c.q, got, c.want)
		}
	}
	if (Pattern{}).Covers(Compile("a")) || !(Pattern{}).Covers(Pattern{}) || !Compile("*").Covers(Pattern{}) {
		t.Error("the zero pattern covers the empty text, and nothing else")
	}
}
