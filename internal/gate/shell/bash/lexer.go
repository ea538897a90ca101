package bash

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Lexer reads the words of a piece of text that has no syntax tree, lenient
// about quotes that do not close.
type Lexer struct {
	Text string
	// At and End are the bytes that are left to read.
	At, End int
	// Words and Outputs are what was read.
	Words   []argv.Arg
	Outputs []Output
}

// Output is an output redirection.
type Output struct {
	Op         string // without its descriptor
	Target     argv.Arg
	Start, End int  // from the descriptor to the end of the target
	Harmless   bool // it opens no file
}

// Word reads one word or redirection, and reports whether there was one.
func (l *Lexer) Word() bool {
	text := l.Text
	for l.At < l.End && (strings.IndexByte(" \t\n", text[l.At]) >= 0 || l.continued()) {
		l.At++
	}
	if l.At >= l.End {
		return false
	}
	if start := l.At; l.operator() {
		op := text[start:l.At]
		for l.At < l.End && strings.IndexByte(" \t", text[l.At]) >= 0 {
			l.At++
		}
		target := l.bare()
		if target.End > target.Start && strings.Contains(op, ">") {
			l.output(strings.TrimLeft(op, "0123456789"), start, target)
		}
		return true
	}
	l.Words = append(l.Words, l.bare())
	return true
}

// continued steps over a backslash before a line end.
func (l *Lexer) continued() bool {
	if l.Text[l.At] == '\\' && l.At+1 < l.End && l.Text[l.At+1] == '\n' {
		l.At++
		return true
	}
	return false
}

// operator steps over a redirection operator with its descriptor.
func (l *Lexer) operator() bool {
	text, i := l.Text[:l.End], l.At
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	if i == l.At && strings.HasPrefix(text[i:], "&>") {
		i++
	}
	if i >= len(text) || text[i] != '<' && text[i] != '>' {
		return false
	}
	for i < len(text) && strings.IndexByte("<>&|-", text[i]) >= 0 {
		i++
	}
	l.At = i
	return true
}

func (l *Lexer) output(op string, start int, target argv.Arg) {
	harmless := target.Literal && (strings.HasSuffix(op, "&") && IsDescriptor(target.Text) ||
		target.Text == "/dev/null" || target.Text == "/dev/stdout" || target.Text == "/dev/stderr")
	l.Outputs = append(l.Outputs, Output{op, target, start, target.End, harmless})
}

// bare reads one word up to a blank or an operator.
func (l *Lexer) bare() argv.Arg {
	text := l.Text
	a := argv.Arg{Literal: true, Start: l.At}
	var out []byte
	quote := byte(0)
	for ; l.At < l.End; l.At++ {
		c := text[l.At]
		switch {
		case c == '\'' && quote != '"' || c == '"' && quote != '\'':
			a.Quoted = true
			if quote == 0 {
				quote = c
			} else {
				quote = 0
			}
		case quote == '\'':
			out = append(out, c)
		case c == '\\' && l.At+1 < l.End:
			a.Quoted = true
			l.At++
			if text[l.At] != '\n' {
				out = append(out, text[l.At])
			}
		case c == '$' && l.At+1 < l.End && text[l.At+1] != '\'' && text[l.At+1] != '"':
			a.Literal = false
			out = append(out, 0)
			for l.At+1 < l.End && (argv.IsNameByte(text[l.At+1]) || text[l.At+1] == '{' || text[l.At+1] == '}') {
				l.At++
			}
		case c == '$' && quote == 0 && l.At+1 < l.End:
		case quote == 0 && strings.IndexByte(" \t\n<>", c) >= 0:
			return l.ends(a, out)
		default:
			if quote == 0 && strings.IndexByte("*?[{", c) >= 0 {
				a.Literal = false
			}
			out = append(out, c)
		}
	}
	return l.ends(a, out)
}

// ends completes a word. A brace or bracket alone is no pattern.
func (l *Lexer) ends(a argv.Arg, text []byte) argv.Arg {
	a.End, a.Text = l.At, string(text)
	a.Literal = a.Literal || a.Text == "{" || a.Text == "["
	return a
}
