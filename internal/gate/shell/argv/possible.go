package argv

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/possible"
)

// Into adds what a word may be to the text of a command, with the blank before
// it. A pattern is at least one word; what is not known outside quotes may be
// no word at all.
func (a *Arg) Into(t *possible.Text, wide bool) {
	chunks := a.Chunks()
	one := func(t *possible.Text) {
		t.Literal(" ")
		a.Word(t, wide)
	}
	switch {
	case a.Sure():
		t.Literal(" ")
		t.Literal(a.Text)
	case a.Tail && !a.Fed: // names, none of which begins with a dash
		t.Optional(func(t *possible.Text) {
			t.Repeated(func(t *possible.Text) {
				t.Literal(" ")
				chunks.unsplit().Into(t, wide, possible.NoDash, possible.NoBlank)
			})
		})
	case a.Tail || chunks.MayVanish():
		t.Optional(one)
	case chunks.Active() && wide: // where nothing matches nothing may be left
		t.Optional(func(t *possible.Text) { t.Repeated(one) })
	case chunks.Active():
		t.Repeated(one)
	default:
		one(t)
	}
}

// Word adds one word that is not known. One that begins with a dash holds no
// blank: with a blank in it, it is no option that a rule means. Where no name
// matches a pattern the word stays what it is.
func (a *Arg) Word(t *possible.Text, wide bool) {
	chunks := a.Chunks()
	names := func(t *possible.Text) { chunks.Into(t, wide, possible.NoDash, possible.Every) }
	if a.MayBeOption() {
		operand := names
		names = func(t *possible.Text) {
			t.Either(operand, func(t *possible.Text) { chunks.Into(t, wide, possible.Every, possible.NoBlank) })
		}
	}
	if !chunks.Active() {
		names(t)
		return
	}
	t.Either(names, func(t *possible.Text) { t.Literal(a.Text) })
}

// MayBeOption reports that a word which is not known may turn out to be an
// option: one that begins with what is not known, in quotes or not, and one that
// begins with a pattern, since a file's name may begin with a dash. A star alone
// is how files are named every day, so no rule is asked about by it. What a
// wrapper adds to a command is one where its source may write dashes.
func (a *Arg) MayBeOption() bool {
	chunks := a.Chunks()
	if len(chunks) == 0 {
		return false
	}
	switch first := chunks[0]; first.Kind {
	case Unknown:
		if a.Tail || a.Holder != "" {
			return a.Fed
		}
		return true
	case Glob:
		return chunks.Active() && strings.IndexByte("*?[", first.Text[0]) >= 0 && strings.Trim(first.Text, "*") != ""
	case Plain, Home:
	}
	return false
}

// Into adds what the chunks may be, where first is what the word may begin with
// and all what one word of it may hold.
func (t Text) Into(p *possible.Text, wide bool, first, all possible.Class) {
	atStart := true // of a name in a path
	for i, c := range t {
		if i > 0 {
			first = possible.Every
		}
		switch c.Kind {
		case Plain:
			p.Literal(c.Text)
			atStart = strings.HasSuffix(c.Text, "/")
		case Home:
			class := possible.NoBlank
			if c.Text == WorkFolder {
				class = possible.Every
			}
			p.Either(func(p *possible.Text) { p.Literal(c.Text) }, func(p *possible.Text) {
				p.Literal("/")
				p.Many(class)
			})
			atStart = false
		case Unknown:
			class := all
			if c.Split {
				class, first = possible.Every, possible.Every
			}
			p.Optional(func(p *possible.Text) {
				p.One(class | first)
				p.Many(class)
			})
			atStart = true
		case Glob:
			atStart = c.pattern(p, wide, atStart, first, all)
		}
	}
}

// pattern adds the names that a pattern may match. A star or a question mark
// matches no slash, and no dot at the beginning of a name unless the line says
// so.
func (c Chunk) pattern(p *possible.Text, wide, atStart bool, first, all possible.Class) bool {
	class := possible.NoSlash | all
	for i := 0; i < len(c.Text); i++ {
		lead := class | first
		if atStart && !wide {
			lead |= possible.NoDot
		}
		switch b := c.Text[i]; {
		case b == '*':
			inner := class
			for i+1 < len(c.Text) && c.Text[i+1] == '*' {
				i++
				if wide {
					inner &^= possible.NoSlash
				}
			}
			p.Optional(func(p *possible.Text) {
				p.One(lead)
				p.Many(inner)
			})
			continue // the name may begin behind it
		case b == '?':
			p.One(lead)
		case b == '[':
			set, n := bracket(c.Text[i+1:])
			if n < 0 {
				p.Many(class) // it may end in what follows
				break
			}
			p.OneOf(lead, set)
			i += n
		default:
			j := i + 1
			for j < len(c.Text) && strings.IndexByte("*?[", c.Text[j]) < 0 {
				j++
			}
			p.Literal(c.Text[i:j])
			b, i = c.Text[j-1], j-1
			atStart, first = b == '/', possible.Every
			continue
		}
		atStart, first = false, possible.Every
	}
	return atStart
}

// bracket reads a bracket expression behind its first bracket, and returns how
// long it is with the last one, -1 if it has none. The set holds every character
// that the expression may match in some locale.
func bracket(text string) (set possible.Set, n int) {
	i, all := 0, false // all: characters are in it that are not told apart here
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		set.Not = true
		i++
	}
	for first := true; i < len(text); first = false {
		switch b := text[i]; {
		case b == ']' && !first:
			if all && !set.Not {
				set = possible.Set{Not: true}
			}
			return set, i + 1
		case b == '[' && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0:
			end := strings.Index(text[i+2:], text[i+1:i+2]+"]")
			if end < 0 {
				return set, -1
			}
			i += end + 4
			all = true
		case b >= 0x80:
			i++
			all = true
		case i+2 < len(text) && text[i+1] == '-' && text[i+2] != ']':
			all = !addRange(&set, b, text[i+2]) || all
			i += 3
		default:
			set.Chars += string(rune(b))
			i++
		}
	}
	return set, -1
}

// addRange adds a range of digits or of letters. Which letters a range holds
// depends on the locale, so it is all of them, and none where they are left out.
func addRange(set *possible.Set, low, high byte) bool {
	isLetter := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
	switch {
	case low >= '0' && high <= '9':
		for b := low; b <= high; b++ {
			set.Chars += string(rune(b))
		}
	case isLetter(low) && isLetter(high):
		set.Letters = set.Letters || !set.Not
	default:
		return false
	}
	return true
}
