package shelltest

import (
	"regexp"
	"slices"
	"strings"
)

// atom is a word or one byte of anything else.
var atom = regexp.MustCompile(`[A-Za-z]+|(?s:.)`)

var name = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*|[0-9]+`)

// simpler are the ways to write the same in fewer forms.
var simpler = []struct {
	form *regexp.Regexp
	text string
}{
	{regexp.MustCompile("`" + Marker + "`"), "$$(" + Marker + ")"},
	{regexp.MustCompile(`>\(` + Marker), "<(" + Marker},
	{regexp.MustCompile(`\$'\\x7aap'|\$?'` + Marker + `'|\$?"` + Marker + `"|\\` + Marker + `|z\\ap|z''ap|z(a?)\\\np`), Marker},
	{regexp.MustCompile(`\b` + Marker + `\s*(>f|<f|&|;)`), Marker},
	{regexp.MustCompile(`\$'`), "'"},
	{regexp.MustCompile(`\$"`), `"`},
	{regexp.MustCompile(`\$\{[A-Zv-z0-9#?@*!-]+(\[.\])?`), "$${x"},
	{regexp.MustCompile(`[\t\r\v\f]|\x{a0}|\x{2028}|\x{3000}`), " "},
	{regexp.MustCompile(`\b[a-z]+\b`), "echo"},
	{regexp.MustCompile(`^"" *`), "echo "},
}

// Shrink returns a simpler text of which holds is still true, as holds is of
// text: it leaves out ever smaller runs of tokens and of bytes, then pairs of
// quotes or brackets, and writes what is left in simpler forms, until nothing
// more can be done. Words stay whole, so that the programs of the line can
// still be read.
func Shrink(text string, holds func(string) bool) string {
	for range 6 {
		before := text
		text = shrunk(tokens(text), holds)
		text = shrunk(atom.FindAllString(text, -1), holds)
		text = unpaired(atom.FindAllString(text, -1), holds)
		for _, s := range simpler {
			text = rewritten(text, s.form, s.text, holds)
		}
		if text == before {
			break
		}
	}
	return text
}

// unpaired leaves out two atoms at a time that open and close something.
func unpaired(parts []string, holds func(string) bool) string {
	const openers, closers = "'\"`({[", "'\"`)}]"
	for i := 0; i < len(parts) && len(parts) < 60; i++ {
		kind := strings.Index(openers, parts[i])
		for j := i + 1; j < len(parts) && kind >= 0; j++ {
			if parts[j] != closers[kind:kind+1] {
				continue
			}
			rest := slices.Concat(parts[:i], parts[i+1:j], parts[j+1:])
			if holds(strings.Join(rest, "")) {
				parts = rest
				i--
				break
			}
		}
	}
	return strings.Join(parts, "")
}

// rewritten puts text in the place of each form that can do without.
func rewritten(text string, form *regexp.Regexp, to string, holds func(string) bool) string {
	for from := 0; from <= len(text); {
		at := form.FindStringIndex(text[from:])
		if at == nil {
			break
		}
		start, end := from+at[0], from+at[1]
		put := form.ReplaceAllString(text[start:end], to)
		if next := text[:start] + put + text[end:]; text[start:end] != put && holds(next) {
			text, end = next, start+len(put)
		}
		from = max(end, start+1)
	}
	return text
}

func shrunk(parts []string, holds func(string) bool) string {
	for size := (len(parts) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(parts); {
			rest := slices.Concat(parts[:at], parts[at+size:])
			if holds(strings.Join(rest, "")) {
				parts = rest
			} else {
				at += size
			}
		}
	}
	return strings.Join(parts, "")
}

// Shape is the text with every name but the marker made the same, by which
// command lines that differ in nothing else can be grouped.
func Shape(text string) string {
	return name.ReplaceAllStringFunc(text, func(s string) string {
		if s == Marker {
			return s
		}
		return "w"
	})
}
