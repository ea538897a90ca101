package memory

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// Expander carries out the expansions of words by what a line tells of its
// variables.
type Expander struct {
	State *State
	// Text is the text that the words stand in.
	Text string
	// IsFunction and IsAlias report names that the line gives another meaning.
	IsFunction, IsAlias func(name string) bool
}

// expansion carries out the expansions of words as the shell does, as far as
// the line tells what they give. It has no effect: patterns stay patterns, and
// of commands only those are followed whose output is in their words.
type expansion struct {
	Expander
	// chosen is the one thing that a variable with several holds in this
	// reading, nil for something that is not known.
	chosen map[string]*Way
	depth  int

	fields []argv.Text
	field  argv.Text
	begun  bool // the field is one even if it is empty
}

// The bounds of substitutions within substitutions, and of the braces in a word.
const (
	maxExpansionDepth = 8
	maxBraces         = 32
)

// words returns the words that a word becomes, each with what is not known of
// it. They are split and their braces carried out.
func (s Expander) words(chosen map[string]*Way, w *syntax.Word) []argv.Text {
	x := expansion{Expander: s, chosen: chosen}
	if strings.Count(s.Text[w.Pos().Offset():w.End().Offset()], "{") > maxBraces {
		x.unknown()
		return []argv.Text{x.field}
	}
	braced := *w // SplitBraces replaces the parts
	if !syntax.SplitBraces(&braced) {
		return x.word(w.Parts)
	}
	var out []argv.Text
	for one, err := range expand.BracesSeq(nil, &braced) {
		if err != nil || len(out) >= argv.MaxGuesses {
			return x.manyBraces(braced.Parts)
		}
		out = append(out, x.word(joinLiterals(one.Parts))...)
	}
	return out
}

// joinLiterals makes one part of literal parts that stand side by side, as
// braces leave them.
func joinLiterals(parts []syntax.WordPart) (out []syntax.WordPart) {
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if ok && len(out) > 0 {
			if before, ok := out[len(out)-1].(*syntax.Lit); ok {
				out[len(out)-1] = &syntax.Lit{Value: before.Value + lit.Value}
				continue
			}
		}
		out = append(out, part)
	}
	return out
}

// manyBraces returns a word whose braces make too many words as one of which
// not much is known. Each is not empty.
func (x *expansion) manyBraces(parts []syntax.WordPart) []argv.Text {
	var out argv.Text
	for _, part := range parts {
		if _, ok := part.(*syntax.BraceExp); ok {
			out = append(out, argv.Chunk{Kind: argv.Unknown, Split: true})
			continue
		}
		for _, t := range x.word([]syntax.WordPart{part}) {
			for _, p := range t {
				out = out.Add(p)
			}
		}
	}
	return []argv.Text{out}
}

// value returns the text that a word is as the value of an assignment: it is
// neither split nor are its braces or patterns carried out.
func (s Expander) value(chosen map[string]*Way, w *syntax.Word) argv.Text {
	if w == nil {
		return nil
	}
	x := expansion{Expander: s, chosen: chosen}
	x.parts(x.tilde(w.Parts), true)
	out := x.field
	for _, f := range slices.Backward(x.fields) { // "$@" in a value is joined
		out = slices.Concat(f, argv.PlainText(" "), out)
	}
	if lit, ok := bash.Leading(w.Parts); ok && strings.Contains(lit, ":~") {
		return argv.UnknownText()
	}
	return out
}

// word expands the parts of one word.
func (x *expansion) word(parts []syntax.WordPart) []argv.Text {
	x.fields, x.field, x.begun = nil, nil, false
	parts = x.tilde(parts)
	x.parts(parts, false)
	x.flush()
	return x.fields
}

// tilde writes the tilde at the beginning of a word, and returns the parts
// without it.
func (x *expansion) tilde(parts []syntax.WordPart) []syntax.WordPart {
	lit, ok := bash.Leading(parts)
	if !ok || lit == "" || lit[0] != '~' {
		return parts
	}
	end := strings.IndexByte(lit, '/')
	if end < 0 && len(parts) > 1 || strings.IndexByte(lit, '\\') >= 0 {
		return parts
	}
	if end < 0 {
		end = len(lit)
	}
	p := argv.Chunk{Kind: argv.Home, Text: lit[:end]}
	if _, given := x.State.known["HOME"]; given || len(p.Text) > 1 && !argv.IsNameByte(p.Text[1]) {
		p = argv.Chunk{Kind: argv.Unknown}
	}
	x.field, x.begun = append(x.field, p), true
	return append([]syntax.WordPart{&syntax.Lit{Value: lit[end:]}}, parts[1:]...)
}

// flush ends the field.
func (x *expansion) flush() {
	if len(x.field) > 0 || x.begun {
		x.fields = append(x.fields, x.field)
	}
	x.field, x.begun = nil, false
}

// parts expands the parts of a word; quoted tells of those between double
// quotes, or in a place where nothing is split.
func (x *expansion) parts(parts []syntax.WordPart, quoted bool) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			x.literal(part.Value, quoted)
		case *syntax.SglQuoted:
			x.begun = true
			x.quoted(part)
		case *syntax.DblQuoted:
			x.doubleQuoted(part)
		case *syntax.ParamExp:
			x.parameter(part, quoted)
		case *syntax.CmdSubst:
			x.insert(x.output(part), quoted)
		case *syntax.ArithmExp, *syntax.ProcSubst:
			x.field = append(x.field, argv.Chunk{Kind: argv.Unknown})
		default:
			x.unknown()
		}
	}
}

// unknown adds what may be any words.
func (x *expansion) unknown() {
	x.field = append(x.field, argv.Chunk{Kind: argv.Unknown, Split: true})
}

func (x *expansion) quoted(q *syntax.SglQuoted) {
	if !q.Dollar {
		x.field = x.field.Add(argv.Chunk{Text: q.Value})
		return
	}
	if s, ok := bash.ANSI(q.Value); ok {
		x.field = x.field.Add(argv.Chunk{Text: s})
	} else {
		x.field = append(x.field, argv.Chunk{Kind: argv.Unknown})
	}
}

// doubleQuoted expands what stands between double quotes. Quotes that hold a
// list without elements leave nothing.
func (x *expansion) doubleQuoted(q *syntax.DblQuoted) {
	if len(q.Parts) == 1 {
		if pe, ok := q.Parts[0].(*syntax.ParamExp); ok && bash.IsList(pe) {
			x.parameter(pe, true)
			return
		}
	}
	x.begun = true
	for _, part := range q.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			x.field = x.field.Add(argv.Chunk{Text: bash.DoubleQuoted(lit.Value)})
			continue
		}
		x.parts([]syntax.WordPart{part}, true)
	}
}

// literal adds text that stands in the word as it is, in which a backslash
// keeps the next character and *, ? and [ are a pattern.
func (x *expansion) literal(s string, quoted bool) {
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at == len(s)-1 {
			break
		}
		x.bare(s[:at], quoted)
		if s[at+1] != '\n' {
			x.begun = true
			x.field = x.field.Add(argv.Chunk{Text: s[at+1 : at+2]})
		}
		s = s[at+2:]
	}
	x.bare(s, quoted)
}

func (x *expansion) bare(s string, quoted bool) {
	kind := argv.Glob
	if quoted || !strings.ContainsAny(s, "*?[]") {
		kind = argv.Plain
	}
	x.field = x.field.Add(argv.Chunk{Kind: kind, Text: s})
}

// insert adds the result of an expansion, which is split outside quotes and
// then may be a pattern.
func (x *expansion) insert(t argv.Text, quoted bool) {
	if quoted {
		for _, p := range t {
			x.field = x.field.Add(p)
		}
		return
	}
	separators, known := x.separators()
	for _, p := range t {
		switch {
		case p.Kind == argv.Unknown || p.Kind == argv.Home && !known || p.Kind == argv.Glob:
			p.Split = true
			x.field = x.field.Add(p)
		case p.Kind == argv.Home:
			x.field = x.field.Add(p)
		default:
			x.split(p.Text, separators, known)
		}
	}
}

// separators is the value of IFS.
func (x *expansion) separators() (string, bool) {
	w := x.way("IFS")
	if w == nil {
		return "", false
	}
	if w.unset {
		return " \t\n", true
	}
	return w.First().Plain()
}

// split adds a known text, split at the separators. Separators that are no
// blanks make empty words too; where they would, the words are not known.
func (x *expansion) split(s, separators string, known bool) {
	if !known || strings.Trim(separators, " \t\n") != "" && hasEmptyField(s, separators) {
		x.unknown()
		return
	}
	for s != "" {
		at := strings.IndexAny(s, separators)
		if separators == "" || at < 0 {
			x.bare(s, false)
			return
		}
		x.bare(s[:at], false)
		x.flush()
		_, size := decode(s[at:])
		s = s[at+size:]
	}
}

func decode(s string) (string, int) {
	for i := range s {
		if i > 0 {
			return s[:i], i
		}
	}
	return s, len(s)
}

// hasEmptyField reports that s, split at the separators, has an empty field.
func hasEmptyField(s, separators string) bool {
	if s == "" {
		return false
	}
	before := true
	for _, r := range s {
		is := strings.ContainsRune(separators, r)
		if is && before {
			return true
		}
		before = is
	}
	return false
}
