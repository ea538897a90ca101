package argv

import (
	"slices"
	"strings"
)

// Chunk is a part of a word, or of what a variable holds, as far as the line
// tells it.
type Chunk struct {
	Kind ChunkKind
	Text string
	// Split tells of what is not known that it stands outside quotes: blanks in
	// it make several words, and where it is empty no word is left.
	Split bool
}

// ChunkKind says how much is known of a chunk.
type ChunkKind uint8

// The kinds of chunks.
const (
	Plain   ChunkKind = iota // text that stands for itself
	Glob                     // text in which *, ? and [ are a pattern
	Unknown                  // text that the line does not tell
	Home                     // a tilde with the name behind it
)

// Text is a row of chunks.
type Text []Chunk

// Plain returns the text when all of it is known.
func (t Text) Plain() (string, bool) {
	switch len(t) {
	case 0:
		return "", true
	case 1:
		return t[0].Text, t[0].Kind == Plain
	}
	var b strings.Builder
	for _, p := range t {
		if p.Kind != Plain {
			return "", false
		}
		b.WriteString(p.Text)
	}
	return b.String(), true
}

// PlainText is a text that is known.
func PlainText(s string) Text { return Text{{Text: s}} }

// UnknownText is a text of which nothing is known.
func UnknownText() Text { return Text{{Kind: Unknown}} }

// Equal reports the same chunks.
func (t Text) Equal(other Text) bool { return slices.Equal(t, other) }

// Add appends a chunk, joined to the last one if that is of its kind.
func (t Text) Add(p Chunk) Text {
	if p.Text == "" && p.Kind != Unknown {
		return t
	}
	if n := len(t); n > 0 && t[n-1].Kind == p.Kind && p.Kind <= Glob && t[n-1].Split == p.Split {
		t[n-1].Text += p.Text
		return t
	}
	return append(t, p)
}

// Arg returns the word that the text is, in the place of the word from.
func (t Text) Arg(from Arg) Arg {
	a := Arg{Literal: true, Quoted: from.Quoted, Start: from.Start, End: from.End}
	if s, ok := t.Plain(); ok {
		a.Text = s
		return a
	}
	var b strings.Builder
	for _, p := range t {
		if p.Kind == Unknown {
			b.WriteByte(0)
			a.Literal = false
		}
		b.WriteString(p.Text)
	}
	a.Text = b.String()
	a.Literal = a.Literal && !t.Active()
	a.Detail = &Detail{Chunks: t}
	return a
}

// Active reports a pattern among the chunks.
func (t Text) Active() bool {
	for i, p := range t {
		if p.Kind != Glob {
			continue
		}
		if strings.ContainsAny(p.Text, "*?") {
			return true
		}
		if at := strings.IndexByte(p.Text, '['); at >= 0 {
			if strings.IndexByte(p.Text[at:], ']') > 0 || slices.ContainsFunc(t[i+1:], func(p Chunk) bool { return p.Kind == Unknown || strings.IndexByte(p.Text, ']') >= 0 }) {
				return true
			}
		}
	}
	return false
}

// Detail is what a word is beside its text.
type Detail struct {
	Chunks Text
	// Ways are the words that the shell makes of it, one list for each way in
	// which the command may read. All words of a command have as many.
	Ways [][]Arg
}

// Chunks returns the chunks of a word. Where nothing more is known the text tells
// them: a Hole is an expansion, and where the word is not literal every *, ? and
// [ may be a pattern.
func (a *Arg) Chunks() Text {
	switch {
	case a.Detail != nil && a.Detail.Chunks != nil:
		return a.Detail.Chunks
	case a.Tilde():
		end := strings.IndexByte(a.Text, '/')
		if end < 0 {
			end = len(a.Text)
		}
		return Text{{Kind: Home, Text: a.Text[:end]}}.Add(Chunk{Text: a.Text[end:]})
	case a.Literal:
		return PlainText(a.Text)
	case a.Writes:
		return Text{{Text: "/dev/fd/"}, {Kind: Unknown}}
	}
	var t Text
	for rest := a.Text; ; {
		before, after, more := strings.Cut(rest, Hole)
		t = t.Add(Chunk{Kind: Glob, Text: before})
		if !more {
			return t
		}
		t = append(t, Chunk{Kind: Unknown, Split: a.Splits || a.Tail})
		rest = after
	}
}

// Tilde reports a word that begins with a tilde which the shell expands.
func (a *Arg) Tilde() bool { return a.Home && a.Text != "" && a.Text[0] == '~' }

// Sure reports a word that is known to the last character.
func (a *Arg) Sure() bool {
	if a.Detail != nil {
		return a.Detail.Ways == nil && a.Literal && !slices.ContainsFunc(a.Detail.Chunks, func(c Chunk) bool { return c.Kind != Plain })
	}
	return !a.Tilde() && (a.Literal || !strings.ContainsAny(a.Text, Hole+"*?["))
}

// Several reports a word that may turn out to be several, or none.
func Several(t Text) bool {
	return t.Active() || slices.ContainsFunc(t, func(p Chunk) bool { return p.Kind == Unknown && p.Split })
}

// unsplit is the text as one word.
func (t Text) unsplit() Text {
	out := slices.Clone(t)
	for k := range out {
		out[k].Split = false
	}
	return out
}

// MayVanish reports a word of which nothing may be left.
func (t Text) MayVanish() bool {
	return len(t) > 0 && !slices.ContainsFunc(t, func(c Chunk) bool { return c.Kind != Unknown || !c.Split })
}
