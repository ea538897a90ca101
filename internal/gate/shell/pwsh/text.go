package pwsh

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// The characters that PowerShell takes for blanks, dashes and quotes
// (CharTraits.cs; chapter 2.2 and 2.3.5 of the language specification).

// blankLength is the length of the blank at the start of text, 0 if there is none.
// The ends of lines are no blanks.
func blankLength(text string) int {
	if text == "" {
		return 0
	}
	switch c := text[0]; {
	case c == ' ' || c == '\t' || c == '\v' || c == '\f':
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if c, n := utf8.DecodeRuneInString(text); c == '\u0085' || c == '\u00a0' || unicode.Is(unicode.Z, c) {
		return n
	}
	return 0
}

// dashLength is the length of the dash at the start of text.
func dashLength(text string) int { return prefixLength(text, "-", "\u2013", "\u2014", "\u2015") }

// singleQuote is the length of the quote at the start of text.
func singleQuote(text string) int {
	return prefixLength(text, "'", "\u2018", "\u2019", "\u201a", "\u201b")
}

func doubleQuote(text string) int {
	return prefixLength(text, "\"", "\u201c", "\u201d", "\u201e")
}

func prefixLength(text string, all ...string) int {
	for _, one := range all {
		if strings.HasPrefix(text, one) {
			return len(one)
		}
	}
	return 0
}

// WithDashes writes all dashes as the plain one.
func WithDashes(text string) string {
	if !strings.Contains(text, "\u2013"[:2]) {
		return text
	}
	return plainDashes.Replace(text)
}

var plainDashes = strings.NewReplacer("\u2013", "-", "\u2014", "-", "\u2015", "-")

// lettersLength is the length of the letters, digits and underscores at the start
// of text.
func lettersLength(text string) int {
	n := 0
	for n < len(text) && argv.IsNameByte(text[n]) {
		n++
	}
	return n
}

// numberLength is the length of the number at the start of text, 0 if what stands
// there is a longer word (chapter 2.3.5.1).
func numberLength(text string) int {
	n, hex := 0, strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X")
	if hex {
		n = 2
	}
	digits := n
	for dot := false; n < len(text); n++ {
		c := text[n]
		if c == '.' && !hex && !dot && n > 0 && n+1 < len(text) && '0' <= text[n+1] && text[n+1] <= '9' {
			dot = true
			continue
		}
		if (c < '0' || c > '9') && !(hex && (c|0x20 >= 'a' && c|0x20 <= 'f')) {
			break
		}
	}
	if n == digits {
		return 0
	}
	end := n + lettersLength(text[n:])
	if suffix := strings.ToLower(text[n:end]); suffix != "" && !argv.HasField("l d u kb mb gb tb pb", suffix) {
		return 0
	}
	return end
}

// plainNumber reports a number that is written as PowerShell writes it.
func plainNumber(text string) bool {
	return text != "" && len(text) < 10 && strings.Trim(text, "0123456789") == "" && (len(text) == 1 || text[0] != '0')
}

// single reads a string in single quotes, in which a doubled quote stands for
// one.
func (r *reader) single() string {
	var b strings.Builder
	r.at += singleQuote(r.text[r.at:])
	for r.at < len(r.text) {
		n := singleQuote(r.text[r.at:])
		if n == 0 {
			b.WriteByte(r.text[r.at])
			r.at++
			continue
		}
		r.at += n
		if n = singleQuote(r.text[r.at:]); n == 0 {
			return b.String()
		}
		b.WriteString(r.text[r.at : r.at+n])
		r.at += n
	}
	r.fail("a quote is not closed")
	return ""
}

// double reads a string in double quotes into w.
func (r *reader) double(w *psWord, p Path) {
	r.at += doubleQuote(r.text[r.at:])
	for r.at < len(r.text) {
		n := doubleQuote(r.text[r.at:])
		switch c := r.text[r.at]; {
		case n > 0:
			r.at += n
			if n = doubleQuote(r.text[r.at:]); n == 0 {
				return
			}
			w.literal(r.text[r.at : r.at+n])
			r.at += n
		case c == '`':
			r.escape(w, inQuoted)
		case c == '$':
			r.dollar(w, p)
		default:
			w.text = append(w.text, c)
			r.at++
		}
	}
	r.fail("a quote is not closed")
}

// escapes are the letters that mean something behind a backtick, in all
// versions of PowerShell (about_Special_Characters).
var escapes = map[byte]string{'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v"}

// escape reads a backtick and what it escapes: in a string one of escapes, and
// everywhere a mark or a blank, which then stands for itself.
func (r *reader) escape(w *psWord, in context) {
	r.at++
	c := r.peek(0)
	meaning, known := escapes[c]
	switch {
	case c == 0:
		r.fail("it ends in a backtick")
	case known && in == inQuoted:
		w.literal(meaning)
		r.at++
	case c == '\r' || c == '\n' || c >= utf8.RuneSelf || argv.IsNameByte(c):
		// 0, e and u differ between versions, and hide what is meant.
		r.take(formNameEscape, in, "")
		w.literal(r.text[r.at : r.at+r.step()])
		r.at += r.step()
	default:
		r.take(formEscape, in, "")
		w.literal(string(c))
		r.at++
	}
}

// dollar reads what $ begins in a string or within a word: a variable, a
// subexpression, or nothing.
func (r *reader) dollar(w *psWord, p Path) {
	switch c := r.peek(1); {
	case c == '(':
		r.take(formSubexpression, inQuoted, "")
		start := r.at
		r.at += 2
		w.add(psPart{value: r.nested(')', p.within("$(…)"))})
		if !r.problem.Broken && !counted(r.text[start+1:r.at]) {
			r.take(formQuotedText, inQuoted, "")
		}
	case argv.IsNameByte(c) || c >= utf8.RuneSelf || strings.IndexByte("{?:$^", c) >= 0:
		r.variable(w, inQuoted)
	default:
		w.literal("$")
		r.at++
	}
}

// counted reports whether PowerShell ends a subexpression within a string or a
// word where it is read to end: it counts parentheses there, quoted or not, and
// takes a doubled or escaped quote for one (ScanSubExpression).
func counted(text string) bool {
	depth := 0
	for k := 0; k < len(text); k++ {
		switch c := text[k]; {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return k+1 == len(text)
			}
		case c == '`' || c == '"' || c >= utf8.RuneSelf:
			if n := max(doubleQuote(text[k:]), prefixLength(text[k:], "`")); n > 0 && doubleQuote(text[k+n:]) > 0 {
				return false
			}
		}
	}
	return false
}

// hereString reads @'…'@ or @"…"@, whose ends stand on lines of their own.
func (r *reader) hereString(w *psWord, p Path) {
	quote := singleQuote
	if singleQuote(r.text[r.at+1:]) == 0 {
		quote = doubleQuote
	}
	expands := doubleQuote(r.text[r.at+1:]) > 0
	r.at++
	r.at += quote(r.text[r.at:])
	for n := blankLength(r.text[r.at:]); n > 0; n = blankLength(r.text[r.at:]) {
		r.at += n
	}
	if c := r.peek(0); c != '\n' && c != '\r' {
		r.fail("a here-string does not begin on a line of its own")
		return
	}
	start, line := r.at, true
	for end := start; end < len(r.text); end++ {
		c := r.text[end]
		if n := quote(r.text[end:]); line && n > 0 && strings.HasPrefix(r.text[end+n:], "@") {
			r.body(w, start, end, expands, p)
			r.at = end + n + 1
			return
		}
		line = c == '\n' || c == '\r'
	}
	r.fail("a here-string is not closed")
}

// body adds the text between the ends of a here-string, and what stands in its
// expansions.
func (r *reader) body(w *psWord, start, end int, expands bool, p Path) {
	text := strings.TrimPrefix(strings.TrimPrefix(r.text[start:end], "\r"), "\n")
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if !expands || !strings.ContainsAny(text, "$`") {
		w.literal(text)
		return
	}
	r.take(formExpandedHere, inArgument, "")
	inner := reader{events: r.events, vars: r.vars, text: r.text[:end], at: start, depth: r.depth}
	for inner.at < end && !inner.problem.Broken {
		switch c := inner.text[inner.at]; c {
		case '`':
			inner.escape(w, inQuoted)
		case '$':
			inner.dollar(w, p)
		default:
			w.text = append(w.text, c)
			inner.at++
		}
	}
	if inner.problem.Broken {
		r.fail(inner.problem.Why)
	}
}
