package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// word checks the parts of a word that stands in a wordContext.
func (v *subset) word(w *syntax.Word, in wordContext) { v.parts(w.Parts, in) }

func (v *subset) parts(list []syntax.WordPart, in wordContext) {
	for _, part := range list {
		switch part := part.(type) {
		case *syntax.Lit:
			v.literal(part, in)
		case *syntax.SglQuoted:
			v.note(part)
			switch {
			case !part.Dollar:
				v.need(singleQuotes, in)
			case strings.Contains(part.Value, `\'`): // where $'…' is unknown, the quote ends there
				v.refuse(`\' inside $'…'`)
			default:
				v.need(ansiQuotes, in)
			}
		case *syntax.DblQuoted:
			v.note(part)
			v.need(doubleQuotes, in)
			v.parts(part.Parts, inQuotes)
		case *syntax.ParamExp:
			v.note(part)
			v.parameter(part, in)
		case *syntax.CmdSubst:
			v.note(part)
			v.substitution(part, in)
		case *syntax.ArithmExp:
			v.note(part)
			v.need(arithmetic, in)
			if part.Bracket || part.Unsigned {
				v.refuse("$[…], which not every shell knows")
			}
			v.brackets(int(part.Left.Offset())+1, int(part.Right.Offset())+1)
			v.expression(part.X)
		case *syntax.ProcSubst:
			v.note(part)
			v.need(processes, in)
			v.brackets(int(part.OpPos.Offset())+1, int(part.Rparen.Offset()))
			v.stmts(part.Stmts, spanOf(part))
			v.comments(part.Last)
		case *syntax.ExtGlob:
			v.need(pattern, in)
			if strings.ContainsAny(part.Pattern.Value, "$`'\"\\<>") {
				v.refuse("quotes or expansions inside an extended pattern")
			}
		default:
			v.refuse("a piece of a word that pigate does not know")
		}
	}
}

// literal checks text outside of quotes or between double quotes.
func (v *subset) literal(l *syntax.Lit, in wordContext) {
	start, end := int(l.Pos().Offset()), int(l.End().Offset())
	text := v.text[start:end]
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
			if i == len(text) {
				break
			}
			switch {
			case text[i] == '\n':
				v.continuation(start+i, in)
			case in == inArithmetic || in == inSubscript:
				v.refuse("a backslash inside %s", contextNames[in])
			case in == inQuotedExpansion && strings.IndexByte("'\"`\\{}", text[i]) >= 0:
				v.refuse(`\%c inside %s`, text[i], contextNames[in])
			}
		case 0x85, 0xa0:
			if in == inWord {
				v.refuse("a character with a byte that some systems take for a blank, outside of quotes")
			}
		case '\'', '"':
			if in&(inExpansion|inQuotedExpansion|inArithmetic|inSubscript) != 0 {
				v.refuse("quotes inside %s", contextNames[in])
			}
		case '\n', '{', '}':
			if in&(inExpansion|inQuotedExpansion|inArithmetic|inSubscript) != 0 {
				v.refuse("%s inside %s", map[byte]string{'\n': "a line end", '{': "a brace", '}': "a brace"}[c], contextNames[in])
			}
		case '<', '>':
			if in&(inExpansion|inQuotedExpansion|inTest) != 0 && i+1 < len(text) && text[i+1] == '(' {
				v.need(processes, in)
			}
		}
	}
	if in == inArithmetic && strings.ContainsFunc(text, func(r rune) bool { return r != '#' && r != '@' && (r > 127 || !argv.IsNameByte(byte(r))) }) {
		v.refuse("a number or name that cannot be read inside arithmetic")
	}
}

// continuation checks a backslash at a line end, the line end being at i. It
// is understood where it cannot join two pieces to another one: after a blank,
// and between double quotes after anything but what begins an expansion.
func (v *subset) continuation(i int, in wordContext) {
	before := byte(' ')
	if i >= 2 {
		before = v.text[i-2]
	}
	if strings.IndexByte("$`\\<>&|(", before) >= 0 || in&(inQuotes|inDocument|inWord) == 0 {
		v.refuse("a backslash at a line end inside %s", contextNames[in])
	}
}

// parameter checks ${…} and $name.
func (v *subset) parameter(p *syntax.ParamExp, in wordContext) {
	v.need(parameter, in)
	if p.Short && p.Param != nil && p.Param.Value == "$" && strings.IndexByte("{([", v.next(p)) >= 0 {
		v.refuse("$$ before a bracket, which some shells take for $ and an expansion")
	}
	switch {
	case p.Width || p.IsSet || p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0:
		v.refuse("${…} in a form of another shell")
	case p.Excl && p.Names == 0 && (!listsAll(p.Index) || p.Exp != nil || p.Repl != nil || p.Slice != nil):
		v.refuse("${!…}, which names another variable")
	case p.Exp == nil && p.Repl == nil && p.Slice == nil && p.Index == nil:
		return
	}
	if p.Index != nil {
		v.subscript(p.Index)
	}
	if p.Pos().Line() != p.End().Line() {
		v.refuse("a line end inside %s", contextNames[inExpansion])
	}
	inner := inExpansion
	if in&(inWord|inExpansion|inTest) == 0 {
		inner = inQuotedExpansion
	}
	if p.Slice != nil {
		v.need(operation, in)
		v.offset(p.Slice.Offset)
		v.offset(p.Slice.Length)
	}
	if p.Repl != nil {
		v.need(operation, in)
		for _, w := range []*syntax.Word{p.Repl.Orig, p.Repl.With} {
			if w != nil {
				v.word(w, inner)
			}
		}
	}
	if p.Exp != nil {
		v.need(operation, in)
		if p.Exp.Op == syntax.OtherParamOps && (p.Exp.Word == nil || strings.IndexByte("QUuL", p.Exp.Word.Lit()[0]) < 0) {
			v.refuse("${…@%s}, which evaluates a value", p.Exp.Word.Lit())
		}
		if p.Exp.Word != nil {
			v.word(p.Exp.Word, inner)
		}
	}
}

// next is the byte behind a node, a blank at the end of the text.
func (v *subset) next(n syntax.Node) byte {
	if end := int(n.End().Offset()); end < len(v.text) {
		return v.text[end]
	}
	return ' '
}

// listsAll reports the subscripts @ and *.
func listsAll(index syntax.ArithmExpr) bool {
	w, ok := index.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// substitution checks $(…) and `…`.
func (v *subset) substitution(c *syntax.CmdSubst, in wordContext) {
	at := spanOf(c)
	inner := v.text[at.start+1 : at.end-1]
	switch {
	case c.TempFile || c.ReplyVar:
		v.refuse("${ …; }, which not every shell knows")
	case c.Backquotes:
		v.need(backquotes, in)
		if strings.ContainsAny(inner, "#`") || escapes(inner) || strings.Contains(inner, "<<") || in != inWord && strings.ContainsAny(inner, `"'`) {
			v.refuse("an escape, a quote, a comment or a here-document inside backquotes")
		}
	default:
		v.need(substitution, in)
		if strings.HasPrefix(inner, "((") || strings.HasPrefix(inner, "(\\\n") {
			v.refuse("a bracket or a backslash at a line end right after $(, which may begin arithmetic")
		}
		v.brackets(at.start+1, at.end-1)
	}
	v.stmts(c.Stmts, at)
	v.comments(c.Last)
}

// escapes reports a backslash before a character that backquotes unescape.
func escapes(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			if i++; i == len(text) || strings.IndexByte("\\`$\"'\n", text[i]) >= 0 {
				return true
			}
		}
	}
	return false
}

// expression checks an arithmetic expression; x may be nil.
func (v *subset) expression(x syntax.ArithmExpr) {
	switch x := x.(type) {
	case nil:
	case *syntax.Word:
		if x != nil {
			v.word(x, inArithmetic)
		}
	case *syntax.BinaryArithm:
		v.expression(x.X)
		v.expression(x.Y)
	case *syntax.UnaryArithm:
		v.expression(x.X)
	case *syntax.ParenArithm:
		v.expression(x.X)
	default:
		v.refuse("arithmetic that pigate does not know")
	}
}

// subscript checks the subscript of a variable; x may be nil.
func (v *subset) subscript(x syntax.ArithmExpr) {
	if !v.index(x) {
		v.refuse("a subscript that is more than a number or a name")
	}
}

// offset checks the offset or length in ${x:…}; x may be nil.
func (v *subset) offset(x syntax.ArithmExpr) {
	if !v.index(x) {
		v.refuse("an offset that is more than a number or a name")
	}
}

// isPlainKey reports text that means the same in quotes and without, wherever it is
// read: letters, digits and blanks.
func isPlainKey(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return r != ' ' && (r > 127 || !argv.IsNameByte(byte(r))) }) < 0
}

// index reports a number, a name, a plain key in quotes, a parameter, @ or *,
// perhaps with a sign.
func (v *subset) index(x syntax.ArithmExpr) bool {
	switch x := x.(type) {
	case nil:
		return true
	case *syntax.UnaryArithm:
		_, word := x.X.(*syntax.Word)
		return word && (x.Op == syntax.Minus || x.Op == syntax.Plus) && v.index(x.X)
	case *syntax.ParenArithm:
		return v.index(x.X)
	case *syntax.Word:
		if x == nil || listsAll(x) {
			return true
		}
		if len(x.Parts) != 1 {
			return false
		}
		switch part := x.Parts[0].(type) {
		case *syntax.Lit:
			return part.Value != "" && strings.IndexFunc(part.Value, func(r rune) bool { return r > 127 || !argv.IsNameByte(byte(r)) }) < 0
		case *syntax.SglQuoted:
			return !part.Dollar && isPlainKey(part.Value)
		case *syntax.DblQuoted:
			text, plain := plainQuoted(part)
			return plain && !part.Dollar && isPlainKey(text)
		case *syntax.ParamExp:
			return part.Dollar.IsValid() && part.Index == nil && part.Exp == nil && part.Repl == nil && part.Slice == nil && !part.Excl
		}
	}
	return false
}

// test checks an expression between [[ and ]].
func (v *subset) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.Word:
		v.word(x, inTest)
	case *syntax.BinaryTest:
		v.test(x.X)
		v.test(x.Y)
	case *syntax.UnaryTest:
		v.test(x.X)
	case *syntax.ParenTest:
		v.test(x.X)
	default:
		v.refuse("a test that pigate does not know")
	}
}
