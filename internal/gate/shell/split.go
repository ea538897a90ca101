package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// unparsed lists the pieces of a command that is not parsed, for deny rules.
func (b *builder) unparsed(command, why string) {
	s := &source{b: b, text: command}
	s.pieces(place{parent: -1})
	b.out.Unparsed = why
}

// pieces lists what a cautious split of the text finds. It errs towards more
// pieces: where quotes may have been read wrongly (they do not balance, or a
// here-document holds some) the text is split a second time without regard to
// quotes.
func (s *source) pieces(p place) {
	f := splitter{source: s, place: p, known: map[string]bool{}}
	if f.split(true) || strings.Contains(s.text, "<<") {
		f.split(false)
	}
}

// splitter cuts text at whatever ends a command in the shell.
type splitter struct {
	source *source
	place  place
	known  map[string]bool
}

// split cuts the text and reports whether it ended within quotes. With quotes
// it cuts only outside of them, and within double quotes at substitutions.
func (f *splitter) split(quotes bool) (open bool) {
	text := f.source.text
	var outer []byte // what each open substitution stands in: '"' or 0
	quote := byte(0)
	start := 0
	cut := func(i int) {
		f.piece(start, i)
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
		f.piece(start, len(text))
	}
	return quote != 0
}

// beforeCommand are the words after which a command begins.
var beforeCommand = map[string]bool{
	"!": true, "{": true, "}": true, "if": true, "then": true, "elif": true, "else": true, "while": true,
	"until": true, "do": true, "time": true, "coproc": true, "fi": true, "done": true, "esac": true,
}

// piece adds the unit of one piece of text, when it holds any words.
func (f *splitter) piece(start, end int) {
	s := f.source
	b := s.b
	text := strings.Trim(s.text[start:end], " \t\n")
	if text == "" || f.known[text] || len(f.known) >= maxPieces || b.split >= maxSplitWords {
		return
	}
	f.known[text] = true
	l := bash.Lexer{Text: s.text, At: start, End: end}
	for n := 0; n < maxPieceWords && l.Word(); n++ {
		b.split++
	}
	args := l.Words
	for len(args) > 0 && args[0].Literal && !args[0].Quoted && beforeCommand[args[0].Text] {
		args = args[1:]
	}
	i := -1
	if len(args) > 0 {
		u := unit{Unit: model.Unit{Via: f.place.via, Parent: f.place.parent}}
		u.Start, u.End = s.span(args[0].Start, args[len(args)-1].End)
		u.Text = s.wordsText(args)
		u.Bare, u.body = u.Text, len(u.Text)
		for len(args) > 0 && argv.IsAssignment(args[0].Text) {
			args = args[1:]
		}
		i = b.add(u)
		s.name(i, args)
	}
	for _, o := range l.Outputs {
		r := model.Redirection{Op: o.Op, Target: o.Target.Text, Literal: o.Target.Literal && !s.elsewhere, Harmless: o.Harmless, Unit: i}
		r.Start, r.End = s.span(o.Start, o.End)
		b.out.Redirections = append(b.out.Redirections, r)
	}
	if len(args) > 0 {
		s.command(i, args, feed{}, f.place)
	}
}
