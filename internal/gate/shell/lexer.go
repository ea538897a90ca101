package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// lexer reads the words of a piece of text that has no syntax tree, lenient
// about quotes that do not close.
type lexer struct {
	source  *source
	at, end int
}

// word reads one word or redirection and reports whether there was one. Words
// go to the builder's args, output redirections to its redirections.
func (l *lexer) word() bool {
	text := l.source.text
	for l.at < l.end && (strings.IndexByte(" \t\n", text[l.at]) >= 0 || l.continued()) {
		l.at++
	}
	if l.at >= l.end {
		return false
	}
	if start := l.at; l.operator() {
		op := text[start:l.at]
		for l.at < l.end && strings.IndexByte(" \t", text[l.at]) >= 0 {
			l.at++
		}
		target := l.bare()
		if target.End > target.Start && strings.Contains(op, ">") {
			l.output(strings.TrimLeft(op, "0123456789"), start, target)
		}
		return true
	}
	l.source.b.args = append(l.source.b.args, l.bare())
	return true
}

// continued steps over a backslash before a line end.
func (l *lexer) continued() bool {
	if l.source.text[l.at] == '\\' && l.at+1 < l.end && l.source.text[l.at+1] == '\n' {
		l.at++
		return true
	}
	return false
}

// operator steps over a redirection operator with its descriptor.
func (l *lexer) operator() bool {
	text, i := l.source.text[:l.end], l.at
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	if i == l.at && strings.HasPrefix(text[i:], "&>") {
		i++
	}
	if i >= len(text) || text[i] != '<' && text[i] != '>' {
		return false
	}
	for i < len(text) && strings.IndexByte("<>&|-", text[i]) >= 0 {
		i++
	}
	l.at = i
	return true
}

func (l *lexer) output(op string, start int, target argv.Arg) {
	s := l.source
	r := model.Redirection{Op: op, Target: target.Text, Literal: target.Literal && !s.elsewhere}
	r.Harmless = target.Literal && (strings.HasSuffix(op, "&") && isDescriptor(target.Text) ||
		target.Text == "/dev/null" || target.Text == "/dev/stdout" || target.Text == "/dev/stderr")
	r.Start, r.End = s.span(start, target.End)
	s.b.out.Redirections = append(s.b.out.Redirections, r)
}

// bare reads one word up to a blank or an operator.
func (l *lexer) bare() argv.Arg {
	text := l.source.text
	a := argv.Arg{Literal: true, Start: l.at}
	var out []byte
	quote := byte(0)
	for ; l.at < l.end; l.at++ {
		c := text[l.at]
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
		case c == '\\' && l.at+1 < l.end:
			a.Quoted = true
			l.at++
			if text[l.at] != '\n' {
				out = append(out, text[l.at])
			}
		case c == '$' && l.at+1 < l.end && text[l.at+1] != '\'' && text[l.at+1] != '"':
			a.Literal = false
			out = append(out, 0)
			for l.at+1 < l.end && (argv.IsNameByte(text[l.at+1]) || text[l.at+1] == '{' || text[l.at+1] == '}') {
				l.at++
			}
		case c == '$' && quote == 0 && l.at+1 < l.end:
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
func (l *lexer) ends(a argv.Arg, text []byte) argv.Arg {
	a.End, a.Text = l.at, string(text)
	a.Literal = a.Literal || a.Text == "{" || a.Text == "["
	return a
}
