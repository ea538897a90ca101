// Package glob is the one wildcard language of pigate: rules, deny rules, the
// names of guarded options and the filters on the journal are written in it.
//
//   - any text, also none; newlines and slashes are text
//     ?            one character; a byte that is no UTF-8 is one
//     \*  \?  \\   the character itself
//
// Any other backslash stands for itself. A pattern matches a whole text, never
// a part of it. In a rule, which is about a command with arguments, a " *" at
// the end is optional: `git pull *` matches `git pull`.
package glob

import (
	"strings"
	"unicode/utf8"
)

// Pattern is a compiled pattern. The zero Pattern matches only the empty text.
type Pattern struct {
	source   string
	exact    pieces
	fold     pieces // the same, in lower case
	optional bool   // the " *" at the end may be missing
}

// Compile reads a pattern. Every text is one.
func Compile(source string) Pattern {
	return Pattern{source: source, exact: split(source), fold: split(strings.ToLower(source))}
}

// CompileRule reads a pattern as rules and filters have it: as Compile does, and
// a " *" at its end is optional.
func CompileRule(source string) Pattern {
	p := Compile(source)
	p.optional = p.exact.endsInBlankStar()
	return p
}

// Match reports whether pattern, read as Compile does, matches text.
func Match(pattern, text string) bool { return split(pattern).match(text) }

// Next takes the first character off source, which must not be empty: char is
// `*` or `?` with wild set, or the character that is meant, without a backslash
// that escapes it.
func Next(source string) (char string, wild bool, rest string) {
	switch c := source[0]; {
	case c == '*' || c == '?':
		return source[:1], true, source[1:]
	case c == '\\' && len(source) > 1 && special(source[1]):
		return source[1:2], false, source[2:]
	case c < utf8.RuneSelf:
		return source[:1], false, source[1:]
	}
	_, size := utf8.DecodeRuneInString(source)
	return source[:size], false, source[size:]
}

// special reports the characters that a backslash escapes.
func special(c byte) bool { return c == '*' || c == '?' || c == '\\' }

// Escape writes text as a pattern that matches it alone. What Escape returned
// can be put together with other patterns: no part changes what the next one
// means.
func Escape(text string) string {
	if !strings.ContainsAny(text, `*?\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '*' || c == '?' || c == '\\' && (i+1 == len(text) || special(text[i+1])) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.source }

// Wild reports whether the pattern has a wildcard.
func (p Pattern) Wild() bool { return p.exact.wild() }

// Literal returns the one text that a pattern without wildcards matches; ok is
// false when it has any.
func (p Pattern) Literal() (text string, ok bool) {
	if p.Wild() {
		return "", false
	}
	return p.LiteralPrefix(), true
}

// LiteralPrefix returns the literal text before the first wildcard: `git push `
// of `git push *`.
func (p Pattern) LiteralPrefix() string {
	if len(p.exact) == 0 {
		return ""
	}
	first := p.exact[0]
	for i := range first.anyChar {
		if first.anyChar[i] {
			return first.text[:i]
		}
	}
	return first.text
}

// LongestLiteral returns the longest literal text that every match contains.
func (p Pattern) LongestLiteral() (longest string) {
	for i, q := range p.exact {
		text := q.text
		if p.optional && i == len(p.exact)-2 {
			text = text[:len(text)-1]
		}
		for _, run := range q.runs(text) {
			if len(run) > len(longest) {
				longest = run
			}
		}
	}
	return longest
}

// Sample returns a text that the pattern matches: star in place of each `*`, and
// one, a single character, in place of each `?`.
func (p Pattern) Sample(star, one string) string {
	var b strings.Builder
	for i, q := range p.exact {
		if i > 0 {
			b.WriteString(star)
		}
		b.WriteString(strings.Join(q.runs(q.text), one))
	}
	return b.String()
}

// Match reports whether the pattern matches text; with fold, letter case does
// not count. It takes time proportional to the length of text times the number
// of stars, and allocates only when fold meets upper-case letters.
func (p Pattern) Match(text string, fold bool) bool {
	q := p.exact
	if fold {
		q, text = p.fold, strings.ToLower(text)
	}
	if q.match(text) {
		return true
	}
	if !p.optional {
		return false
	}
	// The bare text: "git pull" for `git pull *`.
	if first := q[0]; len(q) == 2 && first.anyChar == nil {
		return text == first.text[:len(first.text)-1]
	}
	return q.match(text + " ")
}
