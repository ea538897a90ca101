package bash

import (
	"strings"
)

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// CutText cuts text at whatever ends a command in the shell, and reports whether it
// ended within quotes. With quotes it cuts only outside of them, and within double
// quotes at substitutions.
func CutText(text string, quotes bool) (list []Span, open bool) {
	var outer []byte // what each open substitution stands in: '"' or 0
	quote := byte(0)
	start := 0
	cut := func(i int) {
		list = append(list, Span{start, i})
		start = i + 1
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '\'':
			if c == '\'' {
				quote = 0
			}
		case quote == '$': // $'…'
			if c == '\\' {
				i++
			} else if c == '\'' {
				quote = 0
			}
		case c == '\\':
			i++
		case c == '`':
			cut(i)
		case c == '$' && i+1 < len(text) && text[i+1] == '(':
			i++
			cut(i)
			outer = append(outer, quote)
			quote = 0
		case quote == '"':
			if c == '"' {
				quote = 0
			}
		case c == '"' && quotes:
			quote = '"'
		case c == '\'' && quotes:
			quote = '\''
			if i > 0 && text[i-1] == '$' {
				quote = '$'
			}
		case c == '#' && quotes && (i == 0 || strings.IndexByte(" \t\n;&|(", text[i-1]) >= 0):
			cut(i)
			for i < len(text) && text[i] != '\n' {
				i++
			}
			start = i
		case c == '(':
			cut(i)
			outer = append(outer, 0)
		case c == ')':
			cut(i)
			if n := len(outer); n > 0 {
				quote, outer = outer[n-1], outer[:n-1]
			}
		case c == '&' && (i > 0 && strings.IndexByte("<>", text[i-1]) >= 0 || i+1 < len(text) && text[i+1] == '>'):
		case c == '|' && i > 0 && text[i-1] == '>':
		case strings.IndexByte(";&|\n", c) >= 0:
			cut(i)
		}
	}
	if start < len(text) {
		list = append(list, Span{start, len(text)})
	}
	return list, quote != 0
}
