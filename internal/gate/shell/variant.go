package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/possible"
)

// Variant is one way in which the words of a unit may read once the shell has
// expanded them. Deny rules are matched against it.
type Variant struct {
	known   *catalog.Catalog
	program string
	words   []Arg
	wide    bool // the line changes what patterns match
}

// Variants lists the ways in which the words of the unit may read where the
// words as they are written do not say it all: values of variables, braces,
// patterns, other spellings of the home folder, which is "" if it is not known.
// It is empty for a unit of plain words.
func (u *Unit) Variants(home string) []Variant {
	if !u.open && !namesHome(u.words, home) {
		return nil
	}
	var out []Variant
	add := func(words []Arg) {
		for _, list := range variants(words) {
			if len(list) == 0 || list[0].Text == "" && list[0].Literal {
				continue
			}
			for _, spelled := range spellHome(list, home) {
				v := Variant{known: u.known, words: spelled, wide: u.wide, program: u.Program}
				if spelled[0].Literal && (u.Program == "" || spelled[0].Text != u.words[0].Text) {
					v.program = programName(spelled[0].Text)
				}
				out = append(out, v)
			}
		}
	}
	if !u.idle && len(u.words) > 0 {
		add(u.words)
		for _, name := range u.Names()[1:] { // the aliases of a command of PowerShell
			words := slices.Clone(u.words)
			words[0] = Arg{Text: name, Literal: true, Start: words[0].Start, End: words[0].End}
			add(words)
		}
	}
	for _, words := range u.called {
		if len(words) > 0 && len(out) < maxTries {
			add(words)
		}
	}
	return out
}

// namesHome reports a word that begins with the home folder.
func namesHome(words []Arg, home string) bool {
	return home != "" && slices.ContainsFunc(words, func(a Arg) bool { return underHome(a.Text, home) })
}

func underHome(word, home string) bool {
	rest, ok := strings.CutPrefix(word, home)
	return ok && (rest == "" || rest[0] == '/')
}

// spellHome returns the words with the home folder in each spelling, as a tilde,
// as a variable and as the folder, where one of them names it.
func spellHome(words []Arg, home string) [][]Arg {
	if home == "" || !slices.ContainsFunc(words, func(a Arg) bool { return atHome(&a) || a.Literal && underHome(a.Text, home) }) {
		return [][]Arg{words}
	}
	var out [][]Arg
	for _, name := range []string{"~", "$HOME", home} {
		list := slices.Clone(words)
		for k := range list {
			a := &list[k]
			var rest text
			switch {
			case atHome(a):
				rest = a.chunks()[1:]
			case a.Literal && underHome(a.Text, home):
				rest = text{}.add(chunk{text: a.Text[len(home):]})
			default:
				continue
			}
			spelled := plainText(name)
			for _, c := range rest {
				spelled = spelled.add(c)
			}
			b := spelled.arg(*a)
			if b.Literal && len(b.Text) > len(name) {
				b.Text = name + strings.TrimSuffix(path.Clean(b.Text[len(name):]), "/")
			}
			list[k] = b
		}
		out = append(out, list)
	}
	return out
}

// atHome reports a word that begins with the person's own home folder.
func atHome(a *Arg) bool {
	t := a.chunks()
	return len(t) > 0 && t[0].kind == homeChunk && t[0].text == "~"
}

// Program is the program of the variant, as Unit.Program has it.
func (v Variant) Program() string { return v.program }

// Sure reports that the words are known to the last character.
func (v Variant) Sure() bool { return isSure(v.words) }

// Texts are the spellings of a variant that is sure, as in Unit.Views.
func (v Variant) Texts() []string {
	return wordViews(v.known, nil, v.program, v.words)
}

// Unknown is the first word that is not known.
func (v Variant) Unknown() Arg {
	for _, a := range v.words {
		if !a.sure() {
			return a
		}
	}
	return Arg{}
}

// Open is what a variant that is not sure may read: the first word, which is
// known, and the texts it may be, as in Unit.Views. It is empty when the name
// of the program is not known.
func (v Variant) Open() (out []OpenText) {
	if !v.words[0].sure() {
		return nil
	}
	add := func(program string, args []Arg) {
		o := OpenText{Program: program}
		o.Text.Literal(program)
		for k := range args {
			args[k].into(&o.Text, v.wide)
		}
		out = append(out, o)
	}
	first := v.words[0].Text
	add(first, v.words[1:])
	if v.program != "" && v.program != first {
		add(v.program, v.words[1:])
	}
	if k := skipGlobal(v.known, v.program, v.words, 1); k > 1 {
		add(v.program, v.words[k:])
	}
	return out
}

// OpenText is a set of texts that begin with the same word.
type OpenText struct {
	Program string
	Text    possible.Text
}

// into adds what a word may be to the text of a command, with the blank before
// it. A pattern is at least one word; what is not known outside quotes may be
// no word at all.
func (a *Arg) into(t *possible.Text, wide bool) {
	chunks := a.chunks()
	one := func(t *possible.Text) {
		t.Literal(" ")
		a.word(t, wide)
	}
	switch {
	case a.sure():
		t.Literal(" ")
		t.Literal(a.Text)
	case a.tail && !a.fed: // names, none of which begins with a dash
		t.Optional(func(t *possible.Text) {
			t.Repeated(func(t *possible.Text) {
				t.Literal(" ")
				chunks.unsplit().into(t, wide, possible.NoDash, possible.NoBlank)
			})
		})
	case a.tail || chunks.mayVanish():
		t.Optional(one)
	case chunks.active() && wide: // where nothing matches nothing may be left
		t.Optional(func(t *possible.Text) { t.Repeated(one) })
	case chunks.active():
		t.Repeated(one)
	default:
		one(t)
	}
}

// word adds one word that is not known. One that begins with a dash holds no
// blank: with a blank in it, it is no option that a rule means. Where no name
// matches a pattern the word stays what it is.
func (a *Arg) word(t *possible.Text, wide bool) {
	chunks := a.chunks()
	names := func(t *possible.Text) { chunks.into(t, wide, possible.NoDash, possible.Every) }
	if a.mayBeOption() {
		operand := names
		names = func(t *possible.Text) {
			t.Either(operand, func(t *possible.Text) { chunks.into(t, wide, possible.Every, possible.NoBlank) })
		}
	}
	if !chunks.active() {
		names(t)
		return
	}
	t.Either(names, func(t *possible.Text) { t.Literal(a.Text) })
}

// unsplit is the text as one word.
func (t text) unsplit() text {
	out := slices.Clone(t)
	for k := range out {
		out[k].split = false
	}
	return out
}

// mayVanish reports a word of which nothing may be left.
func (t text) mayVanish() bool {
	return len(t) > 0 && !slices.ContainsFunc(t, func(c chunk) bool { return c.kind != unknownChunk || !c.split })
}

// mayBeOption reports that a word which is not known may turn out to be an
// option: one that begins with what is not known, in quotes or not, and one that
// begins with a pattern, since a file's name may begin with a dash. A star alone
// is how files are named every day, so no rule is asked about by it. What a
// wrapper adds to a command is one where its source may write dashes.
func (a *Arg) mayBeOption() bool {
	chunks := a.chunks()
	if len(chunks) == 0 {
		return false
	}
	switch first := chunks[0]; first.kind {
	case unknownChunk:
		if a.tail || a.holder != "" {
			return a.fed
		}
		return true
	case globChunk:
		return chunks.active() && strings.IndexByte("*?[", first.text[0]) >= 0 && strings.Trim(first.text, "*") != ""
	case plainChunk, homeChunk:
	}
	return false
}

// into adds what the chunks may be, where first is what the word may begin with
// and all what one word of it may hold.
func (t text) into(p *possible.Text, wide bool, first, all possible.Class) {
	atStart := true // of a name in a path
	for i, c := range t {
		if i > 0 {
			first = possible.Every
		}
		switch c.kind {
		case plainChunk:
			p.Literal(c.text)
			atStart = strings.HasSuffix(c.text, "/")
		case homeChunk:
			p.Either(func(p *possible.Text) { p.Literal(c.text) }, func(p *possible.Text) {
				p.Literal("/")
				p.Many(possible.NoBlank)
			})
			atStart = false
		case unknownChunk:
			class := all
			if c.split {
				class, first = possible.Every, possible.Every
			}
			p.Optional(func(p *possible.Text) {
				p.One(class | first)
				p.Many(class)
			})
			atStart = true
		case globChunk:
			atStart = c.pattern(p, wide, atStart, first, all)
		}
	}
}

// pattern adds the names that a pattern may match. A star or a question mark
// matches no slash, and no dot at the beginning of a name unless the line says
// so.
func (c chunk) pattern(p *possible.Text, wide, atStart bool, first, all possible.Class) bool {
	class := possible.NoSlash | all
	for i := 0; i < len(c.text); i++ {
		lead := class | first
		if atStart && !wide {
			lead |= possible.NoDot
		}
		switch b := c.text[i]; {
		case b == '*':
			inner := class
			for i+1 < len(c.text) && c.text[i+1] == '*' {
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
			set, n := bracket(c.text[i+1:])
			if n < 0 {
				p.Many(class) // it may end in what follows
				break
			}
			p.OneOf(lead, set)
			i += n
		default:
			j := i + 1
			for j < len(c.text) && strings.IndexByte("*?[", c.text[j]) < 0 {
				j++
			}
			p.Literal(c.text[i:j])
			b, i = c.text[j-1], j-1
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
