package pwsh

import (
	"strings"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// bare reads the rest of a word that is not one value: text, with quoted parts
// and expansions in it.
func (r *reader) bare(w *psWord, in context, p Path) {
	for r.at < len(r.text) && !r.ended() {
		if n := plainRun(r.text[r.at:]); n > 0 {
			w.literal(r.text[r.at : r.at+n])
			r.at += n
			continue
		}
		text := r.text[r.at:]
		switch c := text[0]; {
		case c == ',' || c == '(' || c == '{' || blankLength(text) > 0:
			return
		case c == '<' || c == '>':
			r.take(formGlued, in, text[:1])
			return
		case c < ' ' || c == 0x7f:
			r.take(formStray, in, "")
			r.at++
		case singleQuote(text) > 0:
			w.Quoted = true
			w.literal(r.single())
		case doubleQuote(text) > 0:
			w.Quoted = true
			r.double(w, p)
		case c == '`':
			if in == inName {
				r.take(formNameEscape, in, "")
			}
			w.Quoted = true
			r.escape(w, in)
		case c == '$':
			if in == inName { // which PowerShell does not expand there
				r.take(formPlainVariable, 0, "")
			}
			w.Quoted = true
			r.dollar(w, p)
		default:
			w.glob = w.glob || strings.IndexByte("*?[", c) >= 0
			n := r.step()
			w.literal(text[:n])
			r.at += n
		}
	}
}

// plainRun is the length of the letters at the start of text that stand for
// themselves in any word.
func plainRun(text string) int {
	n := 0
	for n < len(text) && (argv.IsNameByte(text[n]) || strings.IndexByte("-./\\:=+~", text[n]) >= 0) {
		n++
	}
	return n
}

// argument reads one word of a command, or the target of a redirection.
func (r *reader) argument(in context, p Path) (w psWord) {
	w.Start = r.at
	defer func() {
		w.done()
		w.End = r.at
	}()
	text := r.text[r.at:]
	if dash := dashLength(text); dash > 0 && len(text) > dash && in&inArgument != 0 {
		if c := text[dash]; c == '_' || c == '?' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			r.parameter(&w, in, p)
			return w
		}
		w.literal("-")
		r.at += dash
		if dash = dashLength(r.text[r.at:]); dash > 0 {
			w.literal("-")
			r.at += dash
		}
		if strings.HasPrefix(r.text[r.at:], "%") && len(r.text[w.Start:r.at]) > 1 {
			r.take(formVerbatim, in, "")
		}
		r.bare(&w, in, p)
		r.glued(in)
		return w
	}
	if variable, ok := r.primary(&w, in, p); ok {
		if c := r.peek(0); variable != "" && variable != "?" && !r.ended() && strings.IndexByte(".[:,({<>=", c) < 0 && blankLength(r.text[r.at:]) == 0 {
			w.Quoted = true // $dir\file goes on as one word
			r.bare(&w, in, p)
		} else {
			r.accessors(&w, variable != "", in, p)
		}
		r.glued(in)
		return w
	}
	r.beginning(in, p)
	r.bare(&w, in, p)
	r.glued(in)
	return w
}

// beginning refuses what may begin no bare word.
func (r *reader) beginning(in context, p Path) {
	switch text := r.text[r.at:]; {
	case text[0] == '@':
		r.take(formSplat, in, text[:1+lettersLength(text[1:])])
	case text[0] == '<':
		r.take(formInput, in, "")
		r.at++
	case text[0] == ']' || text[0] == '.' && len(text) > 1 && (text[1] == '$' || singleQuote(text[1:])+doubleQuote(text[1:]) > 0):
		r.take(formStray, in, text[:1])
	case text[0] == '#':
		r.take(formStray, in, "#")
	case strings.IndexByte("+.0123456789", text[0]) >= 0:
		end := strings.IndexFunc(text, func(c rune) bool {
			return c <= ' ' || c >= utf8.RuneSelf || strings.ContainsRune("\"'$`;|&(){},", c)
		})
		if end > 0 && blankLength(text[end:]) == 0 && (text[end] >= utf8.RuneSelf || strings.IndexByte("\"'$`", text[end]) >= 0) {
			r.take(formNumberWord, in, "")
		}
	}
}

// parameter reads -name, or -name:value. A dot or bracket ends it, and begins
// another word; a quote makes it a word like any other.
func (r *reader) parameter(w *psWord, in context, p Path) {
	w.literal("-")
	r.at += dashLength(r.text[r.at:])
	for r.at < len(r.text) && !r.ended() {
		text := r.text[r.at:]
		switch c := text[0]; {
		case c == '.' || c == '[' || c == ',' || blankLength(text) > 0:
			return
		case c == ':':
			w.literal(":")
			r.at++
			if r.ended() || blankLength(r.text[r.at:]) > 0 {
				return
			}
			value := r.argument(in, p)
			w.done()
			w.parts = append(w.parts, value.parts...)
			w.Quoted, w.block, w.glob = true, value.block, value.glob
			return
		case singleQuote(text)+doubleQuote(text) > 0:
			r.bare(w, inArgument, p)
			r.glued(inArgument)
			return
		case c == '(' || c == '{' || c == '<' || c == '>' || c == '`':
			r.take(formGlued, inArgument, text[:1])
			if c == '<' || c == '>' || c == '`' {
				r.at++
			} else {
				return
			}
		case c == '$': // which PowerShell keeps as it is
			w.Quoted = true
			w.add(psPart{})
			r.at += 1 + lettersLength(text[1:])
		default:
			w.literal(text[:r.step()])
			r.at += r.step()
		}
	}
}
