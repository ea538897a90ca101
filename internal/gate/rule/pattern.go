package rule

import (
	"strings"
	"unicode/utf8"
)

// Syntax says what a backslash means in a pattern.
type Syntax int

const (
	// Plain patterns have no escapes.
	Plain Syntax = iota
	// Escapes makes \*, \? and \\ the literal characters; any other backslash
	// stands for itself.
	Escapes
)

// Pattern is a compiled wildcard pattern. It is anchored at both ends; `*`
// matches any text, newlines and slashes included, `?` one character. A
// trailing " *" also matches the text without it, so that `git pull *` covers
// `git pull`. The zero Pattern matches only the empty text.
type Pattern struct {
	source string
	exact  variant
	fold   variant // the same, lower-cased
	wild   bool
}

// variant is the pattern in one letter case: the pieces between its stars.
// A piece is literal text in which anyChar stands for `?`.
type variant struct {
	pieces   []piece
	optional bool // the last piece is empty and the one before ends in " "
}

type piece struct {
	text    string
	anyChar []bool // per byte of text: this position is a `?`; nil when there is none
}

// Compile reads a pattern. Every text is a valid pattern.
func Compile(source string, syntax Syntax) Pattern {
	pieces := split(source, syntax)
	p := Pattern{source: source, wild: len(pieces) > 1 || pieces[0].anyChar != nil}
	p.exact = newVariant(pieces)
	lower := split(strings.ToLower(source), syntax)
	p.fold = newVariant(lower)
	return p
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.source }

// Wild reports whether the pattern holds a wildcard.
func (p Pattern) Wild() bool { return p.wild }

func split(source string, syntax Syntax) []piece {
	var pieces []piece
	var text []byte
	var anyChar []bool
	hasAny := false
	flush := func() {
		q := piece{text: string(text)}
		if hasAny {
			q.anyChar = anyChar
		}
		pieces = append(pieces, q)
		text, anyChar, hasAny = nil, nil, false
	}
	for i := 0; i < len(source); i++ {
		c := source[i]
		if syntax == Escapes && c == '\\' && i+1 < len(source) && strings.IndexByte(`*?\`, source[i+1]) >= 0 {
			i++
			text, anyChar = append(text, source[i]), append(anyChar, false)
			continue
		}
		switch c {
		case '*':
			flush()
		case '?':
			text, anyChar, hasAny = append(text, 0), append(anyChar, true), true
		default:
			text, anyChar = append(text, c), append(anyChar, false)
		}
	}
	flush()
	return pieces
}

func newVariant(pieces []piece) variant {
	v := variant{pieces: pieces}
	if n := len(pieces); n >= 2 && pieces[n-1].text == "" {
		before := pieces[n-2]
		last := len(before.text) - 1
		v.optional = last >= 0 && before.text[last] == ' ' && (before.anyChar == nil || !before.anyChar[last])
	}
	return v
}

// Match reports whether the whole of text is covered. With fold, letter case
// does not count. It runs in time proportional to len(text) times the number
// of pieces and allocates only when fold meets upper-case letters.
func (p Pattern) Match(text string, fold bool) bool {
	v := p.exact
	if fold {
		v, text = p.fold, strings.ToLower(text)
	}
	if len(v.pieces) == 0 {
		return text == ""
	}
	if v.match(text) {
		return true
	}
	if !v.optional {
		return false
	}
	// The bare text: "git pull" for `git pull *`.
	if first := v.pieces[0]; len(v.pieces) == 2 && first.anyChar == nil {
		return text == first.text[:len(first.text)-1]
	}
	return v.match(text + " ")
}

func (v variant) match(text string) bool {
	first := v.pieces[0]
	if len(v.pieces) == 1 {
		n, ok := first.prefix(text)
		return ok && n == len(text)
	}
	n, ok := first.prefix(text)
	if !ok {
		return false
	}
	text = text[n:]
	last := v.pieces[len(v.pieces)-1]
	for _, mid := range v.pieces[1 : len(v.pieces)-1] {
		at, n := mid.index(text)
		if at < 0 {
			return false
		}
		text = text[at+n:]
	}
	return last.suffix(text)
}

// prefix reports whether text begins with the piece, and how many bytes of
// text it takes.
func (q piece) prefix(text string) (int, bool) {
	if q.anyChar == nil {
		return len(q.text), strings.HasPrefix(text, q.text)
	}
	at := 0
	for i := 0; i < len(q.text); i++ {
		if at >= len(text) {
			return 0, false
		}
		if q.anyChar[i] {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		if text[at] != q.text[i] {
			return 0, false
		}
		at++
	}
	return at, true
}

// index finds the first place of the piece in text and how many bytes it takes
// there, or -1.
func (q piece) index(text string) (at, n int) {
	if q.anyChar == nil {
		return strings.Index(text, q.text), len(q.text)
	}
	for at = 0; at <= len(text); {
		if n, ok := q.prefix(text[at:]); ok {
			return at, n
		}
		if at == len(text) {
			break
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return -1, 0
}

// suffix reports whether text ends with the piece.
func (q piece) suffix(text string) bool {
	if q.anyChar == nil {
		return strings.HasSuffix(text, q.text)
	}
	// Each `?` takes one character, so the number of characters is known: walk
	// back that many.
	at := len(text)
	for i := len(q.text) - 1; i >= 0; i-- {
		if at == 0 {
			return false
		}
		if q.anyChar[i] {
			_, size := utf8.DecodeLastRuneInString(text[:at])
			at -= size
			continue
		}
		at--
		if text[at] != q.text[i] {
			return false
		}
	}
	return true
}

// FirstWord returns the literal text before the pattern's first blank, or the
// whole pattern when it has neither blank nor wildcard; ok is false when a
// wildcard stands before that blank, so that the first word is not known.
func (p Pattern) FirstWord(fold bool) (word string, ok bool) {
	v := p.exact
	if fold {
		v = p.fold
	}
	if len(v.pieces) == 0 {
		return "", false
	}
	first := v.pieces[0]
	if i := strings.IndexByte(first.text, ' '); i >= 0 {
		return first.text[:i], first.anyChar == nil || !contains(first.anyChar[:i])
	}
	return first.text, len(v.pieces) == 1 && first.anyChar == nil
}

func contains(flags []bool) bool {
	for _, f := range flags {
		if f {
			return true
		}
	}
	return false
}

// Escape writes text so that, as a pattern with Escapes, it matches exactly
// itself.
func Escape(text string) string {
	if !strings.ContainsAny(text, `*?\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '*' || c == '?' || (c == '\\' && i+1 < len(text) && strings.IndexByte(`*?\`, text[i+1]) >= 0) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
