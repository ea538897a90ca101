package shell

import (
	"slices"
	"strings"
)

// chunk is a part of a word, or of what a variable holds, as far as the line
// tells it.
type chunk struct {
	kind chunkKind
	text string
	// split tells of what is not known that it stands outside quotes: blanks in
	// it make several words, and where it is empty no word is left.
	split bool
}

type chunkKind uint8

const (
	plainChunk   chunkKind = iota // text that stands for itself
	globChunk                     // text in which *, ? and [ are a pattern
	unknownChunk                  // text that the line does not tell
	homeChunk                     // a tilde with the name behind it
)

// text is a row of chunks.
type text []chunk

// plain returns the text when all of it is known.
func (t text) plain() (string, bool) {
	switch len(t) {
	case 0:
		return "", true
	case 1:
		return t[0].text, t[0].kind == plainChunk
	}
	var b strings.Builder
	for _, p := range t {
		if p.kind != plainChunk {
			return "", false
		}
		b.WriteString(p.text)
	}
	return b.String(), true
}

func plainText(s string) text { return text{{text: s}} }

func unknownText() text { return text{{kind: unknownChunk}} }

func (t text) equal(other text) bool { return slices.Equal(t, other) }

// add appends a chunk, joined to the last one if that is of its kind.
func (t text) add(p chunk) text {
	if p.text == "" && p.kind != unknownChunk {
		return t
	}
	if n := len(t); n > 0 && t[n-1].kind == p.kind && p.kind <= globChunk && t[n-1].split == p.split {
		t[n-1].text += p.text
		return t
	}
	return append(t, p)
}

// arg returns the word that the text is, in the place of the word from.
func (t text) arg(from Arg) Arg {
	a := Arg{Literal: true, Quoted: from.Quoted, Start: from.Start, End: from.End}
	if s, ok := t.plain(); ok {
		a.Text = s
		return a
	}
	var b strings.Builder
	for _, p := range t {
		if p.kind == unknownChunk {
			b.WriteByte(0)
			a.Literal = false
		}
		b.WriteString(p.text)
	}
	a.Text = b.String()
	a.Literal = a.Literal && !t.active()
	a.made = &made{chunks: t}
	return a
}

// active reports a pattern among the chunks.
func (t text) active() bool {
	for i, p := range t {
		if p.kind != globChunk {
			continue
		}
		if strings.ContainsAny(p.text, "*?") {
			return true
		}
		if at := strings.IndexByte(p.text, '['); at >= 0 {
			if strings.IndexByte(p.text[at:], ']') > 0 || slices.ContainsFunc(t[i+1:], func(p chunk) bool { return p.kind == unknownChunk || strings.IndexByte(p.text, ']') >= 0 }) {
				return true
			}
		}
	}
	return false
}

// made is what a word is beside its text.
type made struct {
	chunks text
	// ways are the words that the shell makes of it, one list for each way in
	// which the command may read. All words of a command have as many.
	ways [][]Arg
}

// chunks returns the chunks of a word. Where nothing more is known the text tells
// them: 0x00 is an expansion, and where the word is not literal every *, ? and
// [ may be a pattern.
func (a *Arg) chunks() text {
	switch {
	case a.made != nil && a.made.chunks != nil:
		return a.made.chunks
	case a.tilde():
		end := strings.IndexByte(a.Text, '/')
		if end < 0 {
			end = len(a.Text)
		}
		return text{{kind: homeChunk, text: a.Text[:end]}}.add(chunk{text: a.Text[end:]})
	case a.Literal:
		return plainText(a.Text)
	case a.writes:
		return text{{text: "/dev/fd/"}, {kind: unknownChunk}}
	}
	var t text
	for rest := a.Text; ; {
		before, after, more := strings.Cut(rest, "\x00")
		t = t.add(chunk{kind: globChunk, text: before})
		if !more {
			return t
		}
		t = append(t, chunk{kind: unknownChunk, split: a.splits || a.tail})
		rest = after
	}
}

// tilde reports a word that begins with a tilde which the shell expands.
func (a *Arg) tilde() bool { return a.home && a.Text != "" && a.Text[0] == '~' }

// sure reports a word that is known to the last character.
func (a *Arg) sure() bool {
	if a.made != nil {
		return a.made.ways == nil && a.Literal && !slices.ContainsFunc(a.made.chunks, func(c chunk) bool { return c.kind != plainChunk })
	}
	return !a.tilde() && (a.Literal || !strings.ContainsAny(a.Text, "\x00*?["))
}
