package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Leading returns the unquoted text that a word begins with, if it does.
func Leading(parts []syntax.WordPart) (string, bool) {
	if len(parts) == 0 {
		return "", false
	}
	lit, ok := parts[0].(*syntax.Lit)
	if !ok {
		return "", false
	}
	return lit.Value, true
}

// IsList reports a parameter that stands for all elements, each a word of its
// own between double quotes.
func IsList(pe *syntax.ParamExp) bool {
	if pe.Param == nil || pe.Excl || pe.Length {
		return false
	}
	if pe.Param.Value == "@" {
		return true
	}
	w, ok := pe.Index.(*syntax.Word)
	return ok && w.Lit() == "@"
}

// Word returns the word as the program receives it, and whether it has parts in
// which commands could stand.
func Word(w *syntax.Word) (a argv.Arg, deep bool) {
	start, end := int(w.Pos().Offset()), int(w.End().Offset())
	if len(w.Parts) == 1 {
		switch part := w.Parts[0].(type) {
		case *syntax.Lit:
			if plainLiteral(part.Value) {
				return argv.Arg{Text: part.Value, Literal: true, Start: start, End: end, Home: part.Value != "" && part.Value[0] == '~'}, false
			}
		case *syntax.SglQuoted:
			if !part.Dollar {
				return argv.Arg{Text: part.Value, Literal: true, Quoted: true, Start: start, End: end}, false
			}
		case *syntax.DblQuoted:
			if text, ok := plainQuoted(part); ok {
				return argv.Arg{Text: text, Literal: true, Quoted: true, Start: start, End: end}, false
			}
		}
	}
	r := wordReader{literal: true}
	r.parts(w.Parts, false)
	a = argv.Arg{Text: r.text.String(), Literal: r.literal && !r.brace, Quoted: r.quoted, ANSI: r.ansi, Start: start, End: end, Splits: r.splits}
	if lit, ok := Leading(w.Parts); ok && lit != "" && lit[0] == '~' {
		a.Home = true
	}
	if len(w.Parts) == 1 && r.deep {
		_, a.Writes = w.Parts[0].(*syntax.ProcSubst)
	}
	return a, r.deep
}

// plainLiteral reports that an unquoted literal holds nothing that the shell
// would change.
func plainLiteral(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\', '*', '?', '[', '{':
			return len(text) == 1 && text[0] == '['
		}
	}
	return true
}

// plainQuoted returns the text in double quotes if it holds no expansion or
// escape.
func plainQuoted(q *syntax.DblQuoted) (string, bool) {
	if len(q.Parts) == 0 {
		return "", true
	}
	lit, ok := q.Parts[0].(*syntax.Lit)
	if !ok || len(q.Parts) > 1 || strings.IndexByte(lit.Value, '\\') >= 0 {
		return "", false
	}
	return lit.Value, true
}

// wordReader removes quotes and escapes from a word.
type wordReader struct {
	text    strings.Builder
	literal bool
	quoted  bool
	deep    bool
	ansi    bool // some part is $'…'
	open    bool // an unquoted { was read
	list    bool // and a comma or two dots after it
	brace   bool // and a }
	bracket bool // an unquoted [ was read
	splits  bool // an expansion stands outside quotes, or is a list
}

func (r *wordReader) parts(parts []syntax.WordPart, double bool) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if double {
				r.doubleQuoted(part.Value)
			} else {
				r.bare(part.Value)
			}
		case *syntax.SglQuoted:
			r.quoted = true
			r.ansi = r.ansi || part.Dollar
			r.single(part)
		case *syntax.DblQuoted:
			r.quoted = true
			r.parts(part.Parts, true)
		default:
			r.literal = false
			r.deep = r.deep || !simpleParam(part)
			pe, ok := part.(*syntax.ParamExp)
			r.splits = r.splits || !double || ok && IsList(pe)
			r.text.WriteByte(0)
		}
	}
}

func (r *wordReader) single(q *syntax.SglQuoted) {
	text, ok := q.Value, true
	if q.Dollar {
		text, ok = ANSI(q.Value)
	}
	if !ok {
		r.literal = false
		text = argv.Hole
	}
	r.text.WriteString(text)
}

// simpleParam reports a parameter expansion that holds nothing else.
func simpleParam(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && !p.Excl && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Exp == nil && p.NestedParam == nil
}

// bare reads unquoted text: a backslash keeps the next character.
func (r *wordReader) bare(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '\\':
			if i+1 < len(text) {
				i++
				r.quoted = true
			}
			r.text.WriteByte(text[i])
			continue
		case '*', '?':
			r.literal = false
		case '[':
			r.bracket = true
		case ']':
			if r.bracket {
				r.literal = false
			}
		case '{':
			r.open = true
		case ',':
			r.list = r.list || r.open
		case '.':
			r.list = r.list || r.open && i+1 < len(text) && text[i+1] == '.'
		case '}':
			r.brace = r.brace || r.list
		}
		r.text.WriteByte(c)
	}
}

// doubleQuoted reads text between double quotes, where a backslash keeps only
// what would be special there.
func (r *wordReader) doubleQuoted(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			switch text[i+1] {
			case '$', '`', '"', '\\':
				i++
				c = text[i]
			case '\n':
				i++
				continue
			}
		}
		r.text.WriteByte(c)
	}
}

// DoubleQuoted is what text between double quotes stands for.
func DoubleQuoted(text string) string {
	var r wordReader
	r.doubleQuoted(text)
	return r.text.String()
}
