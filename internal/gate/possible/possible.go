// Package possible describes texts that are not fully known, such as the words
// of a command before the shell has expanded them, and says whether a wildcard
// pattern could match one of them.
//
// A Text is a small automaton: a row of steps, each of which reads one
// character or jumps to another step. The package is pure.
package possible

import (
	"strings"
	"unicode"
)

// Text is a set of texts: every one that can be read on the way from the first
// step to behind the last. The zero Text holds the empty text alone.
type Text struct{ steps []step }

// Class is a set of characters, by what it leaves out.
type Class uint8

// The classes; they can be added.
const (
	Every   Class = 0         // every character
	NoSlash Class = 1 << iota // no "/"
	NoBlank                   // no blank, tab or newline
	NoDash                    // no "-"
	NoDot                     // no "."
	Digits                    // digits alone
)

// step reads one character, or jumps.
type step struct {
	char  rune  // the character when class does not count, -1 for one of the class
	class Class //
	many  bool  // it may be read any number of times, none included
	jump  int   // how far to go on instead, 0 if the step is no jump
	set   *Set  // what the character is of beside the class, nil for every one
}

// Set is a set of characters, each in Chars or a letter where Letters says so;
// with Not all others.
type Set struct {
	Chars   string
	Letters bool
	Not     bool
}

func (s *Set) has(r rune) bool {
	is := strings.ContainsRune(s.Chars, r) || s.Letters && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	return is != s.Not
}

// maxSteps bounds a Text. What is longer ends in any text at all.
const maxSteps = 2048

// Literal adds the text s.
func (t *Text) Literal(s string) {
	for _, r := range s {
		t.add(step{char: r})
	}
}

// One adds one character of the class.
func (t *Text) One(c Class) { t.add(step{char: -1, class: c}) }

// OneOf adds one character that is of the class and of the set.
func (t *Text) OneOf(c Class, s Set) { t.add(step{char: -1, class: c, set: &s}) }

// Many adds any number of characters of the class, none included.
func (t *Text) Many(c Class) { t.add(step{char: -1, class: c, many: true}) }

// Optional adds what build adds, or nothing.
func (t *Text) Optional(build func(*Text)) {
	at := len(t.steps)
	t.add(step{jump: 1})
	build(t)
	t.land(at)
}

// Repeated adds what build adds, once or several times.
func (t *Text) Repeated(build func(*Text)) {
	at := len(t.steps)
	build(t)
	if n := len(t.steps) - at; n > 0 {
		t.add(step{jump: -n})
	}
}

// Either adds what one of the two adds.
func (t *Text) Either(a, b func(*Text)) {
	at := len(t.steps)
	t.add(step{jump: 1})
	a(t)
	over := len(t.steps)
	t.add(step{jump: 1, class: always})
	t.land(at)
	b(t)
	t.land(over)
}

// always marks a jump that is not left out.
const always Class = 0xff

// land lets the jump at the given place lead behind the last step.
func (t *Text) land(at int) {
	if at < maxSteps {
		t.steps[at].jump = min(len(t.steps), maxSteps) - at
	}
}

func (t *Text) add(s step) {
	switch {
	case len(t.steps) < maxSteps:
		t.steps = append(t.steps, s)
	case len(t.steps) == maxSteps:
		t.steps = append(t.steps, step{char: -1, many: true})
	}
}

// has reports whether the class holds the character.
func (c Class) has(r rune) bool {
	switch {
	case c&NoSlash != 0 && r == '/',
		c&NoBlank != 0 && (r == ' ' || r == '\t' || r == '\n'),
		c&NoDash != 0 && r == '-',
		c&NoDot != 0 && r == '.',
		c&Digits != 0 && (r < '0' || r > '9'):
		return false
	}
	return true
}

// meets reports whether the pattern's character is one that the step reads.
func (s step) meets(r rune, fold bool) bool {
	switch {
	case r < 0:
		return true
	case s.char >= 0:
		return s.char == r || fold && unicode.ToLower(s.char) == unicode.ToLower(r)
	}
	return s.class.has(r) && (s.set == nil || s.set.has(r) || fold && (s.set.has(unicode.ToLower(r)) || s.set.has(unicode.ToUpper(r))))
}

// Meets reports whether the pattern matches at least one of the texts. In the
// pattern `*` is any text and `?` one character unless a backslash stands
// before them; a trailing " *" may be left out. With fold, letter case does not
// count. The time is the product of both lengths at most.
func (t Text) Meets(pattern string, fold bool) bool {
	tokens := parse(pattern)
	if n := len(tokens); n >= 2 && tokens[n-1] == anyText && tokens[n-2] == ' ' && t.meets(tokens[:n-2], fold) {
		return true
	}
	return t.meets(tokens, fold)
}

// MeetsWord is Meets for a pattern whose trailing " *" stands for itself.
func (t Text) MeetsWord(pattern string) bool { return t.meets(parse(pattern), false) }

// MeetsText reports whether text is one of the texts.
func (t Text) MeetsText(text string) bool { return t.meets([]rune(text), false) }

// The wildcards of a parsed pattern.
const (
	anyOne  rune = -1
	anyText rune = -2
)

func parse(pattern string) []rune {
	tokens := make([]rune, 0, len(pattern))
	escaped := false
	for i, r := range pattern {
		switch {
		case escaped:
			escaped = false
			tokens = append(tokens, r)
		case r == '\\' && i+1 < len(pattern) && strings.IndexByte(`*?\`, pattern[i+1]) >= 0:
			escaped = true
		case r == '*':
			tokens = append(tokens, anyText)
		case r == '?':
			tokens = append(tokens, anyOne)
		default:
			tokens = append(tokens, r)
		}
	}
	return tokens
}

// meets walks both automata side by side, from behind what both begin with.
func (t Text) meets(pattern []rune, fold bool) bool {
	at := 0
	for at < len(pattern) && at < len(t.steps) && pattern[at] >= 0 && t.steps[at].char >= 0 && t.steps[at].jump == 0 {
		if !t.steps[at].meets(pattern[at], fold) {
			return false
		}
		at++
	}
	w := walk{text: t.steps, pattern: pattern, fold: fold}
	return w.from(at, at)
}

// walk visits each pair of a place in the pattern and a place in the text once.
type walk struct {
	text    []step
	pattern []rune
	fold    bool
	seen    []uint64
	open    []pair
}

type pair struct{ p, t int }

func (w *walk) from(p, t int) bool {
	w.seen = make([]uint64, ((len(w.pattern)+1)*(len(w.text)+1)+63)/64)
	w.push(p, t)
	for len(w.open) > 0 {
		at := w.open[len(w.open)-1]
		w.open = w.open[:len(w.open)-1]
		if at.p == len(w.pattern) && at.t == len(w.text) {
			return true
		}
		w.step(at.p, at.t)
	}
	return false
}

func (w *walk) push(p, t int) {
	bit := p*(len(w.text)+1) + t
	if w.seen[bit/64]&(1<<(bit%64)) != 0 {
		return
	}
	w.seen[bit/64] |= 1 << (bit % 64)
	w.open = append(w.open, pair{p, t})
}

func (w *walk) step(p, t int) {
	star := p < len(w.pattern) && w.pattern[p] == anyText
	if star {
		w.push(p+1, t)
	}
	if t == len(w.text) {
		return
	}
	s := w.text[t]
	if s.jump != 0 {
		w.push(p, t+s.jump)
		if s.class != always {
			w.push(p, t+1)
		}
		return
	}
	if s.many {
		w.push(p, t+1)
	}
	if p == len(w.pattern) || !s.meets(w.pattern[p], w.fold) {
		return
	}
	nextP, nextT := p+1, t+1
	if star {
		nextP = p
	}
	if s.many {
		nextT = t
	}
	w.push(nextP, nextT)
}
