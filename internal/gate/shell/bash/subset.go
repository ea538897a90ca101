package bash

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A wordContext is how the shell reads the text in which a construct stands.
type wordContext uint8

const (
	inWord            wordContext = 1 << iota // a word outside of quotes
	inQuotes                                  // between double quotes
	inDocument                                // the body of a here-document whose delimiter is not quoted
	inExpansion                               // within ${…} outside of quotes
	inQuotedExpansion                         // within ${…} in double quotes or in a here-document
	inArithmetic                              // an arithmetic expression
	inSubscript                               // a subscript, or an offset in ${x:…}
	inTest                                    // a pattern between [[ and ]]

	anywhere = inWord | inQuotes | inDocument | inExpansion | inQuotedExpansion | inArithmetic | inSubscript | inTest
)

// contextNames complete the sentence "… inside …".
var contextNames = map[wordContext]string{
	inWord: "a word", inQuotes: "double quotes", inDocument: "a here-document", inExpansion: "${…}",
	inQuotedExpansion: "${…} in double quotes or a here-document", inArithmetic: "arithmetic", inSubscript: "a subscript or an offset",
	inTest: "a pattern of [[ ]]",
}

// A construct is a piece of shell syntax that a word can hold.
type construct struct {
	name string
	in   wordContext // where it is understood
}

// The positive subset: the constructs that are understood, each with the
// contexts in which every shell that may run the line reads it as the parser
// does: bash 3.2 to 5.3, dash, and the ash of busybox. A construct elsewhere,
// and one that is not listed, makes the line unparsed. Sources: the bash
// manual, sections "Quoting", "Shell Expansions" and "Here Documents"; POSIX,
// Shell Command Language, 2.2 to 2.7; and what those shells do.
var (
	// Between double quotes, in a here-document and in arithmetic a quote
	// within ${…} quotes nothing, or something, by shell and operator.
	singleQuotes = &construct{"single quotes", inWord | inExpansion | inTest}
	ansiQuotes   = &construct{"$'…'", inWord | inTest}
	doubleQuotes = &construct{"double quotes", inWord | inExpansion | inTest}

	parameter    = &construct{"a parameter", anywhere}
	operation    = &construct{"an operator of ${…}", anywhere &^ inSubscript}
	substitution = &construct{"$(…)", anywhere &^ inSubscript}
	backquotes   = &construct{"backquotes", inWord | inQuotes | inDocument | inExpansion | inTest}
	arithmetic   = &construct{"$((…))", anywhere &^ inSubscript}
	// Only the word itself: within ${…} some shells run it and others do not.
	processes = &construct{"a process substitution", inWord}
	pattern   = &construct{"an extended pattern", inWord | inTest} // refused later outside of tests
)

// subset checks one syntax tree against the positive subset.
type subset struct {
	text  string
	why   string // the first piece that is outside of it
	lines []span // of nodes that hold a line end
	docs  []document

	scanned int // bytes read again to pair brackets
}

// span is a range of bytes in a text.
type span struct{ start, end int }

// A document is a here-document with the substitution that it stands in.
type document struct {
	redirect *syntax.Redirect
	inside   span
}

// outside says which piece of the text, whose syntax tree file is, is no part
// of the positive subset, and why; "" if there is none.
func outside(text string, file *syntax.File) string {
	if plain(text) {
		return ""
	}
	v := &subset{text: text}
	v.stmts(file.Stmts, span{0, len(text) + 1})
	v.comments(file.Last)
	v.documents()
	return v.why
}

// OutsideDocument says which piece of a text that is evaluated like a here-document
// is outside of the subset, "" if none is.
func OutsideDocument(text string, doc *syntax.Word) string {
	v := subset{text: text}
	v.word(doc, inDocument)
	if strings.ContainsAny(text, "\\\"'") { // how often it is unquoted differs
		v.refuse("quotes")
	}
	return v.why
}

// comments checks that comments begin where every shell begins them.
func (v *subset) comments(list []syntax.Comment) {
	for _, c := range list {
		if at := int(c.Hash.Offset()); at > 0 && strings.IndexByte(" \t\n;", v.text[at-1]) < 0 {
			v.refuse("a comment that does not begin after a blank")
		}
	}
}

// plain reports a text without any construct that has a condition.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '$', '`', '\n', '\\', '(', '[', '#', 0x85, 0xa0:
			return false
		case '<':
			if i+1 < len(text) && (text[i+1] == '<' || text[i+1] == '(') {
				return false
			}
		}
	}
	return true
}

// refuse notes the first piece outside of the subset.
func (v *subset) refuse(format string, args ...any) {
	if v.why == "" {
		v.why = fmt.Sprintf(format, args...)
	}
}

// need refuses the construct where it is not understood.
func (v *subset) need(k *construct, in wordContext) {
	if k.in&in == 0 {
		v.refuse("%s inside %s", k.name, contextNames[in])
	}
}

// spanOf is the range of a node.
func spanOf(n syntax.Node) span { return span{int(n.Pos().Offset()), int(n.End().Offset())} }

// note keeps the range of a node that goes on over a line end.
func (v *subset) note(n syntax.Node) {
	if n.Pos().Line() != n.End().Line() {
		v.lines = append(v.lines, spanOf(n))
	}
}

// stmts checks statements; inside is the range of the substitution around them.
func (v *subset) stmts(list []*syntax.Stmt, inside span) {
	for _, st := range list {
		syntax.Walk(st, func(n syntax.Node) bool { return v.node(n, inside) })
	}
}

// node checks a node of a command, and reports whether to go on into it.
func (v *subset) node(n syntax.Node, inside span) bool {
	switch n := n.(type) {
	case *syntax.Word:
		v.word(n, inWord)
		return false
	case *syntax.Redirect:
		v.redirect(n, inside)
		return false
	case *syntax.Assign:
		v.subscript(n.Index)
		if n.Index != nil && strings.Contains(v.text[n.Name.End().Offset():n.Index.End().Offset()+1], "\n") {
			v.refuse("a line end inside a subscript")
		}
	case *syntax.ArrayElem:
		v.comments(n.Comments)
		v.subscript(n.Index)
		if n.Value != nil {
			v.word(n.Value, inWord)
		}
		return false
	case *syntax.ArithmCmd:
		v.brackets(int(n.Left.Offset()), int(n.Right.Offset())+1)
		v.expression(n.X)
		return false
	case *syntax.CStyleLoop:
		v.expression(n.Init)
		v.expression(n.Cond)
		v.expression(n.Post)
		return false
	case *syntax.Comment:
		v.comments([]syntax.Comment{*n})
	case *syntax.LetClause:
		if text := v.text[n.Let.Offset():n.End().Offset()]; strings.Contains(text, "<(") || strings.Contains(text, ">(") || strings.Contains(text, "\\\n") {
			v.refuse("a process substitution or a backslash at a line end inside let")
		}
	case *syntax.Subshell:
		if rest := v.text[n.Lparen.Offset()+1:]; strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "\\\n") {
			v.refuse("two subshells that open as ((, which begins arithmetic")
		}
	case *syntax.TestClause:
		if n.Left.Line() != n.Right.Line() { // to dash it ends a command
			v.refuse("a line end inside [[ ]]")
		}
		v.test(n.X)
		return false
	}
	return true
}
